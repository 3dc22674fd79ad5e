"""Labelling pairs of documents in two phases, and calibrating thresholds on a page.

Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited, "Generating labeled data". Pure
modules draw the pairs (`drawing`), choose the next item (`board`), decide items and rate the assessors
(`consensus`); `store` is the file, `study` the two together, `app` the pages.
"""
