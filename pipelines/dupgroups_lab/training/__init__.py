"""Training of the extractors that learn: from labelled pages to weights."""
