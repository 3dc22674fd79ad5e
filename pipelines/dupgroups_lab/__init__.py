"""The laboratory: labelled data, measures, experiments, training, and the commands for them.

The packages that run (`dupgroups`, `dupgroups_es`) never import this one.
"""
