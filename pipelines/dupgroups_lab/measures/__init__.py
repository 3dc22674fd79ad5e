"""Figures that tell how well found pairs and groups agree with true ones."""
