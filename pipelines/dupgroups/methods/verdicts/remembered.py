"""A judge that remembers: average linkage asks for the same pairs whenever a copy comes to their group."""

from __future__ import annotations

from dupgroups.methods.verdicts.base import Judge
from dupgroups.model import Record, Verdict

MOST = 20_000  # pairs that are remembered: some 10 MB


class RememberedJudge:
    """Asks `judge` once for a pair of records, as long as nothing that a judge reads changes in them.

    When MOST pairs are known all are forgotten: what is asked for again soon is soon known again.
    """

    def __init__(self, judge: Judge, most: int = MOST) -> None:
        self._judge = judge
        self._most = most
        self._known: dict[tuple[str, int, str, int], Verdict] = {}

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`."""
        pair = (a.id, _state(a), b.id, _state(b))
        verdict = self._known.get(pair)
        if verdict is None:
            verdict = self._judge(a, b)
            if len(self._known) >= self._most:
                self._known.clear()
            self._known[pair] = verdict
        return verdict


def _state(record: Record) -> int:
    """A number for what a judge may read, instead of the body itself, which takes ten times the memory."""
    signature = record.signature
    return hash((signature.scheme, signature.body, record.host, record.length, record.published))
