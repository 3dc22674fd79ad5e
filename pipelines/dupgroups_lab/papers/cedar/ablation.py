"""The ablations of CEDAR on labelled documents: tables 1 to 3 and figures 3 to 5, by exact resemblance.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (LREC 2008), section 5.

- Table 1: resemblance of shingles by extractor. Table 2: by filters on the entire document, with the text of
  scripts and styles (`entire`), and after the paper's heuristic, which is our extractor `whole`.
- Figures 3 to 5: by least block, by share of the shingles dropped as too frequent, by size of a shingle.
- Table 3: filters and threshold are chosen on one half of the stories, and measured on the other.

Each row is compared with others by the paired bootstrap of `dupgroups_lab.measures.paired_bootstrap`: the
difference of both F1, each at its threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count

from dupgroups_lab.extraction.scores import BlockScore
from dupgroups_lab.labels.pairs import Truth
from dupgroups_lab.measures.paired_bootstrap import Difference, Samples
from dupgroups_lab.papers.cedar.figures import Figure, grids
from dupgroups_lab.papers.cedar.published import TABLE_1, TABLE_2, WHOLE, method_of, paper_of
from dupgroups_lab.papers.cedar.shingles import Cut, Setting, shingle_sets
from dupgroups_lab.papers.cedar.tuned import Tuned, systems, tuned
from dupgroups_lab.papers.exact import Measured, Progress, Reached
from dupgroups_lab.papers.extracted import ENTIRE, REFERENCE, Texts

BY_SITE = "by site"
_Results = Mapping[Setting, tuple[Measured, float]]  # with the share of the shingles dropped


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

    @classmethod
    def of(
        cls, results: _Results, setting: Setting, published: float | None, rivals: Mapping[str, Setting]
    ) -> Row:
        """The row of this setting, compared with the rivals except itself."""
        measured, dropped = results[setting]
        against = measured.against({name: results[rival][0] for name, rival in rivals.items()})
        return cls(setting, published, measured.reached, dropped, against)


@dataclass(frozen=True, slots=True)
class Ablation:
    """The tables and figures of the paper; `blocks`: the scores by block of what was trained by folds."""

    extractors: Sequence[Row]
    filters: Sequence[Row]
    systems: Sequence[Tuned]
    figures: Sequence[Figure]
    blocks: Mapping[str, BlockScore] = field(default_factory=dict)


def ablation(
    texts: Mapping[str, Texts], truth: Truth, size: int = 2, progress: Progress = lambda done, total: None
) -> Ablation:
    """Measure on the documents of `truth`; `texts` has the text of every document by extractor and id.

    `whole` must be among the extractors; the figures show it beside the last one that is not the reference.
    The rows of the entire document are measured if `texts` has it.
    """
    cut = {name: [Cut.of(text_of[doc_id]) for doc_id in truth.documents] for name, text_of in texts.items()}
    plain = {name: Setting(name, size) for name in texts if name != ENTIRE}
    best = [name for name in plain if name != REFERENCE][-1]
    filters = {
        Setting(name, size, block, top): area for (name, block, top), area in TABLE_2.items() if name in texts
    }
    plans, choices = grids([plain[name] for name in dict.fromkeys((WHOLE, best))]), systems(plain)
    lines = chain.from_iterable(line for plan in plans for line in plan.lines)
    settings = dict.fromkeys(chain(plain.values(), filters, lines))
    samples, done, total = Samples(truth), count(1), len(settings) + len(choices)
    measured = dict[Setting, tuple[Measured, float]]()
    for setting, sets, share in shingle_sets(cut, settings):
        measured[setting] = Measured.of(sets, truth, samples), share
        progress(next(done), total)
    return Ablation(
        list(_extractors(measured, plain, best)),
        list(_filters(measured, filters, plain[best])),
        tuned(choices, truth, cut, lambda: progress(next(done), total)),
        [plan.figure(measured) for plan in plans],
    )


def _extractors(measured: _Results, plain: Mapping[str, Setting], best: str) -> Iterator[Row]:
    """Table 1. What was trained by folds is also compared with the same by folds of sites."""
    shared = {name: plain[name] for name in (WHOLE, best, REFERENCE) if name in plain}
    for name, setting in plain.items():
        method, by_site = method_of(name), f"{method_of(name)} {BY_SITE}"
        apart = {BY_SITE: plain[by_site]} if name != method and by_site in plain else {}
        yield Row.of(measured, setting, TABLE_1.get(paper_of(name)), shared | apart)


def _filters(measured: _Results, filters: Mapping[Setting, float], best: Setting) -> Iterator[Row]:
    """Table 2, each row beside the same text without filters and the best extractor, and that of the entire
    document also beside `whole`.
    """
    for setting, published in filters.items():
        rivals = {"none": Setting(setting.extractor, setting.size), best.extractor: best}
        if setting.extractor == ENTIRE:
            rivals[WHOLE] = Setting(WHOLE, setting.size)
        yield Row.of(measured, setting, published, rivals)
