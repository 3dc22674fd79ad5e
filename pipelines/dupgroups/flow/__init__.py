"""Sign, look, plan, commit: how documents come into their groups, and stay there.

`commit_loop.py` holds the loop that every writer goes through; `grouping.plan` decides.
"""
