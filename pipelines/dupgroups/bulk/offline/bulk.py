"""The groups of a corpus: pairs that share keys, verdicts in bulk, components.

The relations are those of the live flow: every document is compared with the earlier ones that share keys
with it, those that share most first. With closure, two documents that are in one group already are not judged
again, and a judge that decides the clear pairs of a batch at once (`verdicts.base.BatchPrefilter`) is asked
one by one only for those near its thresholds. With average linkage, and where people keep documents apart,
components of joined pairs that may have to be divided are put together by the plan of the live flow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.bulk_judge import BulkJudge, ReadTexts
from dupgroups.bulk.offline.corpus import Corpus, Numbers
from dupgroups.bulk.offline.dividing import MAX_KEPT_VERDICTS, Divider, Judged
from dupgroups.bulk.offline.pair_finder import PairFinder, Pairs
from dupgroups.bulk.offline.sorted_keys import nearest_first
from dupgroups.bulk.processes import Pool
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.components import NumberedComponents
from dupgroups.grouping.constraints import NO_CORRECTIONS, Corrections
from dupgroups.methods.frames import NO_FRAMES, Frames
from dupgroups.model.config import Config
from dupgroups.text.batches import batches

MAX_SHOWN_IDS = 5  # ids that a warning names
MAX_WAITING_PAIRS = 1 << 18  # pairs that wait to be judged with those beside them
READ_IDS = 1 << 16  # ids that are read together

Progress = Callable[[str, int, int | None], None]
"""Hears what is going on: step ("sign", "judge"), how many are done, of how many (None when not known)."""


OnVerdicts = Callable[[Judged], None]


@dataclass(frozen=True)
class Groups:
    """The groups of a corpus; `oldest`: for each place that of the document that names its group.

    `repeated` are the ids that came again, as often as they did. `frames` were left out of the texts.
    """

    corpus: Corpus
    oldest: Numbers
    repeated: tuple[str, ...] = ()
    frames: Frames = NO_FRAMES

    def __len__(self) -> int:
        return int(np.count_nonzero(self.oldest == np.arange(len(self.oldest))))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The id and the group of each document, the oldest first."""
        for start in range(0, len(self.oldest), READ_IDS):
            places = np.arange(start, min(start + READ_IDS, len(self.oldest)))
            names, which = np.unique(self.oldest[places], return_inverse=True)
            groups = self.corpus.ids(names)
            yield from zip(self.corpus.ids(places), (groups[place] for place in which.tolist()), strict=True)
            self.corpus.release()


def describe_repeated(repeated: Sequence[str]) -> str:
    """A sentence on documents whose id came before: how many, and the first of their ids; else ""."""
    return describe_repeats(len(repeated), list(dict.fromkeys(repeated)))


def describe_repeats(times: int, ids: Sequence[str]) -> str:
    """The same of ids that came again so many times; of `ids`, one more than is shown is enough."""
    if not times:
        return ""
    shown = ", ".join(ids[:MAX_SHOWN_IDS]) + (", ..." if len(ids) > MAX_SHOWN_IDS else "")
    several = "documents have ids" if times > 1 else "document has an id"
    return f"{times:,} {several} that came before, and the last of each id counts: {shown}"


def group_corpus(
    corpus: Corpus,
    config: Config | None = None,
    corrections: Corrections = NO_CORRECTIONS,
    *,
    pool: Pool[MethodSet] | None = None,
    progress: Progress = lambda step, done, total: None,
    on_verdicts: OnVerdicts | None = None,
    every: bool = False,
    read: ReadTexts | None = None,
    frames: Frames = NO_FRAMES,
) -> Groups:
    """The groups of a corpus, which is used up by it, as the live flow makes them of the same documents.

    `read` gives the texts of documents that signatures leave in doubt; None: the corpus has them. `frames`
    are known before; the corpus may teach more. `pool` judges; None judges in this process. `on_verdicts`
    gets the verdicts that join, in the order of the later document, with `every` those of all pairs, for each
    document those that share most keys first; with average linkage, and where people keep documents apart,
    the two may still be of two groups. Raises ConfigError for a scheme of none of the configured signers that
    several documents share keys of, and InputError if the scratch folder is full.
    """
    config = config or Config()
    kept_apart = np.array([*corpus.find(corrections.kept_apart).values()], np.int64)
    methods = MethodSet(config)
    methods.frames = frames
    finder = PairFinder(corpus, methods, every, kept_apart)
    judge = BulkJudge(corpus, methods, pool or Pool(1, MethodSet, config), read)
    return _Run(finder, judge, corrections, on_verdicts).groups(progress)


class _Run:
    def __init__(
        self, finder: PairFinder, judge: BulkJudge, corrections: Corrections, on_verdicts: OnVerdicts | None
    ) -> None:
        self._finder, self._judge, self._corrections = finder, judge, corrections
        self._corpus = corpus = finder.corpus
        self._on_verdicts = on_verdicts
        self._rule = judge.methods.rule
        self._components = NumberedComponents(len(corpus))
        self._places = _find_named(corpus, corrections)
        closure = self._rule.linkage == "closure"
        pairs = [*corrections.parted, *(() if closure else corrections.joined)]
        self._corrected = [place for pair in pairs for place in self._find_pair(pair)]
        self._plans = not closure or bool(self._corrected)
        self._divider = Divider(corpus, self._rule, corrections, self._corrected)
        self._waiting: list[Pairs] = []

    def groups(self, progress: Progress) -> Groups:
        """Judge what shares keys, unite what joins."""
        total = len(self._corpus)
        for pairs in self._finder.find():
            self._waiting.append(pairs)
            if sum(map(len, self._waiting)) > MAX_WAITING_PAIRS:
                self._judge_waiting()
            if len(pairs):
                progress("judge", int(pairs.documents[-1]) + 1, total)
        if self._waiting:
            self._judge_waiting()
        for pair in self._corrections.joined:
            if places := self._find_pair(pair):
                self._components.join(np.array(places[:-1]), np.array(places[1:]))
        progress("judge", total, total)
        oldest = self._components.roots(np.arange(total))
        if self._plans:
            self._divider.divide(oldest)
        return Groups(self._corpus, oldest, frames=self._judge.methods.frames)

    def _find_pair(self, pair: tuple[str, str]) -> list[int]:
        """The places of the documents with one of two names; [] if nobody has one of them."""
        a, b = (self._places.get(name, []) for name in pair)
        return [*a, *b] if a and b else []

    # -- judging

    def _judge_waiting(self) -> None:
        """Judge what waits, when it has taught what is a frame."""
        pairs, self._waiting = Pairs.join(self._waiting), []
        self._judge.learn_frames(pairs.documents, pairs.others)
        pairs = self._judge.find_without_frames(self._finder, pairs)
        for order in self._order(pairs):
            for start in range(0, len(order), MAX_KEPT_VERDICTS):
                some = pairs.take(order[start : start + MAX_KEPT_VERDICTS])
                if not (self._plans or self._on_verdicts):  # with closure one tie is enough
                    roots = self._components.roots
                    some = some.take(roots(some.documents) != roots(some.others))
                self._unite(self._judge.verdicts(some.documents, some.others, some.doubtful))

    def _order(self, pairs: Pairs) -> list[Numbers]:
        """The order in which pairs are judged, in turns: the pairs of one document and of those beside it
        together, so that the facts of each text are read once, in whatever order the documents came.
        """
        documents, others, shared = pairs.documents, pairs.others, pairs.shared
        if self._finder.every:
            return [nearest_first(documents, others, shared, self._corpus.ids)]
        if self._on_verdicts:
            return [np.arange(len(documents))]
        if self._plans:
            return [_walk_pairs(documents, others)]
        first = _mark_nearest(documents, shared)
        return [np.flatnonzero(first), np.flatnonzero(~first)]

    def _unite(self, judged: Judged) -> None:
        joins = np.array([self._rule.joins(verdict) for verdict in judged.verdicts], np.bool_)
        verdicts = [verdict for verdict in judged.verdicts if self._rule.joins(verdict)]
        joined = Judged(judged.documents[joins], judged.others[joins], verdicts)
        self._components.join(joined.documents, joined.others)
        if self._plans:
            scores = np.array([verdict.score for verdict in verdicts], np.float64)
            self._divider.joined.append((joined.documents, joined.others, scores))
        if self._on_verdicts:
            self._on_verdicts(judged if self._finder.every else joined)


def _find_named(corpus: Corpus, corrections: Corrections) -> Mapping[str, list[int]]:
    """The places of the documents of which people said something, by the names that these have there."""
    places = {id_: [place] for id_, place in corpus.find(corrections.ids).items()} if corrections else {}
    said = {mark for both in corrections.marks.values() for mark in both}
    for some in batches(range(len(corpus) if said else 0), READ_IDS):
        for place, record in zip(some, corpus.records(np.array(some)), strict=True):
            if record.mark in said:
                places.setdefault(record.mark, []).append(place)
    return places


def _walk_pairs(documents: Numbers, others: Numbers) -> Numbers:
    """The order of pairs in which those of one document, then those of its neighbours, come together."""
    ends = list(zip(documents.tolist(), others.tolist(), strict=True))
    pairs_of = defaultdict[int, list[int]](list)
    for number, (one, two) in enumerate(ends):
        pairs_of[one].append(number)
        pairs_of[two].append(number)
    order, reached = dict[int, None](), set[int]()
    for start in pairs_of:
        walk = [start] * (start not in reached)
        reached.update(walk)
        for place in walk:  # it grows
            new = [number for number in pairs_of[place] if number not in order]
            order.update(dict.fromkeys(new))
            beside = dict.fromkeys(sum(ends[number]) - place for number in new)
            walk += [other for other in beside if other not in reached]
            reached.update(beside)
    return np.array([*order], np.int64)


def _mark_nearest(documents: Numbers, shared: Numbers) -> NDArray[np.bool_]:
    """For each document the first of its pairs with the most shared keys."""
    order = np.lexsort((-shared, documents))
    nearest = np.zeros(len(documents), np.bool_)
    nearest[order[np.flatnonzero(np.diff(documents, prepend=-1))]] = True
    return nearest
