"""Group near-duplicate news stories while they are crawled, and collapse them in search results."""
