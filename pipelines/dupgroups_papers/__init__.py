"""The published methods that are not defaults, each to the letter of its paper.

`dupgroups` never imports this package: it finds the methods by the entry points in `pyproject.toml`, so that
every configuration and command accepts their names.
"""
