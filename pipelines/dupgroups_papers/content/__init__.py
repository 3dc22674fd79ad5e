"""Extractors of published papers, and a decision tree that tells articles from other pages."""
