"""Hashes, samples and sketches of sets, and measures of what two sets have in common.

Pure functions over arrays; the code does not depend on what the hashes stand for.
"""
