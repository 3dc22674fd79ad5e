"""A labelling project at work: hands out items, takes answers, and shows what has come of them."""

from dataclasses import dataclass, replace

from dupgroups.errors import InputError
from dupgroups.flow.explain.text_alignment import Alignment, align
from dupgroups_lab.labelling.board import Board
from dupgroups_lab.labelling.consensus import Quality, qualities
from dupgroups_lab.labelling.export import labelled_pairs, to_csv, to_json_lines, unjudged_pairs
from dupgroups_lab.labelling.model import ANSWERS, Item, Phase, Shown, event
from dupgroups_lab.labelling.store import LabelStore
from dupgroups_lab.measures.krippendorff_alpha import krippendorff_alpha

MAX_SHOWN_CHARS = 20_000  # characters of a text that are shown


@dataclass(frozen=True, slots=True)
class Task:
    """An item with its documents, the texts of a pair side by side, and whether a text is `cut`; and how much
    the assessor has `answered` in this phase."""

    item: Item
    documents: tuple[Shown, ...]
    alignment: Alignment | None
    cut: bool
    answered: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How many items of a phase are in each state, and how many this assessor can answer now."""

    items: int
    decided: int
    disputed: int
    waiting: int


class Study:
    """The project in a file."""

    def __init__(self, store: LabelStore) -> None:
        self.store = store

    def next_task(
        self, assessor: str, phase: Phase, *, after: str | None = None, again: str | None = None
    ) -> Task | None:
        """The next task of the assessor, or None; `after` is shown still, `again` is asked for once more."""
        board = self.store.board()
        item = board.items.get(again or "")
        if item is None or item.phase != phase or not board.may_answer(assessor, item):
            item = board.next_item(assessor, phase, [after] if after else [])
        return self._task(board, assessor, item) if item else None

    def answer(self, assessor: str, phase: Phase, key: str, answer: str) -> None:
        """Store an answer, once. Raises InputError for what may not be answered."""
        board = self.store.board()
        item = board.items.get(key)
        if item is None or item.phase != phase or answer not in ANSWERS[phase]:
            raise InputError("this is not an answer to an item of this project: go back and choose one")
        if key in board.answered.get(assessor, ()):
            return
        if not board.may_answer(assessor, item):
            raise InputError(
                "you answered the other question about this document: somebody else has to answer"
            )
        self.store.answer(key, assessor, answer)

    def undo(self, assessor: str) -> Item | None:
        """Take back the last answer of an assessor; the item, or None if there is no answer."""
        key = self.store.undo(assessor)
        return self.store.board().items.get(key) if key else None

    def progress(self, assessor: str) -> dict[Phase, Progress]:
        """How far each phase is."""
        board = self.store.board()
        return {phase: _progress(board, assessor, phase) for phase in ANSWERS}

    def qualities(self) -> dict[str, Quality]:
        """The quality of every assessor, by name."""
        board = self.store.board()
        return qualities(board.items, board.answers, board.decisions)

    def agreement(self, phase: Phase) -> tuple[int, float | None]:
        """The items of a phase with at least two answers, and Krippendorff's alpha of these by `event`.

        Without honeypots; None where nothing can be said.
        """
        board = self.store.board()
        votes = [
            list(map(event, given.values()))
            for key, given in board.votes.items()
            if board.items[key].phase == phase and not board.items[key].known and len(given) > 1
        ]
        return len(votes), krippendorff_alpha(votes)

    def pairs_csv(self) -> str:
        """The pairs file; see `export`."""
        labelled = labelled_pairs(self.store.board())
        others = unjudged_pairs(self.store.all_documents(), (one.ids for one in labelled))
        return to_csv([*labelled, *others])

    def documents_jsonl(self) -> str:
        """The documents of all items as JSON Lines."""
        return to_json_lines(self.store.all_documents())

    def _task(self, board: Board, assessor: str, item: Item) -> Task:
        given = board.answered.get(assessor, frozenset())
        answered = sum(board.items[key].phase == item.phase for key in given)
        found = self.store.documents(item.documents)
        whole = [found[id_] for id_ in item.documents]
        documents = tuple(replace(document, text=document.text[:MAX_SHOWN_CHARS]) for document in whole)
        alignment = align(documents[0].text, documents[1].text) if len(documents) == 2 else None
        cut = any(len(document.text) > MAX_SHOWN_CHARS for document in whole) or bool(
            alignment and alignment.cut
        )
        return Task(item, documents, alignment, cut, answered)


def _progress(board: Board, assessor: str, phase: Phase) -> Progress:
    states = [decision.state for decision in board.of(phase).values()]
    return Progress(
        len(states), states.count("decided"), states.count("disputed"), board.waiting(assessor, phase)
    )
