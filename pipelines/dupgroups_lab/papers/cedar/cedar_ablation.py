"""The ablations of CEDAR on labelled documents: tables 1 to 3, by exact resemblance.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (LREC 2008), section 5.

- Table 1: resemblance of shingles by extractor. Table 2: by filters on the entire document, with the text of
  scripts and styles (`entire`), and after the paper's heuristic, which removes these two.
- Table 3: filters and threshold are chosen on one half of the stories, and measured on the other.
- Table 4 is the paper's future work: sketches (shingles of which the hash is 0 modulo 25), and words against
  characters for languages without blanks.

Rows are compared with others by the paired bootstrap of `dupgroups_lab.measures.bootstrap`: the
difference of both F1, each at its threshold.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, count

from dupgroups_lab.labels.labelled_pairs import Truth
from dupgroups_lab.measures.bootstrap import Samples
from dupgroups_lab.measures.tabulated import NO_VALUE, Line, Tabulated, decimals, tabulate_differences
from dupgroups_lab.papers.cedar.cedar_shingles import Cut, Setting, shingle_sets
from dupgroups_lab.papers.cedar.published import NAMES, TABLE_1, TABLE_2, method_of, paper_of
from dupgroups_lab.papers.cedar.tuned import systems, tune_systems
from dupgroups_lab.papers.exact import Measured, Progress
from dupgroups_lab.papers.extracted import ENTIRE_NAME, HEURISTIC, REFERENCE, Texts

BY_SITE = "by site"
WORDS = "words"  # of the best extractor's text, instead of its tokens
SIZES, MODULI = (1, 2, 4), (1, 25)  # of table 4
_COLUMNS = ("paper's AU-ROC", "AU-ROC", "best F1", "at", "F1 of listed pairs")
_Results = Mapping[Setting, Measured]


def ablation(
    texts: Mapping[str, Texts], truth: Truth, size: int = 2, progress: Progress = lambda done, total: None
) -> list[Tabulated]:
    """The tables of the documents of `truth`; `texts` has all texts by extractor and id.

    `heuristic` must be among the texts. The rows of the entire document are measured if `texts` has it.
    """
    cut = {name: [Cut.of(text_of[doc_id]) for doc_id in truth.documents] for name, text_of in texts.items()}
    plain = {name: Setting(name, size) for name in texts if name != ENTIRE_NAME}
    best = [name for name in plain if name != REFERENCE][-1]
    cut[WORDS] = [Cut.of_words(texts[best][doc_id]) for doc_id in truth.documents]
    filters = {
        Setting(name, size, block, top): area for (name, block, top), area in TABLE_2.items() if name in texts
    }
    sketches = [
        Setting(name, tokens, modulus=of) for name in (best, WORDS) for tokens in SIZES for of in MODULI
    ]
    choices, settings = systems(plain), dict.fromkeys(chain(plain.values(), filters, sketches))
    samples, done, total = Samples(truth), count(1), len(settings) + len(choices)
    measured = dict[Setting, Measured]()
    for setting, sets, _ in shingle_sets(cut, settings):
        measured[setting] = Measured.of(sets, truth, samples)
        progress(next(done), total)
    return [
        tabulate_differences(
            (f"table 1: shingles of {size} of", *_COLUMNS), list(_extractors(measured, plain, best))
        ),
        tabulate_differences(("table 2: filters", *_COLUMNS), list(_filters(measured, filters, plain[best]))),
        tune_systems(choices, truth, cut, lambda: progress(next(done), total)),
        tabulate_differences(
            ("table 4: shingles", *_COLUMNS),
            [_line(measured, each, each.units, None, {"the first": sketches[0]}) for each in sketches],
        ),
    ]


def _extractors(measured: _Results, plain: Mapping[str, Setting], best: str) -> Iterator[Line]:
    """Table 1. What was trained by folds is also compared with the same by folds of sites."""
    shared = {name: plain[name] for name in (HEURISTIC, best, REFERENCE) if name in plain}
    for name, setting in plain.items():
        method, by_site = method_of(name), f"{method_of(name)} {BY_SITE}"
        apart = {BY_SITE: plain[by_site]} if name != method and by_site in plain else {}
        yield _line(measured, setting, paper_name(name), TABLE_1.get(paper_of(name)), shared | apart)


def _filters(measured: _Results, filters: Mapping[Setting, float], best: Setting) -> Iterator[Line]:
    """Table 2, each row beside the same text without filters and the best extractor, and that of the entire
    document also beside `heuristic`.
    """
    for setting, published in filters.items():
        rivals = {"none": Setting(setting.extractor, setting.size), best.extractor: best}
        if setting.extractor == ENTIRE_NAME:
            rivals[HEURISTIC] = Setting(HEURISTIC, setting.size)
        yield _line(measured, setting, f"{setting.extractor}, {setting.filters}", published, rivals)


def _line(
    measured: _Results, setting: Setting, name: str, published: float | None, rivals: Mapping[str, Setting]
) -> Line:
    """The row of this setting, compared with the rivals except itself."""
    one = measured[setting]
    cells = [
        *(name, f"{published:.5f}" if published else NO_VALUE, f"{one.area:.5f} ± {one.spread:.5f}"),
        *decimals((one.best, one.threshold, one.listed)),
    ]
    return Line(cells, one.f1, {rival: measured[other].f1 for rival, other in rivals.items()})


def paper_name(name: str) -> str:
    """The name of an extractor, with that in the paper."""
    published = NAMES.get(paper_of(name))
    return f"{name} ({published})" if published else name
