"""How well extractors find the articles of labelled pages, and how fast."""
