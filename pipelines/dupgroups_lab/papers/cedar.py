"""The ablations of CEDAR on labelled documents: tables 1 to 3 and figures 3 to 5, by exact resemblance.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (LREC 2008), section 5.

- Table 1: resemblance of shingles by extractor. Table 2: by filters on the whole page.
- Figures 3 to 5: by least block, by share of the shingles dropped as too frequent, by size of a shingle.
- Table 3: filters and threshold are chosen by the best F1 on one half of the stories, and measured on the
  other half, pair-wise and by B-cubed over the closure. Documents of one story are in the same half.

"Heuristic", the paper's name for text without scripts and styles, is our extractor `whole`. The paper's
"entire document" includes the text of scripts and styles, which a parsed page does not have; it is left out.

| setting | values | the paper |
|---|---|---|
| size   | 2 in tables, 3 times that in figures 3 and 4 | 2 and 6 words |
| BLOCKS | least tokens of a block | 1 to 20 |
| TOPS   | share of the distinct shingles that are dropped as too frequent, at most | 0 to 10 % |
| SIZES  | tokens of a shingle | 1 to 10 |

Of the shingles that equally many documents hold, all or none are dropped, so that less than the named share
may go: `dropped` is the share that does.

Each row is compared with others by the paired bootstrap of `dupgroups_lab.measures.paired_bootstrap`: the
difference of both F1, each at its threshold.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.corpus.frequencies import Frequencies
from dupgroups.sketches.hashing import Hashes, windows
from dupgroups.sketches.sets import distinct
from dupgroups.text.sentences import tokens
from dupgroups_lab.labels.pairs import Pair, Truth, closure
from dupgroups_lab.measures.bcubed import BCubed, bcubed
from dupgroups_lab.measures.curves import Floats, best_threshold
from dupgroups_lab.measures.paired_bootstrap import Difference, Samples
from dupgroups_lab.measures.pairwise import Confusion, confusion
from dupgroups_lab.papers.exact import Progress, Reached, Similar, Weighted, scores, similarities
from dupgroups_lab.papers.extracted import REFERENCE, Texts

WHOLE = "whole"
BOTH_FILTERS = "whole, both filters"
BLOCKS = (0, 2, 4, 5, 6, 8, 9, 10, 12, 14, 16, 18, 20)
TOPS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1)
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)

TABLE_1: Mapping[str, float] = MappingProxyType(
    {WHOLE: 0.91076, "maxent": 0.9999922, "crf": 0.9999933, REFERENCE: 0.9999935}
)
"""AU-ROC that the paper reports by extractor (Heuristic, CE-SIMPLE, CE-BEST, reference standard)."""

TABLE_2: Mapping[tuple[int, float], float | None] = MappingProxyType(
    {(0, 0.0): 0.91076, (5, 0.0): None, (0, 0.075): 0.99500, (12, 0.05): 0.99994}
)
"""AU-ROC that the paper reports by least block and dropped share, of pages without scripts and styles."""


class Published(NamedTuple):
    """Precision, recall and F1 that the paper reports, of pairs and of clusters (B-cubed)."""

    pairs: tuple[float, float, float]
    clusters: tuple[float, float, float]


TABLE_3: Mapping[str, Published] = MappingProxyType(
    {
        "whole, frequency filter": Published((0.977, 0.782, 0.869), (0.929, 0.854, 0.890)),
        "whole, block filter": Published((0.919, 0.860, 0.889), (0.919, 0.860, 0.889)),
        BOTH_FILTERS: Published((0.981, 0.862, 0.917), (0.981, 0.862, 0.917)),
        "crf": Published((0.992, 0.979, 0.985), (0.992, 0.979, 0.985)),
        "maxent": Published((0.992, 0.977, 0.985), (0.992, 0.977, 0.985)),
        REFERENCE: Published((0.992, 0.977, 0.985), (0.992, 0.977, 0.985)),
    }
)
"""The scores that the paper reports on its evaluation half."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Shingles of `size` tokens of the text that `extractor` keeps, without blocks of fewer than `block`
    tokens and without the most frequent shingles, a share `top` (0 to 1) of the distinct ones.
    """

    extractor: str
    size: int
    block: int = 0
    top: float = 0.0

    @property
    def filters(self) -> str:
        """The filters in words: least tokens of a block, and share of the shingles that is dropped."""
        filters = [f"block {self.block}"] * bool(self.block) + [f"top {self.top:.1%}"] * bool(self.top)
        return ", ".join(filters) or "none"


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of a setting over all documents; `published` is the paper's AU-ROC.

    `dropped`: the share (0 to 1) of the distinct shingles that are dropped as too frequent. `against`: its
    best F1 minus that of other rows, by their name.
    """

    setting: Setting
    published: float | None
    reached: Reached
    dropped: float
    against: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Tuned:
    """The scores of a system on one half, with the setting and threshold of the best F1 on the other half.

    `threshold` is None where nothing was found on that other half. `published`: the paper's scores.
    `dropped`: see Row, on the half on which it is measured. `against`: its F1 of pairs minus
    that of other systems, by their name.
    """

    name: str
    setting: Setting
    dropped: float
    threshold: float | None
    pairs: Confusion
    clusters: BCubed
    published: Published | None
    against: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Figure:
    """One parameter varied: the scores of each extractor, in the order of `values`; `dropped`: see Row.

    `against`: the best F1 of each value minus that of the value `base`.
    """

    name: str
    values: Sequence[str]
    base: str
    lines: Mapping[str, Sequence[Reached]]
    dropped: Mapping[str, Sequence[float]]
    against: Mapping[str, Sequence[Difference]]


@dataclass(frozen=True, slots=True)
class Ablation:
    """The tables and figures of the paper."""

    extractors: Sequence[Row]
    filters: Sequence[Row]
    systems: Sequence[Tuned]
    figures: Sequence[Figure]


def ablation(
    texts: Mapping[str, Texts], truth: Truth, size: int = 2, progress: Progress = lambda done, total: None
) -> Ablation:
    """Measure on the documents of `truth`; `texts` has the text of every document by extractor and id.

    The first extractor must be `whole`; the figures show it beside the last one that is not the reference.
    """
    cut = {name: [Cut.of(text_of[doc_id]) for doc_id in truth.documents] for name, text_of in texts.items()}
    plain = {name: Setting(name, size) for name in texts}
    filters = [replace(plain[WHOLE], block=block, top=top) for block, top in TABLE_2]
    shown = (WHOLE, *[name for name in texts if name not in (WHOLE, REFERENCE)][-1:])
    grids = _grids([plain[name] for name in shown])
    systems = _systems(plain)
    settings = dict.fromkeys(
        chain(plain.values(), filters, chain.from_iterable(line for grid in grids for line in grid.lines))
    )
    total = len(settings) + len(systems)
    samples, measured, tuned = Samples(truth), dict[Setting, _Measured](), []
    for done, (setting, sets, share) in enumerate(shingle_sets(cut, settings), start=1):
        measured[setting] = _Measured.of(sets, share, truth, samples)
        progress(done, total)
    known, other = (_Half.of(indices, truth, cut) for indices in halves(truth))
    for done, (name, choices) in enumerate(systems.items(), start=len(settings) + 1):
        tuned.append(_Chosen.of(name, choices, known, other))
        progress(done, total)
    best = shown[-1]
    rivals = {name: measured[plain[name]] for name in (WHOLE, best, REFERENCE) if name in plain}
    return Ablation(
        [measured[setting].row(setting, TABLE_1.get(name), rivals) for name, setting in plain.items()],
        [
            measured[setting].row(
                setting,
                TABLE_2[setting.block, setting.top],
                {"none": measured[filters[0]], best: measured[plain[best]]},
            )
            for setting in filters
        ],
        _compared(tuned, [BOTH_FILTERS, REFERENCE], Samples(other.truth)),
        [grid.figure(measured) for grid in grids],
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    """The scores of a setting, the share of the shingles dropped, and its F1 in each sample of stories."""

    reached: Reached
    dropped: float
    f1: Floats

    @classmethod
    def of(cls, sets: Sequence[Weighted], dropped: float, truth: Truth, samples: Samples) -> _Measured:
        similar = similarities(sets)
        reached = Reached.by(similar, sets, truth)
        best = reached.every
        found = similar.found(truth.documents, best.threshold) if best.f1 else set()
        return cls(reached, dropped, samples.f1(found))

    def row(self, setting: Setting, published: float | None, rivals: Mapping[str, _Measured]) -> Row:
        against = {
            name: Difference.of(self.f1, rival.f1) for name, rival in rivals.items() if rival is not self
        }
        return Row(setting, published, self.reached, self.dropped, against)


@dataclass(frozen=True)
class Cut:
    """A text in tokens: their hashes, and the number of tokens of the block of each, both (n,)."""

    hashes: Hashes
    block: NDArray[np.intp]

    @classmethod
    def of(cls, text: str) -> Cut:
        """Cut a text, each line of which is a block."""
        blocks = [tokens(line).hashes for line in text.split("\n")]
        sizes = [len(block) for block in blocks]
        return cls(np.concatenate(blocks), np.repeat(sizes, sizes))

    def shingles(self, size: int, block: int = 0) -> Hashes:
        """The distinct shingles of all blocks of at least `block` tokens, ascending."""
        return distinct(windows(self.hashes[self.block >= block], size))


def shingle_sets(
    cut: Mapping[str, Sequence[Cut]], settings: Iterable[Setting]
) -> Iterator[tuple[Setting, list[Weighted], float]]:
    """Each setting with the shingles of every document, each of weight 1, and the share that was dropped.

    Frequencies are those of these documents, counted once for consecutive settings that only differ in `top`.
    """
    for plain, group in groupby(settings, key=lambda setting: replace(setting, top=0.0)):
        alike = list(group)
        sets = [text.shingles(plain.size, plain.block) for text in cut[plain.extractor]]
        known = Frequencies.learn(sets) if any(setting.top for setting in alike) else None
        for setting in alike:
            kept, dropped = sets, 0.0
            if known and known.spectrum and setting.top:
                limit = known.top(setting.top)
                kept = [shingles[known.of(shingles) < limit] for shingles in sets]
                dropped = known.spectrum.at_least(limit)
            yield setting, [(shingles, np.ones(len(shingles))) for shingles in kept], dropped


@dataclass(frozen=True, slots=True)
class _Grid:
    """The plan of a figure: the settings of each line, in the order of `values`; `base`: see Figure."""

    name: str
    values: Sequence[str]
    base: str
    lines: Sequence[Sequence[Setting]]

    def figure(self, measured: Mapping[Setting, _Measured]) -> Figure:
        """The figure, once everything is measured."""
        lines = {line[0].extractor: [measured[setting] for setting in line] for line in self.lines}
        base = self.values.index(self.base)
        return Figure(
            self.name,
            self.values,
            self.base,
            {name: [one.reached for one in line] for name, line in lines.items()},
            {name: [one.dropped for one in line] for name, line in lines.items()},
            {name: [Difference.of(one.f1, line[base].f1) for one in line] for name, line in lines.items()},
        )


def _grids(plain: Sequence[Setting]) -> list[_Grid]:
    """The plans of figures 3 to 5, with a line for each of these settings."""
    larger = [replace(setting, size=3 * setting.size) for setting in plain]
    with_size = f"shingles of {larger[0].size}"
    return [
        _Grid(
            f"figure 3: least tokens of a block ({with_size})",
            list(map(str, BLOCKS)),
            str(BLOCKS[0]),
            [[replace(setting, block=block) for block in BLOCKS] for setting in larger],
        ),
        _Grid(
            f"figure 4: share of shingles dropped ({with_size})",
            [f"{top:.1%}" for top in TOPS],
            f"{TOPS[0]:.1%}",
            [[replace(setting, top=top) for top in TOPS] for setting in larger],
        ),
        _Grid(
            "figure 5: tokens of a shingle",
            list(map(str, SIZES)),
            str(plain[0].size),
            [[replace(setting, size=size) for size in SIZES] for setting in plain],
        ),
    ]


def _systems(plain: Mapping[str, Setting]) -> dict[str, list[Setting]]:
    """The systems of table 3, each with the settings from which its tuning chooses."""
    whole = plain[WHOLE]
    return {
        "whole, frequency filter": [replace(whole, top=top) for top in TOPS],
        "whole, block filter": [replace(whole, block=block) for block in BLOCKS],
        BOTH_FILTERS: [replace(whole, block=block, top=top) for block in BLOCKS[1:] for top in TOPS[1:]],
        **{name: [setting] for name, setting in plain.items() if name != WHOLE},
    }


def halves(truth: Truth) -> tuple[list[int], list[int]]:
    """The indices of the documents of two halves, by a checksum of the first document of each story.

    Ignored pairs, with a label between positive and non, belong to one story too.
    """
    story = closure(truth.documents, sorted(truth.positive | truth.ignored))
    half = [zlib.crc32(story[document].encode()) % 2 for document in truth.documents]
    first, second = ([index for index, side in enumerate(half) if side == which] for which in (0, 1))
    return first, second


@dataclass(frozen=True, slots=True)
class _Half:
    """One half of the stories: the truth of its documents, and their tokens by extractor."""

    truth: Truth
    cut: Mapping[str, Sequence[Cut]]

    @classmethod
    def of(cls, indices: Sequence[int], truth: Truth, cut: Mapping[str, Sequence[Cut]]) -> _Half:
        """The half with the documents at these indices."""
        restricted = truth.restricted(truth.documents[index] for index in indices)
        return cls(restricted, {name: [texts[index] for index in indices] for name, texts in cut.items()})

    def similar(self, settings: Iterable[Setting]) -> Iterator[tuple[Setting, Similar, float]]:
        """The similarities of its documents in each setting, and the share of the shingles dropped."""
        for setting, sets, dropped in shingle_sets(self.cut, settings):
            yield setting, similarities(sets), dropped


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A system that is tuned on one half, and the pairs that it finds on the other."""

    tuned: Tuned
    pairs: set[Pair]

    @classmethod
    def of(cls, name: str, choices: Sequence[Setting], known: _Half, other: _Half) -> _Chosen:
        """Choose the setting on one half, `known`, and measure on the other."""
        setting, threshold = _best(choices, known)
        documents = other.truth.documents
        ((_, similar, dropped),) = other.similar([setting])
        found = set() if threshold is None else similar.found(documents, threshold)
        clusters = bcubed(closure(documents, sorted(found)), other.truth)
        pairs = confusion(found, other.truth)
        published = TABLE_3.get(name)
        return cls(Tuned(name, setting, dropped, threshold, pairs, clusters, published, {}), found)


def _best(choices: Sequence[Setting], known: _Half) -> tuple[Setting, float | None]:
    """The setting and the threshold of the best F1; the first setting and None if nothing is found."""
    best, setting, threshold = 0.0, choices[0], None
    for choice, similar, _ in known.similar(choices):
        curve = scores(similar, known.truth)[0].curve
        if curve.f1.max(initial=0.0) > best:
            best, setting, threshold = float(curve.f1.max()), choice, best_threshold(curve)
    return setting, threshold


def _compared(systems: Sequence[_Chosen], rivals: Sequence[str], samples: Samples) -> list[Tuned]:
    """The systems, each with the difference between its F1 of pairs and that of these rivals."""
    f1 = {system.tuned.name: samples.f1(system.pairs) for system in systems}
    return [
        replace(
            system.tuned,
            against={
                rival: Difference.of(f1[system.tuned.name], f1[rival])
                for rival in rivals
                if rival in f1 and rival != system.tuned.name
            },
        )
        for system in systems
    ]
