"""The commands `filter` and `follow`, which the command line finds by entry points."""
