"""Corrections of people as constraints of the plan: pure functions over the log of corrections.

K. Wagstaff and C. Cardie: Clustering with Instance-level Constraints. Proceedings of the 17th International
Conference on Machine Learning (2000), 1103-1110. A must-link puts two documents into one cluster, a
cannot-link keeps them out of one. `linkage` says in which order clusters are made under them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, product

from dupgroups.errors import InputError
from dupgroups.grouping.components import Components
from dupgroups.model import PROGRAM, Correction, CorrectionKind, Record, Signature, Verdict

MAX_LOG_ENTRIES = 10_000  # of people in a log: a writer holds all of them

Pair = tuple[str, str]  # of ids or other names, in their order


@dataclass(frozen=True)
class Corrections:
    """The corrections that count. `apart` and `together` are pairs of ids, `heads` are ids that stand for
    their groups; each with the number of its correction. `marks`, by that number: those of the texts of the
    pair, in its order, if they differ. `copies`: what is looked up for those that have a mark.

    A correction is about what two documents say. Whatever has the text of one is on its side, also when that
    is gone or says something else by now. So a document has two names here: its id, and the mark of its text.
    """

    apart: Mapping[Pair, int] = field(default_factory=dict)
    together: Mapping[Pair, int] = field(default_factory=dict)
    heads: Mapping[str, int] = field(default_factory=dict)
    marks: Mapping[int, Pair] = field(default_factory=dict)
    copies: Mapping[str, Signature] = field(default_factory=dict)

    @classmethod
    def of(cls, log: Iterable[Correction]) -> Corrections:
        """The entries of a log without everything that was undone."""
        pairs: dict[CorrectionKind, dict[Pair, int]] = {"keep-apart": {}, "keep-together": {}}
        heads, marks, copies = {}, {}, dict[str, Signature]()
        for entry in active_entries(log):
            if entry.kind == "head":
                heads[entry.ids[0]] = entry.number
            elif entry.kind in pairs:
                pair = pairs[entry.kind][pair_of(*entry.ids)] = entry.number
                marks[pair] = dict(zip(entry.ids, entry.marks, strict=False))
                for mark, look_up in zip(entry.marks, entry.marks[2:], strict=False):
                    scheme, *keys = look_up.split("\n")
                    copies[mark] = Signature(scheme, tuple(keys))
        return cls(pairs["keep-apart"], pairs["keep-together"], heads, {}, copies).with_marks(marks.get)

    def with_marks(self, find: Callable[[int], Mapping[str, str] | None]) -> Corrections:
        """The same with marks for the numbers without any: `find` gives those of their documents, by id."""
        found = dict(self.marks)
        for (a, b), number in (*self.apart.items(), *self.together.items()):
            marks = find(number) or {}
            one, two = marks.get(a, ""), marks.get(b, "")
            if one and two and one != two:
                found.setdefault(number, (one, two))
        return replace(self, marks=found)

    def __bool__(self) -> bool:
        return bool(self.apart or self.together or self.heads)

    @cached_property
    def ids(self) -> frozenset[str]:
        """The documents of all corrections."""
        return self.kept_apart | self.heads.keys() | {id_ for pair in self.together for id_ in pair}

    @cached_property
    def kept_apart(self) -> frozenset[str]:
        """The documents that are kept apart from another one."""
        return frozenset(id_ for pair in self.apart for id_ in pair)

    @cached_property
    def parted(self) -> Mapping[Pair, int]:
        """`apart` by names, the ids first."""
        return self._by_names(self.apart, marks=True)

    @cached_property
    def joined(self) -> Mapping[Pair, int]:
        """`together` by names, the ids first: it rests where neither document is stored."""
        return self._by_names(self.together, marks=False)

    def _by_names(self, pairs: Mapping[Pair, int], *, marks: bool) -> dict[Pair, int]:
        """`marks`: also two documents that are there with their marks alone."""
        named = dict(pairs)
        for (a, b), number in pairs.items():
            one, two = self.marks.get(number, (a, b))
            for names in ((a, two), (one, b), (one, two))[: 2 + marks]:
                named.setdefault(pair_of(*names), number)
        return named

    def names(self, record: Record) -> tuple[str, ...]:
        """The names of a document."""
        return (record.id, record.mark) if self.marks else (record.id,)

    @cached_property
    def said_names(self) -> frozenset[str]:
        """The names of all documents that are kept apart or together."""
        return frozenset(chain.from_iterable((*self.parted, *self.joined)))

    @cached_property
    def parted_names(self) -> frozenset[str]:
        """The names of documents that are kept apart from others."""
        return frozenset(chain.from_iterable(self.parted))

    @cached_property
    def _partners(self) -> Mapping[str, set[str]]:
        partners = defaultdict[str, set[str]](set)
        for a, b in self.joined:
            partners[a].add(b)
            partners[b].add(a)
        return partners

    def partners(self, record: Record) -> list[str]:
        """The names of what is kept together with a document."""
        return sorted({one for name in self.names(record) for one in self._partners.get(name, ())})

    def number_of(self, a: Record, b: Record) -> int | None:
        """The number of the correction that keeps two documents together; None for any others."""
        if not self.together:
            return None
        pairs = (pair_of(*pair) for pair in product(self.names(a), self.names(b)))
        return next((self.joined[pair] for pair in pairs if pair in self.joined), None)

    def verdict(self, a: Record, b: Record) -> Verdict | None:
        """The verdict on two documents that are kept together; None on any others."""
        number = self.number_of(a, b)
        return None if number is None else Verdict("duplicate", 1.0, f"Kept together by correction {number}.")


NO_CORRECTIONS = Corrections()


def pair_of(a: str, b: str) -> Pair:
    """Two ids in their order."""
    return (a, b) if a <= b else (b, a)


def active_entries(log: Iterable[Correction]) -> list[Correction]:
    """The entries that were not undone, without those that undo."""
    log = list(log)
    undone = {entry.undoes for entry in log}
    return [entry for entry in log if entry.kind != "undo" and entry.number not in undone]


def entries_of_documents(log: Iterable[Correction]) -> list[Correction]:
    """The entries that people made, or that keep changed pages in their stories; frames are learned."""
    return [entry for entry in log if entry.kind != "frame"]


def with_partners(
    candidates: Mapping[str, Sequence[Record]], records: Sequence[Record], corrections: Corrections
) -> dict[str, list[Record]]:
    """Candidates of a batch, and for each record earlier ones that it is kept together with."""
    added = {id_: list(others) for id_, others in candidates.items()}
    earlier = defaultdict[str, list[Record]](list)
    for record in records if corrections.together else ():
        partners = chain.from_iterable(earlier[name] for name in corrections.partners(record))
        found = added.setdefault(record.id, [])
        found += exclude_listed({one.id: one for one in partners}.values(), found)
        for name in corrections.names(record):
            earlier[name].append(record)
    return added


def exclude_listed(records: Iterable[Record], listed: Iterable[Record]) -> list[Record]:
    """Those of the records whose ids are not listed."""
    ids = {record.id for record in listed}
    return [record for record in records if record.id not in ids]


def check_entry(
    log: Sequence[Correction], kind: CorrectionKind, ids: Sequence[str], marks: Sequence[str] = ()
) -> None:
    """Raise InputError for a correction that is there already, or contradicts one that is.

    Documents that are not stored count here: they may come back. So do copies: what has the text of a
    document is where that is.
    """
    if sum(entry.by != PROGRAM for entry in log) >= MAX_LOG_ENTRIES:
        raise InputError(f"the log of corrections is full: it holds {MAX_LOG_ENTRIES:,} entries")
    if len(set(ids)) < len(ids):
        raise InputError(f"{ids[0]!r} cannot be corrected against itself: name two documents")
    current = Corrections.of(log)
    if kind == "head":
        _refuse_repeated(current.heads.get(ids[0]), f"{ids[0]!r} is pinned as a head already")
    elif kind == "keep-apart":
        _check_apart(current, ids, _unite_copies(current, ids, marks))
    elif kind == "keep-together":
        _check_together(current, ids, _unite_copies(current, ids, marks))


def check_consistent(corrections: Corrections) -> None:
    """Raise InputError if two documents are kept apart and, perhaps over others, together."""
    joined = _unite_together(corrections.together, corrections.kept_apart)
    for a, b in corrections.apart:
        if joined.root(a) == joined.root(b):
            raise InputError(
                f"the corrections keep {a!r} and {b!r} apart, and together: leave out one of them"
            )


def check_undo(log: Sequence[Correction], number: int) -> Correction:
    """The entry of this number. Raises InputError if there is none, or if it cannot be undone."""
    entry = next((entry for entry in log if entry.number == number), None)
    if entry is None:
        raise InputError(f"there is no correction {number}: `dup-groups corrections` lists them")
    if entry.kind == "undo":
        raise InputError(f"correction {number} undoes {entry.undoes}: enter that one again instead")
    undone = next((later.number for later in log if later.undoes == number), None)
    if undone is not None:
        raise InputError(f"correction {number} was undone by {undone} already")
    return entry


def _check_apart(current: Corrections, ids: Sequence[str], joined: Components[str]) -> None:
    a, b = ids
    _refuse_repeated(current.apart.get(pair_of(a, b)), f"{a!r} and {b!r} are kept apart already")
    if joined.root(a) == joined.root(b) and (between := _numbers_in(current.together, joined, a)):
        raise InputError(f"{a!r} and {b!r} are kept together by {between}: undo one of these first")


def _check_together(current: Corrections, ids: Sequence[str], joined: Components[str]) -> None:
    a, b = ids
    _refuse_repeated(current.together.get(pair_of(a, b)), f"{a!r} and {b!r} are kept together already")
    for by in (_unite_together(current.together, (a, b, *current.kept_apart)), joined):
        sides = {by.root(a), by.root(b)}
        for (one, two), number in current.apart.items():
            if len(sides) > 1 and {by.root(one), by.root(two)} == sides:
                raise InputError(
                    f"{a!r} and {b!r} cannot be kept together: correction {number} keeps {one!r} and "
                    f"{two!r} apart; undo it first"
                )


def _refuse_repeated(number: int | None, what: str) -> None:
    if number is not None:
        raise InputError(f"{what}, by correction {number}")


def _unite_copies(current: Corrections, ids: Sequence[str], marks: Sequence[str]) -> Components[str]:
    """Which documents are kept together, over others and over copies of one text as well."""
    numbers = {number: pair for pairs in (current.apart, current.together) for pair, number in pairs.items()}
    copies = [*zip(ids, marks, strict=False)]
    for number, both in current.marks.items():
        copies += zip(numbers[number], both, strict=True)
    shared = {marks[0]} if len(set(marks)) == 1 else {""}  # people may part two copies of one text
    copies = [pair for pair in copies if pair[1] not in shared]
    return _unite_together([*current.together, *copies], (*ids, *current.kept_apart))


def _unite_together(together: Collection[Pair], ids: Collection[str]) -> Components[str]:
    """Which documents are kept together, over others as well."""
    components = Components({id_: (0, id_) for id_ in (*ids, *(id_ for pair in together for id_ in pair))})
    for a, b in together:
        components.join(a, b)
    return components


def _numbers_in(together: Mapping[Pair, int], joined: Components[str], id_: str) -> str:
    root = joined.root(id_)
    numbers = sorted(number for (a, _), number in together.items() if joined.root(a) == root)
    if not numbers:
        return ""
    return ("correction " if len(numbers) == 1 else "corrections ") + ", ".join(map(str, numbers))
