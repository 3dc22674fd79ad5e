"""The bodies of signatures as bytes, one file per kind."""
