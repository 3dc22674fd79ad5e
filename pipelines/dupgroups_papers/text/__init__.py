"""Stop words."""
