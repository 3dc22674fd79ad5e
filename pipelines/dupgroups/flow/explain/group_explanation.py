"""Who is tied to whom in a group, and what is related to it but not part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

from dupgroups.engines import Store
from dupgroups.flow.finding import relate
from dupgroups.flow.method_set import MethodSet
from dupgroups.model import Document, Record, Relation, Verdict
from dupgroups.model.records import swap_relation

MAX_JUDGED_MEMBERS = 12  # members that are compared with one another
MAX_CANDIDATES = 20  # documents that a member may be related to
MAX_RELATED, MAX_READ_RELATED = 10, 20  # related documents that are listed; whose texts are compared

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
    member: Record
    relation: Relation
    score: float


def scores(records: Sequence[Record], methods: MethodSet, documents: Mapping[str, Document]) -> GroupScores:
    """The scores among the members of a group (`records`, oldest first): of at most MAX_JUDGED_MEMBERS
    members.

    Pairs are compared by these methods, as their texts say now if `documents` has both; where the signatures
    are of others, or leave a pair in doubt without its texts, the stored ties are all that is known.
    """
    shown = records[:MAX_JUDGED_MEMBERS]
    verdicts = {(a, b): _verdict(a, b, methods, documents) for a, b in combinations(shown, 2)}
    found = [_score(a, b, verdict) for (a, b), verdict in verdicts.items()]
    return GroupScores(
        members=tuple(record.id for record in shown),
        pairs={(score.a, score.b): score for score in found if score},
        more=len(records) > len(shown),
        judged=any(verdicts.values()),
    )


def _score(a: Record, b: Record, verdict: Verdict | None) -> Score | None:
    stored = [(tie.relation, tie.score) for tie in a.ties if tie.other == b.id]
    stored += [(swap_relation(tie.relation), tie.score) for tie in b.ties if tie.other == a.id]
    if verdict and not (verdict.doubtful and stored):
        return Score(a.id, b.id, verdict.relation, verdict.score, bool(stored))
    return Score(a.id, b.id, *stored[0], tied=True) if stored else None


def _verdict(
    a: Record, b: Record, methods: MethodSet, documents: Mapping[str, Document] = MappingProxyType({})
) -> Verdict | None:
    """By the texts, if need be, where both are known, which leaves no doubt; None for signatures of other
    methods.
    """
    scheme = a.signature.scheme
    if scheme != b.signature.scheme or scheme not in methods.schemes:
        return None
    texts = [documents[one.id].content.text for one in (a, b) if one.id in documents]
    if len(texts) == 2 and all(texts):
        return replace(relate(documents[a.id], documents[b.id], methods), doubtful=False)
    return methods.judge(scheme)(a, b)


def find_related(
    store: Store, records: Sequence[Record], methods: MethodSet
) -> list[tuple[Related, Document]]:
    """Documents of other groups that hold a member, are held by one, or share much with one.

    At most MAX_RELATED: of each other group the one with the best score; extracts and round-ups first. Looks
    up the candidates of at most MAX_JUDGED_MEMBERS members; the texts of those found have the last word.
    """
    shown = [record for record in records[:MAX_JUDGED_MEMBERS] if record.signature.scheme in methods.schemes]
    limit = MAX_CANDIDATES + len(records)
    looked = store.candidates([record.signature for record in shown], limit=limit) if shown else []
    group = {record.group for record in records}
    best: dict[str, Related] = {}
    for member, others in zip(shown, looked, strict=True):
        for other in others:
            if other.group not in group and (one := _relate(other, member, methods)):
                best[other.group] = min(one, best.get(other.group, one), key=_rank)
    found = sorted(best.values(), key=_rank)[:MAX_READ_RELATED]
    documents = store.read([id_ for one in found for id_ in (one.other.id, one.member.id)]) if found else {}
    related = (
        _relate(one.other, one.member, methods, documents) for one in found if one.other.id in documents
    )
    listed = sorted(filter(None, related), key=_rank)[:MAX_RELATED]
    return [(one, documents[one.other.id]) for one in listed]


def _relate(
    other: Record,
    member: Record,
    methods: MethodSet,
    documents: Mapping[str, Document] = MappingProxyType({}),
) -> Related | None:
    verdict = _verdict(other, member, methods, documents)
    if verdict is None or verdict.relation not in _ORDER:
        return None
    return Related(other, member, verdict.relation, verdict.score)


def _rank(one: Related) -> tuple[int, float, str]:
    return _ORDER.index(one.relation), -one.score, one.other.id
