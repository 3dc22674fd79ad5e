"""The commands `filter`, `follow` and `sign`, which the command line finds by entry points."""
