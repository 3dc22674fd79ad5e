"""The lab's commands; the entry points `dupgroups.commands` in pyproject.toml name them.

Modules that are imported here add their commands to `evaluate` or `train`.
"""

from dupgroups_lab.commands import articles as articles
from dupgroups_lab.commands import evaluate_cedar as evaluate_cedar
from dupgroups_lab.commands import evaluate_duplicates as evaluate_duplicates
from dupgroups_lab.commands import evaluate_papers as evaluate_papers
