"""The ablations of Alonso, Fetterly and Manasse on labelled documents, by exact similarities.

Near Duplicate News Story Detection Revisited compares lists of antecedents for SpotSigs, eleven weightings of
phrases, and ways to be rid of common phrases: a percentage of documents above which a phrase is dropped, a
window of the inverse document frequency (IDF), and weights that are multiplied by it. Each is judged by its
best F1 over all thresholds. Document frequencies are counted on the documents themselves, as in the paper.
The paper labelled pairs that it drew evenly over the Jaccard coefficient of phrases. So each variant has
three scores: of all pairs, of the listed ones, and of pairs that are drawn from the pack in this way.

Ours are limits that do not depend on the size of the corpus: a number of documents, and of pages of one host.

Each row is compared with others by the paired bootstrap of `dupgroups_lab.measures.bootstrap`: the
difference of both best F1, each at its threshold.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dupgroups.model import Content
from dupgroups.text.hashing import Hashes
from dupgroups_lab.labels.labelled_pairs import Truth
from dupgroups_lab.measures.bootstrap import SEED, Samples
from dupgroups_lab.measures.tabulated import NO_VALUE, Line, Tabulated, decimals, tabulate_differences
from dupgroups_lab.papers.exact import Measured, Progress, Weighted, similarities
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.signatures.spotsigs import ANTECEDENTS, BEST, CHINESE, SpotSigs
from dupgroups_papers.signatures.weighted_phrases import WeightedPhrases

WEIGHTINGS: Mapping[str, float] = {
    "uniform": 0.8352,
    "df": 0.8275,
    "log_df": 0.8429,
    "log_idf": 0.8093,
    "df2": 0.8505,
    "df3": 0.8449,
    "df4": 0.8470,
    "log2_df": 0.8352,
    "log3_df": 0.8288,
    "log4_df": 0.8257,
    "log10_df": 0.8307,
}
"""Weightings and the best F1 that the paper reports for each."""

SMART, SMART_F1 = "SMART's stop list", 0.7572
"""The 570 stop words of Salton: The SMART Retrieval System (1971), and what the paper reports for them.

They are Salton and Buckley's list as Cornell University distributed it with the system
(ftp://ftp.cs.cornell.edu/pub/smart/english.stop), and as appendix 11 of Lewis, Yang, Rose, Li: RCV1 (JMLR 5,
2004) prints it. The file there has 571 lines: one word stands in it twice.
"""

STOPWORDS = "stopwords"  # ours
PLAIN = "uniform, nothing dropped"
PER_HOST = "df2, none of 4 pages of its host"
NUMBERS = (4, 10)  # documents above which a phrase is dropped, however many there are

COMMON = (1, 5, 25, 50, 75, 95, 99)
"""Per cent of the documents above which a phrase is dropped; the paper finds 50 best."""

WINDOW: Mapping[str, Any] = {"common": 100, "low": 0.2, "high": 0.85}
"""The IDF between which a phrase has a weight, normalised; the paper groups documents by such phrases."""

FILTERS: Mapping[str, Mapping[str, Any]] = {
    PLAIN: {"weighting": "uniform", "common": 100},
    "df2, nothing dropped": {"weighting": "df2", "common": 100},
    **{f"df2, none of more than {percent} %": {"weighting": "df2", "common": percent} for percent in COMMON},
    "uniform, IDF 0.2 to 0.85": {"weighting": "uniform", **WINDOW},
    "df2, IDF 0.2 to 0.85": {"weighting": "df2", **WINDOW},
    "uniform, times IDF": {"weighting": "uniform", "common": 100, "scaled": True},
    "df2, times IDF": {"weighting": "df2", "common": 100, "scaled": True},
}
"""Ways to treat common phrases, as parameters of `weighted_phrases`."""

BINS, OF_BIN = 10, 100  # of Jaccard coefficients, and pairs that are drawn from each at most
OF_HOST = 4  # pages of a host, from which on a phrase is of its template
_COLUMNS = ("paper's F1", "F1", "at", "MCC", "F1 of listed pairs", "F1 of pairs drawn evenly", "without")


def ablation(
    texts: Mapping[str, str],
    hosts: Mapping[str, str],
    truth: Truth,
    size: int = 7,
    progress: Progress = lambda done, total: None,
) -> list[Tabulated]:
    """Measure all variants on the texts of the documents of `truth`, by id, with phrases of `size` words."""
    contents = [Content(texts[document]) for document in truth.documents]
    host_of = [hosts[document] for document in truth.documents]
    samples, measured = Samples(truth), dict[str, Measured]()
    variants = [*_antecedents(contents), *_phrases(contents, host_of, size)]
    drawn = _draw_truth(dict(variants)[PLAIN](), truth)
    for done, (name, sets) in enumerate(variants, start=1):
        measured[name] = Measured.of(sets(), truth, samples, drawn)
        progress(done, len(variants))
    return _tables(measured)


def _draw_truth(sets: Sequence[Weighted], truth: Truth) -> Truth:
    """The truth of pairs that are drawn evenly over the Jaccard coefficient, as the paper drew them."""
    similar, chance = similarities(sets), np.random.default_rng(SEED)
    bins = np.minimum((similar.alike * BINS).astype(np.int64), BINS - 1)
    places = (chance.permutation(np.flatnonzero(bins == number))[:OF_BIN] for number in range(BINS))
    chosen = np.concatenate(list(places))
    pairs = similar.pairs_at(truth.documents, chosen) - truth.ignored
    return replace(truth, positive=truth.positive & pairs, hard=frozenset(pairs - truth.positive))


# -- the variants, each with the features that it takes from the documents

Sets = Callable[[], Sequence[Weighted]]


def _antecedents(contents: Sequence[Content]) -> Iterator[tuple[str, Sets]]:
    words = Path(__file__).with_name("smart_stop_words.txt").read_text(encoding="utf-8").split()
    smart = SpotSigs(" ".join(words), skipped="", least=1)  # as such: it skips none of our stop words
    signers = {name: SpotSigs(name, least=1) for name in (*ANTECEDENTS, STOPWORDS, CHINESE)}
    for name, signer in {**signers, SMART: smart}.items():
        yield name, partial(_spots, signer, contents)


def _spots(signer: SpotSigs, contents: Sequence[Content]) -> list[Weighted]:
    bags = signer.sets([signer(content).body for content in contents])
    return [(spots, np.ones(len(spots))) for spots in bags]


def _phrases(contents: Sequence[Content], hosts: Sequence[str], size: int) -> Iterator[tuple[str, Sets]]:
    known = Frequencies.of_texts((content.text for content in contents), size)
    plain: dict[str, dict[str, Any]] = {name: {"weighting": name} for name in WEIGHTINGS}
    absolute = {
        f"df2, none of more than {number} documents": {"common": max(100 * number / len(contents), 1e-9)}
        for number in NUMBERS
    }
    every = list(map(WeightedPhrases(size).phrases, contents))
    for name, parameters in {**plain, **FILTERS, **absolute}.items():
        signer = WeightedPhrases(size, **parameters, frequencies=known)
        yield name, partial(_weigh_phrases, signer, every)
    yield PER_HOST, partial(_per_host, WeightedPhrases(size, common=100, frequencies=known), every, hosts)


def _weigh_phrases(signer: WeightedPhrases, phrases: Sequence[tuple[Hashes, Hashes]]) -> list[Weighted]:
    """The phrases of each document that have a weight; `phrases`: see `WeightedPhrases.phrases`."""
    weighed = ((found, signer.weights(found, first_words)) for found, first_words in phrases)
    return [(found[weights > 0], weights[weights > 0]) for found, weights in weighed]


def _per_host(
    signer: WeightedPhrases, phrases: Sequence[tuple[Hashes, Hashes]], hosts: Sequence[str]
) -> list[Weighted]:
    """The same without what at least `OF_HOST` pages of the host of the document have."""
    of_host = defaultdict[str, list[Hashes]](list)
    for (found, _), host in zip(phrases, hosts, strict=True):
        of_host[host].append(found)
    templates = {}
    for host, pages in of_host.items():
        distinct, counts = np.unique(np.concatenate(pages), return_counts=True)
        templates[host] = distinct[counts >= OF_HOST] if host else distinct[:0]
    weighed = zip(_weigh_phrases(signer, phrases), hosts, strict=True)
    return [
        (found[kept], weights[kept])
        for (found, weights), host in weighed
        if (kept := ~np.isin(found, templates[host])) is not None
    ]


# -- the tables


def _tables(measured: Mapping[str, Measured]) -> list[Tabulated]:
    def line(name: str, published: float | None, *rivals: str) -> Line:
        one = measured[name]
        scores = (one.best, one.threshold, one.mcc, one.listed, one.drawn)
        cells = [name, f"{published:.4f}" if published else NO_VALUE, *decimals(scores), f"{one.silent:,}"]
        return Line(cells, one.f1, {rival: measured[rival].f1 for rival in rivals})

    lists = {**ANTECEDENTS, SMART: SMART_F1, STOPWORDS: None, CHINESE: None}
    limits = [name for name in measured if name.startswith(("df2, ", "uniform, "))]
    return [
        tabulate_differences(
            ("antecedents", *_COLUMNS), [line(name, f1, BEST, SMART) for name, f1 in lists.items()]
        ),
        tabulate_differences(
            ("weighting", *_COLUMNS), [line(name, f1, "uniform", BEST) for name, f1 in WEIGHTINGS.items()]
        ),
        tabulate_differences(("limit", *_COLUMNS), [line(name, None, "df2", BEST) for name in limits]),
    ]
