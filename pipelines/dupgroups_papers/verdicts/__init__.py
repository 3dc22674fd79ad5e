"""Judges of published papers. One file per method."""
