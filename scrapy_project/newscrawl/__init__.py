"""A news crawl with groups."""
