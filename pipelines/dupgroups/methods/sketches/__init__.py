"""Samples and sketches of sets of hashes, and how they are stored as bytes.

Pure functions over arrays; the code does not depend on what the hashes stand for.
"""
