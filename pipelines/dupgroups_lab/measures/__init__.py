"""Measures of how well the pairs and groups found agree with the true ones."""
