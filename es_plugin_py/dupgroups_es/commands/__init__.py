"""The command `sign`, which the command line finds by an entry point."""
