"""A judge that remembers: average linkage asks for the same pairs whenever a copy comes to their group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dupgroups.methods.verdicts.base import Judge
from dupgroups.model import Record, Verdict

Pair = tuple[Record, Record]
SecondLooks = Callable[[Sequence[tuple[Record, Record, Verdict]]], Sequence[Verdict]]
"""The verdicts on doubtful pairs by their texts, all of which it reads at once."""

MOST = 20_000  # pairs that are remembered: some 10 MB


class RememberedJudge:
    """Asks `judge` once for a pair of records, as long as nothing that a judge reads changes in them.

    When MOST pairs are known all are forgotten: what is asked for again soon is soon known again.
    """

    def __init__(self, judge: Judge, second_looks: SecondLooks | None = None, most: int = MOST) -> None:
        self._judge = judge
        self._second_looks = second_looks
        self._most = most
        self._known: dict[tuple[str, int, str, int], Verdict] = {}

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`."""
        verdict = self._known.get(_key(a, b))
        return self.ask([(a, b)])[0] if verdict is None else verdict

    def ask(self, pairs: Iterable[Pair]) -> list[Verdict]:
        """The verdicts on pairs of which none is known; the texts of the doubtful ones are read at once."""
        pairs = list(pairs)
        verdicts = [self._judge(a, b) for a, b in pairs]
        doubtful = [place for place, verdict in enumerate(verdicts) if verdict.doubtful]
        if doubtful and self._second_looks:
            looked = self._second_looks([(*pairs[place], verdicts[place]) for place in doubtful])
            for place, verdict in zip(doubtful, looked, strict=True):
                verdicts[place] = verdict
        if len(self._known) + len(pairs) > self._most:
            self._known.clear()
        self._known.update(zip((_key(*pair) for pair in pairs), verdicts, strict=True))
        return verdicts

    def look_ahead(self, pairs: Iterable[Pair]) -> None:
        """Judge the pairs that are not known at once: what will be asked for is known then."""
        self.ask({_key(*pair): pair for pair in pairs if _key(*pair) not in self._known}.values())


def look_ahead(judge: Callable[[Record, Record], Verdict], pairs: Iterable[Pair]) -> None:
    """The same for any judge: one that does not remember is not asked."""
    if isinstance(judge, RememberedJudge):
        judge.look_ahead(pairs)


def _key(a: Record, b: Record) -> tuple[str, int, str, int]:
    return a.id, _state(a), b.id, _state(b)


def _state(record: Record) -> int:
    """A number for what a judge may read, instead of the body itself, which takes ten times the memory."""
    signature = record.signature
    return hash(
        (signature.scheme, signature.body, record.host, record.length, record.published, record.fingerprint)
    )
