"""The lab's commands; the entry points `dupgroups.commands` in pyproject.toml name them."""

from dupgroups_lab.commands import (
    articles,
    calibrate,
    evaluate,
    evaluate_cedar,
    evaluate_duplicates,
    evaluate_edits,
    evaluate_page,
    evaluate_period_string,
    evaluate_spotsigs,
    evaluate_weightings,
    frequencies,
    label,
    train,
)

__all__ = [
    "articles",
    "calibrate",
    "evaluate",
    "evaluate_cedar",
    "evaluate_duplicates",
    "evaluate_edits",
    "evaluate_page",
    "evaluate_period_string",
    "evaluate_spotsigs",
    "evaluate_weightings",
    "frequencies",
    "label",
    "train",
]
