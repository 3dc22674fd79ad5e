"""Labelled data: pages with gold texts, pairs and clusters of documents."""
