"""Table 3: filters and threshold chosen on one half of the stories, precision and recall on the other.

The best F1 on the first half chooses; pairs and the closure of the pairs found (B-cubed) are measured on the
second. Documents of one story are in the same half.

| values | of | the paper |
|---|---|---|
| BLOCKS | least tokens of a block; every block has 1 | 1 to 20 |
| TOPS   | share of the distinct shingles that are dropped as too frequent, at most | 0 to 10 % |
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups_lab.labels.labelled_pairs import Pair, Truth, closure
from dupgroups_lab.measures.bcubed import BCubed, score_bcubed
from dupgroups_lab.measures.bootstrap import Floats, Samples
from dupgroups_lab.measures.curves import best_threshold
from dupgroups_lab.measures.pairwise import Confusion, confusion
from dupgroups_lab.measures.tabulated import NO_VALUE, Line, Tabulated, decimals, tabulate_differences
from dupgroups_lab.papers.cedar.cedar_shingles import Cut, Setting, shingle_sets
from dupgroups_lab.papers.cedar.published import BOTH_FILTERS, TABLE_3, paper_of
from dupgroups_lab.papers.exact import Similar, scores, similarities
from dupgroups_lab.papers.extracted import HEURISTIC, REFERENCE

BLOCKS, TOPS = range(1, 21), (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1)
_SCORES = ("paper's P/R/F1", "P/R/F1", "paper's B³ P/R/F1", "B³ P/R/F1")
_COLUMNS = ("filters", "threshold", *_SCORES)


def systems(plain: Mapping[str, Setting]) -> dict[str, list[Setting]]:
    """The systems of table 3, each with the settings from which its tuning chooses."""
    heuristic = plain[HEURISTIC]
    return {
        "heuristic, frequency filter": [replace(heuristic, top=top) for top in TOPS],
        "heuristic, block filter": [replace(heuristic, block=block) for block in BLOCKS],
        BOTH_FILTERS: [replace(heuristic, block=block, top=top) for block in BLOCKS[1:] for top in TOPS[1:]],
        **{name: [setting] for name, setting in plain.items() if name != HEURISTIC},
    }


def tune_systems(
    choices: Mapping[str, Sequence[Setting]],
    truth: Truth,
    cut: Mapping[str, Sequence[Cut]],
    progress: Callable[[], None] = lambda: None,
) -> Tabulated:
    """The scores of each system, which chooses among its settings, on the texts `cut` by extractor.

    `progress` is called after each system.
    """
    known, other = (
        _Half(
            truth.restrict(truth.documents[index] for index in indices),
            {name: [texts[index] for index in indices] for name, texts in cut.items()},
        )
        for indices in halves(truth)
    )
    samples, cells, f1 = Samples(other.truth), dict[str, list[str]](), dict[str, Floats]()
    for name, settings in choices.items():
        cells[name], found = _tune_system(name, settings, known, other)
        f1[name] = samples.f1(found)
        progress()
    rivals = {rival: f1[rival] for rival in (BOTH_FILTERS, REFERENCE) if rival in f1}
    return tabulate_differences(
        ("table 3: tuned on other half", *_COLUMNS), [Line(cells[name], f1[name], rivals) for name in choices]
    )


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

    def iterate_similar(self, settings: Iterable[Setting]) -> Iterator[tuple[Setting, Similar, float]]:
        """The similarities of its documents in each setting, and the share of the shingles dropped."""
        for setting, sets, dropped in shingle_sets(self.cut, settings):
            yield setting, similarities(sets), dropped


def _tune_system(
    name: str, choices: Sequence[Setting], known: _Half, other: _Half
) -> tuple[list[str], set[Pair]]:
    """The cells of the system, tuned on the half `known`, and the pairs that it finds on the other."""
    setting, threshold = _best(choices, known)
    documents = other.truth.documents
    ((_, similar, dropped),) = other.iterate_similar([setting])
    found = set() if threshold is None else similar.pairs_above(documents, threshold)
    pairs, clusters = (
        confusion(found, other.truth),
        score_bcubed(closure(documents, sorted(found)), other.truth),
    )
    published = TABLE_3.get(paper_of(name))
    of_pairs, of_clusters = (
        ("/".join(decimals(each)) for each in published) if published else (NO_VALUE, NO_VALUE)
    )
    cells = [
        *(name, setting.filters + f" ({dropped:.1%})" * bool(setting.top)),
        *(NO_VALUE if threshold is None else f"{threshold:.2f}", of_pairs, _scores(pairs), of_clusters),
        _scores(clusters),
    ]
    return cells, found


def _scores(measured: Confusion | BCubed) -> str:
    return "/".join(decimals((measured.precision, measured.recall, measured.f1)))


def _best(choices: Sequence[Setting], known: _Half) -> tuple[Setting, float | None]:
    """The setting and the threshold of the best F1; the first setting and None if nothing is found."""
    best, setting, threshold = 0.0, choices[0], None
    for choice, similar, _ in known.iterate_similar(choices):
        curve = scores(similar, known.truth)[0].curve
        if curve.f1.max(initial=0.0) > best:
            best, setting, threshold = float(curve.f1.max()), choice, best_threshold(curve)
    return setting, threshold
