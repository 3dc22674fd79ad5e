"""CEDAR's tables 1 to 3, and the names of its extractors.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (LREC 2008), section 5.
"""

from collections.abc import Mapping

from dupgroups_lab.papers.extracted import ENTIRE_NAME, HEURISTIC, REFERENCE

BOTH_FILTERS = "heuristic, both filters"

NAMES: Mapping[str, str] = {
    HEURISTIC: "Heuristic",
    "maxent": "CE-SIMPLE",
    "crf": "CE-BEST",
    REFERENCE: "Ref. standard",
}
"""What the paper calls our extractors."""

TABLE_1: Mapping[str, float] = {
    HEURISTIC: 0.91076,
    "maxent": 0.9999922,
    "crf": 0.9999933,
    REFERENCE: 0.9999935,
}
"""AU-ROC by extractor."""

TABLE_2: Mapping[tuple[str, int, float], float] = {
    (ENTIRE_NAME, 1, 0.0): 0.94275,
    (ENTIRE_NAME, 5, 0.0): 0.95883,
    (ENTIRE_NAME, 1, 0.075): 0.99751,
    (HEURISTIC, 1, 0.0): 0.91076,
    (HEURISTIC, 1, 0.075): 0.99500,
    (HEURISTIC, 12, 0.05): 0.99994,
}
"""AU-ROC by text, least block and dropped share."""

_Scores = tuple[float, float, float]

TABLE_3: Mapping[str, tuple[_Scores, _Scores]] = {
    "heuristic, frequency filter": ((0.977, 0.782, 0.869), (0.929, 0.854, 0.890)),
    "heuristic, block filter": ((0.919, 0.860, 0.889), (0.919, 0.860, 0.889)),
    BOTH_FILTERS: ((0.981, 0.862, 0.917), (0.981, 0.862, 0.917)),
    "crf": ((0.992, 0.979, 0.985), (0.992, 0.979, 0.985)),
    "maxent": ((0.992, 0.977, 0.985), (0.992, 0.977, 0.985)),
    REFERENCE: ((0.992, 0.977, 0.985), (0.992, 0.977, 0.985)),
}
"""Precision, recall and F1 on the evaluation half, of pairs and of clusters (B-cubed)."""


def paper_of(name: str) -> str:
    """The extractor of the paper that has this name: without its parameters, and however it was trained.

    >>> paper_of("crf features=paper by site"), paper_of("heuristic, both filters")
    ('crf', 'heuristic, both filters')
    """
    return " ".join(word for word in method_of(name).split() if "=" not in word)


def method_of(name: str) -> str:
    """The method of an extractor that was trained by folds, and any other name as it is.

    >>> method_of("crf by site"), method_of("crf")
    ('crf', 'crf')
    """
    return name.partition(" by ")[0]
