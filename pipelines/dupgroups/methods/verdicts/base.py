"""The protocol of judges, and the code that judges share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dupgroups.methods.signals import Part, Signal
from dupgroups.model import Record, Verdict
from dupgroups.text.facts import Facts

Pair = tuple[Record, Record]
SecondLooks = Callable[[Sequence[Pair]], Sequence[Verdict]]
"""The verdicts on doubtful pairs by their texts, all of which it reads at once."""


@runtime_checkable
class TextJudge(Protocol):
    """A judge whose verdict on a doubtful pair is that of the texts."""

    @property
    def reads_texts(self) -> bool:
        """Whether any pair is doubtful, as it is configured."""

    def by_texts(self, a: Record, b: Record, one: Facts, two: Facts) -> Verdict:
        """How `a`, with the facts `one`, relates to `b`, with the facts `two`; doubtful by signatures."""

    def parts_of_texts(self, one: Facts, two: Facts) -> tuple[Part, ...]:
        """The parts of the sum by which it judges these texts."""


MAX_REMEMBERED_PAIRS = 20_000  # pairs that are remembered, those asked for last: some 10 MB
PairKey = tuple[str, int, str, int]
"""The ids of two records, the smaller first, and what a judge reads of each (see `_key`)."""
Verdicts = dict[PairKey, Verdict]
"""How the first stands to the second, those asked for longest ago at the front."""


class Judge(Protocol):
    """Decides how two records are related, by the bodies of their signatures (some methods: also the hosts).

    Pure. The score is symmetric. When the records are swapped, `contains` becomes `contained` and vice versa;
    every other relation stays. The relation is `too_short` only when one of the records has no keys.
    """

    def __call__(self, a: Record, b: Record) -> Verdict:
        """Relation, score (0 to 1; by default, 0.5 and above joins) and reason."""


@runtime_checkable
class Explaining(Judge, Protocol):
    """A judge that shows what it measures."""

    def signals(self, a: Record, b: Record) -> tuple[Signal, ...]:
        """The measures that it compares with its thresholds; () when one of the records has no keys."""


@dataclass(frozen=True, slots=True)
class Bodies:
    """The bodies of n signatures, parts of one array: where each begins and ends, both of shape (n,)."""

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, bodies: Sequence[bytes]) -> Bodies:
        """These bodies, one after another."""
        sizes = np.fromiter(map(len, bodies), np.int64)
        ends = sizes.cumsum()
        return cls(np.frombuffer(b"".join(bodies), np.uint8), ends - sizes, ends)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of bytes of each."""
        return self.ends - self.starts

    def __getitem__(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Bodies:
        """Some of them."""
        return Bodies(self.data, self.starts[which], self.ends[which])

    def heads(self, size: int) -> NDArray[np.uint8]:
        """The first `size` bytes of each, of which none may be shorter; shape (n, size)."""
        if len(self.data) < size:
            return np.empty((0, size), np.uint8)
        rows = np.lib.stride_tricks.sliding_window_view(self.data, size)
        found: NDArray[np.uint8] = rows[self.starts]
        return found


@runtime_checkable
class BatchPrefilter(Judge, Protocol):
    """A judge that sees at once which pairs of a batch are surely different."""

    def may_join(self, a: Bodies, b: Bodies) -> NDArray[np.bool_]:
        """Whether the judge has to be asked of each of n pairs of one scheme with keys, shape (n,)."""

    def nearness(self, a: Bodies, b: Bodies) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """How much the signatures of each of n such pairs have in common, 0 to 1, shape (n,); and of which
        `may_join` is sure that they are doubtful if it is true.
        """


def too_short(a: Record, b: Record) -> Verdict | None:
    """The verdict when one of the signatures is empty and so matches nothing; None when both have keys."""
    if a.signature and b.signature:
        return None
    return Verdict("too_short", 0.0, "At least one of them has too little running text to be compared.")


def grade(value: float, threshold: float) -> float:
    """Rescale a value so that the threshold becomes 0.5, 0 stays 0 and 1 stays 1; linear in between.

    >>> grade(0.4, 0.4), grade(0.7, 0.4), grade(0.2, 0.4)
    (0.5, 0.75, 0.25)
    """
    if value >= threshold:
        return 1.0 if threshold >= 1 else 0.5 + 0.5 * (value - threshold) / (1 - threshold)
    return 0.5 * value / threshold


@dataclass(eq=False, repr=False)
class RememberedJudge:
    """Asks `judge` once for a pair of records, as long as nothing that a judge reads changes in them.

    Average linkage asks for the same pairs, in either order, whenever a copy comes to their group. Of more
    than MAX_REMEMBERED_PAIRS pairs those asked for last are known. Several judges may share what is `known`.
    """

    judge: Judge
    second_looks: SecondLooks | None = None
    known: Verdicts = field(default_factory=dict)
    _most: int = field(default=MAX_REMEMBERED_PAIRS, init=False)

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`."""
        key = _key(a, b)
        if key not in self.known:
            self._ask({key: (a, b)})
        verdict = self.known[key] = self.known.pop(key)
        return verdict if a.id <= b.id else verdict.swap()

    def look_ahead(self, pairs: Iterable[Pair]) -> None:
        """Judge the pairs that are not known at once: what will be asked for is known then. The texts of the
        doubtful ones are read at once.
        """
        wanted = {_key(*pair): pair for pair in pairs}
        self._most = max(MAX_REMEMBERED_PAIRS, len(wanted))
        for key in [key for key in wanted if key in self.known]:
            self.known[key] = self.known.pop(key)
        while missing := {key: pair for key, pair in wanted.items() if key not in self.known}:
            self._ask(missing)  # which may teach something by which all are judged again

    def _ask(self, pairs: Mapping[PairKey, Pair]) -> None:
        """Judge pairs of which none is known, and forget those asked for longest ago."""
        verdicts = {key: self.judge(*pair) for key, pair in pairs.items()}
        doubtful = [key for key, verdict in verdicts.items() if verdict.doubtful]
        if doubtful and self.second_looks:
            looked = self.second_looks([pairs[key] for key in doubtful])
            verdicts.update(zip(doubtful, looked, strict=True))
        for key, (a, b) in pairs.items():
            self.known[key] = verdicts[key] if a.id <= b.id else verdicts[key].swap()
        for key in [*islice(self.known, max(0, len(self.known) - self._most))]:
            del self.known[key]


def _key(a: Record, b: Record) -> PairKey:
    """The same for both orders of two records."""
    if a.id > b.id:
        a, b = b, a
    return a.id, _state(a), b.id, _state(b)


def _state(record: Record) -> int:
    """A number for what a judge may read, instead of the body itself, which takes ten times the memory."""
    signature = record.signature
    return hash(
        (signature.scheme, signature.body, record.host, record.length, record.published, record.fingerprint)
    )
