"""Which documents belong together: pure functions over records, without a store."""
