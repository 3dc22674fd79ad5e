"""The pairs of a corpus of which a judge is asked: of those that share keys, those that may join, of many of
a document the nearest. Where frames are known, the texts with some are signed anew without them: then copies
of a story with other frames meet, and strangers with the same one do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.corpus import Columns, Corpus, Numbers
from dupgroups.bulk.offline.sorted_keys import choose_nearest
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.verdicts.base import BatchPrefilter

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Places of documents and of earlier ones, how many keys they share, and which pairs their signatures
    leave in doubt for sure; all of shape (n,), by document.
    """

    documents: Numbers
    others: Numbers
    shared: Numbers
    doubtful: Flags

    def __len__(self) -> int:
        return len(self.documents)

    def take(self, which: NDArray[Any]) -> Pairs:
        """Some of them."""
        return Pairs(self.documents[which], self.others[which], self.shared[which], self.doubtful[which])

    @classmethod
    def join(cls, parts: Sequence[Pairs]) -> Pairs:
        """All pairs of one part or more, one after another."""
        columns = ((one.documents, one.others, one.shared, one.doubtful) for one in parts)
        return cls(*map(np.concatenate, zip(*columns, strict=True)))


@dataclass(frozen=True, slots=True)
class PairFinder:
    """Finds the pairs of a corpus. With `every` those that cannot join are among them, too; `always`: the
    places of documents that are compared whatever is nearer.
    """

    corpus: Corpus
    methods: MethodSet
    every: bool = False
    always: Numbers = field(default_factory=lambda: np.empty(0, np.int64))

    def find(self) -> Iterator[Pairs]:
        """All pairs, many documents at a time. Can be called once."""
        corpus, rule = self.corpus, self.methods.rule
        found = corpus.keys.pairs(rule.candidates, corpus.places, corpus.ids, corpus.shared_keys)
        for documents, others, shared in found:
            near = self._are_near_in_time(documents, others)
            documents, others = documents[near], others[near]
            asked, doubtful = self._choose_asked(documents, others)
            yield Pairs(documents, others, shared[near], doubtful).take(asked)
            corpus.release()

    def find_anew(self, pairs: Pairs, framed: Flags, sign: Callable[[Numbers], Iterable[Columns]]) -> Pairs:
        """These pairs, but those with a document that is `framed`, by place, are found by the signatures that
        `sign` gives to it and to what it was near to, in the order of places. Copies stay pairs.
        """
        is_framed = framed[pairs.documents] | framed[pairs.others]
        with_frames = pairs.take(is_framed)
        near = np.unique([with_frames.documents, with_frames.others])
        marks = np.array([record.mark for record in self.corpus.records(near)])
        one, two = (
            marks[np.searchsorted(near, some)] for some in (with_frames.documents, with_frames.others)
        )
        parts = [pairs.take(~is_framed), with_frames.take(one == two)]
        with self.corpus.scratch.open_another() as scratch:
            corpus = Corpus(scratch)
            for columns in sign(near):
                corpus.add(columns)
            always = np.flatnonzero(np.isin(near, self.always))
            for some in replace(self, corpus=corpus, always=always).find():
                documents, others = near[some.documents], near[some.others]
                found = Pairs(documents, others, some.shared, np.zeros_like(some.doubtful))
                parts.append(found.take(framed[documents] | framed[others]))
        found = Pairs.join(parts)
        return found.take(np.unique(found.documents << 32 | found.others, return_index=True)[1])

    def _are_near_in_time(self, documents: Numbers, others: Numbers) -> Flags:
        """Which pairs are near enough in time, as `GroupingRule.compares` says of two records."""
        if (most := self.methods.rule.within_days) is None:
            return np.ones(len(documents), np.bool_)
        near: Flags = np.abs(self.corpus.days(documents) - self.corpus.days(others)) <= most
        return near

    def _choose_asked(self, documents: Numbers, others: Numbers) -> tuple[Flags, Flags]:
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
