"""Function words, and texts cut into words."""
