"""A news crawl with groups: spiders for live sites and for archives on disk."""
