"""Verdicts on many pairs of a corpus: which pairs are judged, by their signatures, then by their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.corpus import Corpus, Numbers
from dupgroups.bulk.offline.dividing import MAX_KEPT_VERDICTS, Judged
from dupgroups.bulk.offline.sorted_keys import choose_nearest
from dupgroups.bulk.processes import Pool
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.components import NumberedComponents
from dupgroups.methods.frames import (
    NO_FRAMES,
    NO_RUNS,
    OF_ONE_SITE,
    OF_SITES,
    Demand,
    Runs,
    are_copies,
)
from dupgroups.methods.verdicts.base import BatchPrefilter
from dupgroups.model import Record, Verdict
from dupgroups.text.batches import batches

CHUNK_PAIRS = 256  # pairs that a process judges at a time
CHUNK_TEXT_PAIRS = 64  # pairs whose texts it compares at a time
MAX_FRAMED_TEXTS = 1_024  # texts that it searches for frames at a time

_DOUBT = Verdict("near", 0.0, "", doubtful=True)

ReadTexts = Callable[[Sequence[str]], Mapping[str, str]]
"""The texts of documents by their ids; documents whose text is not known are absent."""


@dataclass(frozen=True, slots=True)
class BulkJudge:
    """Judges pairs of places in a corpus. `pool` does it by `methods`; with `every`, pairs that cannot join
    are judged as well. `read` gives the texts of documents that signatures leave in doubt; None: the corpus
    has them. `always`: the places of documents that are compared whatever is nearer.
    """

    corpus: Corpus
    methods: MethodSet
    pool: Pool[MethodSet]
    read: ReadTexts | None = None
    every: bool = False
    always: Numbers = field(default_factory=lambda: np.empty(0, np.int64))

    def choose_asked(
        self, documents: Numbers, others: Numbers
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Of which pairs the judge is asked: those that may join (see BatchPrefilter), of many of a document
        the nearest (see GroupingRule). And which of these signatures leave in doubt for sure.
        """
        may_join, nearness = np.ones(len(documents), np.bool_), np.ones(len(documents))
        doubtful = np.zeros(len(documents), np.bool_)
        schemes, names = self.corpus.schemes(documents), self.corpus.scheme_names
        for scheme in np.unique(schemes).tolist():
            judge = self.methods.judge(names[scheme])
            if isinstance(judge, BatchPrefilter):
                which = np.flatnonzero(schemes == scheme)
                a, b = (self.corpus.bodies(some[which]) for some in (others, documents))
                may_join[which] = judge.may_join(a, b)
                nearness[which], doubtful[which] = judge.nearness(a, b)
        most, some = self.methods.rule.max_compared_texts, np.flatnonzero(may_join)
        if most is None:
            return may_join | self.every, np.zeros_like(may_join)
        asked, chars = may_join.copy(), self.corpus.chars
        # of equally near ones those of the same length come first: copies of the text itself
        nearness = np.nextafter(nearness, nearness + (chars(documents) == chars(others)))
        asked[some] = choose_nearest(documents[some], others[some], nearness[some], most, self.corpus.ids)
        asked |= may_join & (np.isin(documents, self.always) | np.isin(others, self.always))
        return asked | ~may_join & self.every, doubtful

    def learn_frames(self, documents: Numbers, others: Numbers) -> None:
        """Learn frames from the texts of these pairs, and judge without them from now on."""
        if self.methods.rule.max_compared_texts is None:
            return
        same = self.corpus.hosts(documents) == self.corpus.hosts(others)
        for some, demand in ((same, OF_ONE_SITE), (np.ones_like(same), OF_SITES)):
            parts = _connect(documents[some], others[some], len(self.corpus), demand.stories)
            texts = ((demand, [[*self._read_texts(places).values()] for places in part]) for part in parts)
            for found in self.pool.map(_find_frames, texts):
                self.methods.frames = self.methods.frames.add(found)

    def verdicts(self, documents: Numbers, others: Numbers, near: NDArray[np.bool_] | None = None) -> Judged:
        """Ask the judge about each pair; `near`: of which pairs it is known that it leaves them in doubt."""
        near = np.zeros(len(documents), np.bool_) if near is None else near
        asked = np.flatnonzero(~near)
        chunks = (
            self._records(documents[some], others[some])
            for some in (asked[start : start + CHUNK_PAIRS] for start in range(0, len(asked), CHUNK_PAIRS))
        )
        judged = chain.from_iterable(self.pool.map(_judge, chunks))
        verdicts = [_DOUBT if known else next(judged) for known in near.tolist()]
        doubtful = np.array([place for place, verdict in enumerate(verdicts) if verdict.doubtful], np.int64)
        for start in range(0, len(doubtful), MAX_KEPT_VERDICTS):
            some = doubtful[start : start + MAX_KEPT_VERDICTS]
            looked = self._second_looks(documents[some], others[some])
            for place, verdict in zip(some.tolist(), looked, strict=True):
                verdicts[place] = verdict
        return Judged(documents, others, verdicts)

    def _second_looks(self, documents: Numbers, others: Numbers) -> Iterator[Verdict]:
        """The verdicts on doubtful pairs by their texts."""
        texts = self._read_texts(np.unique(np.concatenate([documents, others])))
        stripped = {place: self.methods.frames.strip(text) for place, text in texts.items()}
        places = zip(others.tolist(), documents.tolist(), strict=True)
        pairs = zip(self._records(documents, others), places, strict=True)

        def choose(a: int, b: int) -> list[str]:
            is_framed = stripped[a] is not texts[a] or stripped[b] is not texts[b]
            known = texts if is_framed and are_copies(texts[a], texts[b]) else stripped
            return [known[a], known[b]]

        looks = ((*pair, choose(*both)) for pair, both in pairs)
        for some in self.pool.map(_look_again, batches(looks, CHUNK_TEXT_PAIRS)):
            yield from some

    def _read_texts(self, places: Numbers) -> dict[int, str]:
        """The texts of the documents in these places, "" where unknown."""
        if self.read is None:
            return dict(zip(places.tolist(), self.corpus.texts(places), strict=True))
        ids = self.corpus.ids(places)
        found = self.read(ids)
        return {place: found.get(id_, "") for place, id_ in zip(places.tolist(), ids, strict=True)}

    def _records(self, documents: Numbers, others: Numbers) -> list[tuple[Record, Record]]:
        """The pairs as records, the earlier one first."""
        places, which = np.unique(np.concatenate([others, documents]), return_inverse=True)
        records = self.corpus.records(places)
        listed = [records[place] for place in which.tolist()]
        return list(zip(listed[: len(others)], listed[len(others) :], strict=True))


def _connect(documents: Numbers, others: Numbers, size: int, least: int) -> Iterator[list[Numbers]]:
    """The places that are connected by pairs, of a corpus of this size, where there are at least so many, in
    parts of MAX_FRAMED_TEXTS; several small ones together.
    """
    components = NumberedComponents(size)
    components.join(documents, others)
    places = np.unique(np.concatenate([documents, others]))
    roots = components.roots(places)
    order = np.argsort(roots, kind="stable")
    some: list[Numbers] = []
    for component in np.split(places[order], np.flatnonzero(np.diff(roots[order])) + 1):
        parts = np.split(component, range(MAX_FRAMED_TEXTS, len(component), MAX_FRAMED_TEXTS))
        some += [part for part in parts if len(part) >= least]
        if sum(map(len, some)) >= MAX_FRAMED_TEXTS:
            yield some
            some = []
    yield some


def _find_frames(_: MethodSet, given: tuple[Demand, list[list[str]]]) -> Runs:
    demand, parts = given
    return np.concatenate([NO_RUNS, *(NO_FRAMES.find_new(texts, demand) for texts in parts)])


def _judge(methods: MethodSet, pairs: list[tuple[Record, Record]]) -> list[Verdict]:
    return [methods.judge(b.signature.scheme)(a, b) for a, b in pairs]


def _look_again(methods: MethodSet, pairs: list[tuple[Record, Record, list[str]]]) -> list[Verdict]:
    return [methods.second_look(*pair) for pair in pairs]
