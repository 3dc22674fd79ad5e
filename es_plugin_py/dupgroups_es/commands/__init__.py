"""The commands `backfill`, `rollover` and `sign`, which the command line finds by entry points."""
