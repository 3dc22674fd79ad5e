"""The bytes that are stored: bodies of signatures, one file for each kind, and arrays in files."""
