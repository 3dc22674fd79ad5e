"""The files that `evaluate` and `calibrate` read: labelled pairs, and their documents.

Measurements count a pair that no file lists as `non`. Two documents of different drawn pairs may be copies
that nobody has judged, so all pairs that share much are listed: those without a label as `unjudged`.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import combinations

from dupgroups.text.hashing import Hashes
from dupgroups_lab.labelling.board import Board
from dupgroups_lab.labelling.model import Item, Shown
from dupgroups_lab.labelling.phrases import jaccard, phrases
from dupgroups_lab.labels.labelled_pairs import Pair, pair

MIN_LISTED_JACCARD = 0.1  # least Jaccard of an unlabelled pair that is listed as unjudged
_MIN_TEMPLATE_TEXTS = 200  # texts with a phrase: more of them share a template, not a story
_LABELS = {"same": "duplicate", "same-a": "containment", "same-b": "containment", "different": "non"}
_LONGER_SIDE = {"same-a": "a", "same-b": "b"}
_COLUMNS = ("a", "b", "label", "more", "jaccard", "answers")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair with its label; `more` is "a" or "b" if that one tells more, else "". `answers` were counted."""

    ids: Pair
    label: str
    more: str = ""
    jaccard: float = 0.0
    answers: int = 0


def labelled_pairs(board: Board) -> list[LabelledPair]:
    """The pairs with a consensus on whether they are the same, by id; `unjudged` without one.

    Honeypots are left out: their labels are known already.
    """
    items = [item for item in board.items.values() if item.phase == "pairs" and not item.known]
    return sorted((_label_pair(board, item) for item in items), key=lambda labelled: labelled.ids)


def unjudged_pairs(documents: Sequence[Shown], labelled: Iterable[Pair]) -> list[LabelledPair]:
    """All other pairs of these documents whose texts have a Jaccard coefficient of at least
    `MIN_LISTED_JACCARD`."""
    texts = [phrases(document.text) for document in documents]
    known = set(labelled)
    values = {pair(documents[a].id, documents[b].id): jaccard(texts[a], texts[b]) for a, b in _sharing(texts)}
    return [
        LabelledPair(ids, "unjudged", jaccard=value)
        for ids, value in sorted(values.items())
        if value >= MIN_LISTED_JACCARD and ids not in known
    ]


def to_csv(pairs: Iterable[LabelledPair]) -> str:
    """The pairs as CSV with a header."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for one in pairs:
        row = (*one.ids, one.label, one.more, f"{one.jaccard:.4f}", one.answers)
        writer.writerow(row)
    return text.getvalue()


def to_json_lines(documents: Iterable[Shown]) -> str:
    """The documents as JSON Lines that `--docs` reads."""
    names = ("id", "title", "text", "url", "date", "language")
    rows = ({name: getattr(document, name) for name in names} for document in documents)
    lines = (
        json.dumps({name: value for name, value in row.items() if value}, ensure_ascii=False) for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def _label_pair(board: Board, item: Item) -> LabelledPair:
    answer = board.decisions[item.key].answer
    votes = len(board.votes.get(item.key, ()))
    label = _LABELS.get(answer, "unjudged")
    return LabelledPair((item.a, item.b), label, _LONGER_SIDE.get(answer, ""), item.jaccard, votes)


def _sharing(texts: Sequence[Hashes]) -> set[tuple[int, int]]:
    """Pairs with a phrase in common; phrases of templates, which many texts have, do not count."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        for phrase in text.tolist():
            holders[phrase].append(place)
    groups = {tuple(places) for places in holders.values() if 1 < len(places) <= _MIN_TEMPLATE_TEXTS}
    return {ids for places in groups for ids in combinations(places, 2)}
