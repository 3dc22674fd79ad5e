"""Why two documents are one story or two, and why a page has this text: pure, for people to read."""

from __future__ import annotations

from dupgroups.flow.explain.groups import GroupScores, Related, related, scores
from dupgroups.flow.explain.pages import PageExplanation, explain_page
from dupgroups.flow.explain.pairs import Explanation, explain_pair, pair_payload

__all__ = [
    "Explanation",
    "GroupScores",
    "PageExplanation",
    "Related",
    "explain_page",
    "explain_pair",
    "pair_payload",
    "related",
    "scores",
]
