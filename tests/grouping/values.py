"""Short ways to write records, verdicts and rules: tests of grouping need neither store nor text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from hypothesis import strategies as st

from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.model import Content, Document, Record, Relation, Signature, Verdict

SCHEMES = ("s", "t shared_keys=2")
RULE = GroupingRule(frozenset({"duplicate"}), 64, "closure")


def record(
    id_: str, keys: Iterable[str] = "k", *, group: str = "", age: int = 0, scheme: str = "s", print_: str = ""
) -> Record:
    """A record that stands alone unless a group is given; every character of `keys` is a key."""
    return Record(id_, group or id_, "", Signature(scheme, tuple(keys)), age, age, print_, 1)


def document(
    id_: str, keys: Iterable[str] = "k", *, twin: str | None = None, scheme: str = "s", print_: str = ""
) -> Document:
    return Document(record(id_, keys, scheme=scheme, print_=print_), Content(id_), twin)


@dataclass
class PairJudge:
    """Calls the given pairs ("ab": a and b) `duplicate`, or what else is given; notes what it is asked."""

    pairs: frozenset[frozenset[str]]
    relation: Relation = "duplicate"
    asked: list[tuple[str, str]] = field(default_factory=list)

    @classmethod
    def of(cls, *pairs: str, relation: Relation = "duplicate") -> PairJudge:
        return cls(frozenset(map(frozenset, pairs)), relation)

    def __call__(self, a: Record, b: Record) -> Verdict:
        self.asked.append((a.id, b.id))
        alike = frozenset({a.id, b.id}) in self.pairs
        return Verdict(self.relation if alike else "different", float(alike), f"{a.id} to {b.id}")


def ids(records: Iterable[Record]) -> list[str]:
    return [record.id for record in records]


@st.composite
def piles(draw: st.DrawFn) -> list[Record]:
    """Records of two schemes in any order of their ids, with few keys, so that many share the same number. Of
    one scheme, candidates share two keys.
    """
    names = draw(st.permutations("abcdefghij"))[: draw(st.sampled_from([10, 7, 4, 1, 0]))]
    subsets = ["".join(keys) for size in range(5) for keys in combinations("12345", size)]
    return [
        record(name, draw(st.sampled_from(subsets)), age=age, scheme=draw(st.sampled_from(SCHEMES)))
        for age, name in enumerate(names)
    ]
