"""Numbers for comparing: hashes, samples and sketches of sets, and what two sets have in common.

Pure functions over arrays; nothing here knows what the hashes stand for.
"""
