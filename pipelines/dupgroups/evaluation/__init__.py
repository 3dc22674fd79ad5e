"""Measuring and training against labelled data."""
