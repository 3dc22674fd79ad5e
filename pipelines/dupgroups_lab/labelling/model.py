"""The data types of labelling: items, the answers of assessors, and the rules they follow."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from dupgroups.presentation.languages import gettext_noop

Phase = Literal["news", "pairs"]
"""`news`: is this document a news article? `pairs`: are these two about the same event?"""

State = Literal["open", "decided", "disputed"]

ANSWERS: Mapping[Phase, Mapping[str, str]] = {
    # the answers of each phase in the order of their keys, 1 to 9
    "news": {
        "yes": gettext_noop("News"),
        "no": gettext_noop("Not news"),
        "unknown": gettext_noop("I can’t tell"),
        "other": gettext_noop("Something else"),
        "language": gettext_noop("A language I don’t read"),
    },
    "pairs": {
        "same": gettext_noop("Same event"),
        "same-a": gettext_noop("Same, A tells more"),
        "same-b": gettext_noop("Same, B tells more"),
        "different": gettext_noop("Not the same"),
        "unknown": gettext_noop("I can’t tell"),
        "other": gettext_noop("Something else"),
        "language": gettext_noop("A language I don’t read"),
    },
}


@dataclass(frozen=True, slots=True)
class Item:
    """A task for an assessor: the document `a`, or in the phase `pairs` the documents `a` and `b`.

    `key` is the same for the same documents and seed, and says nothing about them: items are handed out in
    the order of their keys. `jaccard` (0 to 1) is that of a pair. `known` is the right answer (by `event`) of
    a honeypot, "" for all other items.
    """

    key: str
    phase: Phase
    a: str
    b: str = ""
    jaccard: float = 0.0
    known: str = ""

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of its documents: one or two."""
        return (self.a, self.b) if self.b else (self.a,)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of an assessor to an item."""

    item: str
    assessor: str
    answer: str


@dataclass(frozen=True, slots=True)
class Rules:
    """`wanted` answers decide an item, each of another assessor; `honeypots` is their share of what is shown.

    `alone`: the same assessor may answer both phases. `seed` draws the pairs and mixes in the honeypots.
    """

    wanted: int = 3
    alone: bool = False
    honeypots: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as assessors read it."""

    id: str
    text: str
    title: str = ""
    language: str = ""
    url: str | None = None
    site: str = ""
    date: str | None = None


def key_of(seed: int, phase: Phase, a: str, b: str = "") -> str:
    """The key of an item: 16 hex digits."""
    return blake2b(repr((seed, phase, a, b)).encode("utf-8", "replace"), digest_size=8).hexdigest()


def event(answer: str) -> str:
    """An answer without which of the two tells more.

    >>> event("same-b"), event("yes")
    ('same', 'yes')
    """
    return answer.partition("-")[0]
