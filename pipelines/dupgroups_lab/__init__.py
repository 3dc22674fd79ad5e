"""How we know: labelled data, measures, experiments, training, and the commands for them.

Nothing that runs (`dupgroups`, `dupgroups_es`) imports this package.
"""
