"""Verdicts on many pairs of a corpus, by their signatures, then by their texts without frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.corpus import Columns, Corpus, Numbers
from dupgroups.bulk.offline.dividing import MAX_KEPT_VERDICTS, Judged
from dupgroups.bulk.offline.pair_finder import PairFinder, Pairs
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
    """Judges pairs of places in a corpus. `pool` does it by `methods`. `read` gives the texts of documents
    that signatures leave in doubt; None: the corpus has them.
    """

    corpus: Corpus
    methods: MethodSet
    pool: Pool[MethodSet]
    read: ReadTexts | None = None

    def learn_frames(self, documents: Numbers, others: Numbers) -> None:
        """Learn frames from the texts of these pairs, and judge without them from now on."""
        if self.methods.rule.max_compared_texts is None:
            return
        same = self.corpus.hosts(documents) == self.corpus.hosts(others)
        for some, demand in ((same, OF_ONE_SITE), (np.ones_like(same), OF_SITES)):
            parts = _connect(documents[some], others[some], self.corpus, demand.stories)
            texts = ((demand, [[*self._read_texts(places).values()] for places in part]) for part in parts)
            for found in self.pool.map(_find_frames, texts):
                self.methods.frames = self.methods.frames.add(found)

    def find_without_frames(self, finder: PairFinder, pairs: Pairs) -> Pairs:
        """These pairs, found anew where a text has frames (see `PairFinder.find_anew`)."""
        framed, frames = np.zeros(len(self.corpus), np.bool_), self.methods.frames
        places = np.unique([pairs.documents, pairs.others]) if len(frames.runs) else ()
        for some in batches(places, MAX_FRAMED_TEXTS):
            texts = self._read_texts(np.array(some))
            framed[some] = [frames.strip(texts[place]) is not texts[place] for place in some]
        return finder.find_anew(pairs, framed, self._sign_rests) if framed.any() else pairs

    def _sign_rests(self, places: Numbers) -> Iterator[Columns]:
        """The documents in these places, signed without frames."""
        return self.pool.map(_sign, map(self._read_rests, batches(places, CHUNK_TEXT_PAIRS)))

    def _read_rests(self, places: Sequence[int]) -> list[tuple[Record, str]]:
        """The documents in these places, and their texts without frames."""
        records, texts = self.corpus.records(np.array(places)), self._read_texts(np.array(places))
        rests = (self.methods.frames.strip(texts[place]) for place in places)
        return list(zip(records, rests, strict=True))

    def verdicts(self, documents: Numbers, others: Numbers, near: NDArray[np.bool_] | None = None) -> Judged:
        """Ask the judge about each pair; `near`: of which pairs it is known that it leaves them in doubt."""
        near = np.zeros(len(documents), np.bool_) if near is None else near
        asked = np.flatnonzero(~near)
        parts = (asked[start : start + CHUNK_PAIRS] for start in range(0, len(asked), CHUNK_PAIRS))
        chunks = (self._records(documents[some], others[some]) for some in parts)
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


def _connect(documents: Numbers, others: Numbers, corpus: Corpus, least: int) -> Iterator[list[Numbers]]:
    """The places that are connected by pairs, where there are at least so many, by their ids, in parts of
    MAX_FRAMED_TEXTS; several small ones together.
    """
    components = NumberedComponents(len(corpus))
    components.join(documents, others)
    places = np.unique(np.concatenate([documents, others]))
    ids = corpus.ids(places)
    places = places[sorted(range(len(ids)), key=ids.__getitem__)]
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


def _sign(methods: MethodSet, documents: list[tuple[Record, str]]) -> Columns:
    signatures = methods.sign_again([(record.signature, rest) for record, rest in documents])
    records = (record for record, _ in documents)
    return Columns.of(
        [replace(one, signature=signature) for one, signature in zip(records, signatures, strict=True)]
    )


def _judge(methods: MethodSet, pairs: list[tuple[Record, Record]]) -> list[Verdict]:
    return [methods.judge(b.signature.scheme)(a, b) for a, b in pairs]


def _look_again(methods: MethodSet, pairs: list[tuple[Record, Record, list[str]]]) -> list[Verdict]:
    return [methods.second_look(*pair) for pair in pairs]
