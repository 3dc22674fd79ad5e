"""Which item an assessor gets next.

* Pairs of two documents that are news by consensus come into the second phase, others do not.
* An assessor answers an item once, and never a pair with a document that the same assessor judged in the
  first phase, nor the reverse (unless one person does all, `Rules.alone`).
* An item that others have begun comes first, so that it is decided soon; else the order of keys, which is
  random.
* Now and then the next item is a honeypot. Nothing tells it from the others.
"""

from collections.abc import Collection, Iterator
from random import Random

from dupgroups_lab.labelling.board import Board
from dupgroups_lab.labelling.model import Item, Phase


def next_item(board: Board, assessor: str, phase: Phase, skip: Collection[str] = ()) -> Item | None:
    """The next item of a phase for an assessor; None if there is nothing to do (honeypots alone are nothing).

    `skip` are items that are shown already and not answered yet.
    """
    due = list(_due(board, assessor, phase, skip))
    ordinary = [item for item in due if not item.known]
    if not ordinary:
        return None
    honeypots = [item for item in due if item.known]
    if honeypots and _honeypot_now(board, assessor, phase, skip):
        return min(honeypots, key=lambda item: item.key)
    return min(ordinary, key=lambda item: (-len(board.votes.get(item.key, ())), item.key))


def waiting(board: Board, assessor: str, phase: Phase) -> int:
    """How many items of a phase the assessor can answer now, without honeypots."""
    return sum(not item.known for item in _due(board, assessor, phase, ()))


def may_answer(board: Board, assessor: str, item: Item) -> bool:
    """Whether the rules let this assessor answer this item, even if others have just decided it."""
    return (
        item.key not in board.answered.get(assessor, ())
        and _seen_in_other_phase(board, assessor, item.phase).isdisjoint(item.documents)
        and _is_ready(board, item)
    )


def _due(board: Board, assessor: str, phase: Phase, skip: Collection[str]) -> Iterator[Item]:
    done = {*board.answered.get(assessor, ()), *skip}
    seen = _seen_in_other_phase(board, assessor, phase)
    for item in board.items.values():
        is_new = item.phase == phase and item.key not in done and seen.isdisjoint(item.documents)
        if is_new and _is_ready(board, item) and (item.known or board.decisions[item.key].state == "open"):
            yield item


def _is_ready(board: Board, item: Item) -> bool:
    return bool(item.known) or item.phase == "news" or board.news.issuperset(item.documents)


def _seen_in_other_phase(board: Board, assessor: str, phase: Phase) -> frozenset[str]:
    if board.rules.alone:
        return frozenset()
    items = (board.items[key] for key in board.answered.get(assessor, ()))
    return frozenset(document for item in items if item.phase != phase for document in item.documents)


def _honeypot_now(board: Board, assessor: str, phase: Phase, skip: Collection[str]) -> bool:
    count = len(board.answered.get(assessor, frozenset()) | set(skip))
    return Random(repr((board.rules.seed, assessor, phase, count))).random() < board.rules.honeypots  # noqa: S311
