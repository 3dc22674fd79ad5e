"""A news crawl that groups what it finds: spiders for live sites and for archives on disk."""
