"""Samples, projections and joins of sets: pure functions over arrays."""
