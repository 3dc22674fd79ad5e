"""Who is tied to whom in a group, and what is related to it but not part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations

from dupgroups.engines import Store
from dupgroups.flow.method_set import MethodSet
from dupgroups.model import Document, Record, Relation, Verdict
from dupgroups.model.records import swap_relation

MAX_JUDGED_MEMBERS = 12  # members that are compared with one another
MAX_CANDIDATES = 20  # documents that a member may be related to
MAX_RELATED = 10  # related documents that are listed

_ORDER: tuple[Relation, ...] = ("contains", "contained", "duplicate", "near")


@dataclass(frozen=True, slots=True)
class Score:
    """How `a` stands to `b`. `tied`: whether this joined them when one of them was written."""

    a: str
    b: str
    relation: Relation
    score: float
    tied: bool


@dataclass(frozen=True, slots=True)
class GroupScores:
    """The first `members` of a group, and the scores of the pairs among them, by (older id, younger id).

    `more`: whether the group has other members; `judged`: whether the pairs were compared now, or only
    those scores are known that were stored with the documents.
    """

    members: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Score]
    more: bool
    judged: bool

    def of(self, a: str, b: str) -> Score | None:
        """The score of a pair in either order; None if it is not known."""
        return self.pairs.get((a, b)) or self.pairs.get((b, a))


@dataclass(frozen=True, slots=True)
class Related:
    """A document of another group (`other`), and how it relates to `member`: it `contains` it, ..."""

    other: Record
    member: str
    relation: Relation
    score: float


def scores(
    records: Sequence[Record], methods: MethodSet, documents: Mapping[str, Document], changed: Set[str]
) -> GroupScores:
    """The scores among the members of a group (`records`, oldest first): of at most MAX_JUDGED_MEMBERS
    members.

    Pairs are compared by these methods; where the signatures are of others, the stored ties are all that is
    known. What joined a document before it was `changed` is not what its text says now: those of `documents`
    are compared.
    """
    shown = records[:MAX_JUDGED_MEMBERS]
    pairs = [*combinations(shown, 2)]
    verdicts = [_verdict(a, b, methods) for a, b in pairs]
    for place, ids in enumerate((a.id, b.id) for a, b in pairs):
        if verdicts[place] and changed & {*ids} and {*ids} <= documents.keys():
            verdicts[place] = replace(methods.verdict(*map(documents.__getitem__, ids)), doubtful=False)
    found = [_score(a, b, verdict) for (a, b), verdict in zip(pairs, verdicts, strict=True)]
    scored, members = {(one.a, one.b): one for one in found if one}, tuple(record.id for record in shown)
    return GroupScores(members, scored, more=len(records) > len(shown), judged=any(verdicts))


def _score(a: Record, b: Record, verdict: Verdict | None) -> Score | None:
    stored = [(tie.relation, tie.score) for tie in a.ties if tie.other == b.id]
    stored += [(swap_relation(tie.relation), tie.score) for tie in b.ties if tie.other == a.id]
    if verdict and not (verdict.doubtful and stored):  # their texts were compared
        return Score(a.id, b.id, verdict.relation, verdict.score, bool(stored))
    return Score(a.id, b.id, *stored[0], tied=True) if stored else None


def _verdict(a: Record, b: Record, methods: MethodSet) -> Verdict | None:
    scheme = a.signature.scheme
    if scheme != b.signature.scheme or scheme not in methods.schemes:
        return None
    return methods.judge(scheme)(a, b)


def find_related(store: Store, records: Sequence[Record], methods: MethodSet) -> list[Related]:
    """Documents of other groups that hold a member, are held by one, or share much with one.

    At most MAX_RELATED: of each other group the one with the best score; extracts and round-ups first. Looks
    up the candidates of at most MAX_JUDGED_MEMBERS members.
    """
    shown = [record for record in records[:MAX_JUDGED_MEMBERS] if record.signature.scheme in methods.schemes]
    limit = MAX_CANDIDATES + len(records)
    looked = store.candidates([record.signature for record in shown], limit=limit) if shown else []
    group = {record.group for record in records}
    best: dict[str, Related] = {}
    for member, others in zip(shown, looked, strict=True):
        for other in others:
            verdict = None if other.group in group else _verdict(other, member, methods)
            if verdict is None or verdict.relation not in _ORDER:
                continue
            one = Related(other, member.id, verdict.relation, verdict.score)
            best[other.group] = min(one, best.get(other.group, one), key=_rank)
    return sorted(best.values(), key=_rank)[:MAX_RELATED]


def _rank(one: Related) -> tuple[int, float, str]:
    return _ORDER.index(one.relation), -one.score, one.other.id
