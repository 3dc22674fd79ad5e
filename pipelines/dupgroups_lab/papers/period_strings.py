"""An and Cheng's recall and precision on labelled documents, with every pair of feature strings compared.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, section VI. The paper
reports one recall and precision, of pages, at "rho" 0.8 and epsilon 0.2 (table III). It does not define rho:
`READINGS` has both that are possible, since beta <= alpha and alpha + epsilon <= 1. Here alpha, beta and
epsilon are varied while the others keep the defaults of `OverlapFactors`, which read rho as alpha.

A page is a duplicate when it is in a positive pair, and identified when it is in a pair that was found; it is
identified correctly when one of its pairs is both.

Each row is compared with the first, the coefficients of the paper, by the paired bootstrap of
`dupgroups_lab.measures.bootstrap`, and with the same row of the first kind of text.

| setting | values | the paper |
|---|---|---|
| ALPHAS   | 0.5 to 1   | 0.8, if rho is alpha |
| BETAS    | 0 to 0.8   | at most alpha; 0.8, if rho is beta |
| EPSILONS | 0 to 0.2   | 0.2 |
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from dupgroups_lab.labels.labelled_pairs import Pair, Truth, pair
from dupgroups_lab.measures.bootstrap import Samples
from dupgroups_lab.measures.curves import Floats
from dupgroups_lab.measures.pairwise import Confusion, confusion
from dupgroups_lab.measures.tabulated import NO_VALUE, Line, Tabulated, decimals, tabulate_differences
from dupgroups_lab.papers.exact import Progress
from dupgroups_lab.papers.extracted import Texts
from dupgroups_papers.signatures.period_string import PeriodString
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors

ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
BETAS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
EPSILONS = (0.0, 0.1, 0.2)
PUBLISHED_SCORES = (0.978, 0.967)
"""Precision and recall of pages that the paper reports."""
COLUMNS = "alpha, beta, epsilon|strings|P of pages|R of pages|P of pairs|R of pairs|F1 of pairs".split("|")
PAPER = "any string"
SIGNERS: Mapping[str, PeriodString] = {
    PAPER: PeriodString(least=1),
    "strings of 4 or more": PeriodString(),
    "4 or more, else by other marks": PeriodString(otherwise="，；！？"),
}
"""The strings that are compared: those of the paper, longer ones, and some for pages without full stops."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Coefficients of definition 4: the least overlap with the shorter string (alpha) and with the longer
    one (beta), and what is added to alpha for pages of one host (epsilon).
    """

    alpha: float = OverlapFactors.alpha
    beta: float = OverlapFactors.beta
    epsilon: float = OverlapFactors.epsilon


READINGS: Mapping[str, Coefficients] = {
    "rho is alpha": Coefficients(),
    "rho is beta": Coefficients(beta=OverlapFactors.alpha),
}
"""The two readings of table III. The paper gives no value for beta in the first."""


@dataclass(frozen=True)
class Overlaps:
    """All pairs (indices `first` < `second`) whose strings have something in common, each array (p,).

    `shorter` and `longer` are LCC divided by the length of the shorter and of the longer string, 0 to 1;
    `same_host` says whether both pages are on one host. `strings` is the number of documents with a string.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    shorter: Floats
    longer: Floats
    same_host: NDArray[np.bool_]
    strings: int

    def score_coefficients(self, truth: Truth, given: Coefficients) -> tuple[Confusion, Confusion]:
        """How these coefficients do on the documents of `truth`, counted in pairs and in pages."""
        pairs = self.accepted_pairs(truth, given)
        duplicate, identified, right = map(_documents, (truth.positive, pairs, pairs & truth.positive))
        pages = Confusion(right, identified - right, duplicate - right, 0)
        return confusion(pairs, truth), pages

    def accepted_pairs(self, truth: Truth, given: Coefficients) -> set[Pair]:
        """The pairs that these coefficients accept, without those that count neither way."""
        alpha = np.minimum(1.0, given.alpha + given.epsilon * self.same_host)
        is_found = (self.shorter >= alpha) & (self.longer >= given.beta)
        ids = truth.documents
        indices = zip(self.first[is_found].tolist(), self.second[is_found].tolist(), strict=True)
        return {pair(ids[a], ids[b]) for a, b in indices} - truth.ignored


def overlaps(texts: Texts, hosts: Texts, truth: Truth, signer: PeriodString | None = None) -> Overlaps:
    """The overlaps of the documents of `truth`, from their texts and hosts ("" unknown) by id.

    Every pair of strings of the signer is compared.
    """
    signer = signer or PeriodString()
    every = ["".join(map(chr, signer.feature(texts[document]).tolist())) for document in truth.documents]
    indices = np.array([index for index, string in enumerate(every) if string], np.int64)
    strings = [every[index] for index in indices]
    sizes = np.array([len(string) for string in strings], np.int64)
    host = np.array([hosts[truth.documents[index]] for index in indices], np.str_)
    no_pairs = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.bool_)
    rows = [no_pairs]
    for number, string in enumerate(strings):
        long, short = np.maximum(sizes[number], sizes[:number]), np.minimum(sizes[number], sizes[:number])
        shared = long - cdist([string], strings[:number], scorer=Levenshtein.distance)[0]
        hits = np.flatnonzero(shared)
        on_same_host = (host[hits] == host[number]) & (host[hits] != "")
        second = np.full(len(hits), indices[number])
        factors = shared[hits] / short[hits], shared[hits] / long[hits]
        rows.append((indices[hits], second, *factors, on_same_host))
    first, second, shorter, longer, same_host = map(np.concatenate, zip(*rows, strict=True))
    return Overlaps(first, second, shorter, longer, same_host.astype(np.bool_), len(strings))


def ablations(
    texts: Mapping[str, Texts], hosts: Texts, truth: Truth, progress: Progress = lambda done, total: None
) -> list[Tabulated]:
    """A table of each kind of text on the documents of `truth`; the host "" is unknown."""
    samples, tables = Samples(truth), list[Tabulated]()
    firsts: dict[str, Floats] = {}
    for name, text_of in texts.items():
        measured = {label: overlaps(text_of, hosts, truth, signer) for label, signer in SIGNERS.items()}
        tables.append(_table(name, measured, truth, samples, firsts))
        progress(len(tables), len(texts))
    return tables


def _table(
    name: str, measured: Mapping[str, Overlaps], truth: Truth, samples: Samples, firsts: dict[str, Floats]
) -> Tabulated:
    """The table of one kind of text. `firsts` gets the F1 of each row of the first kind."""
    paper = measured[PAPER]

    def line(label: str, given: Coefficients, strings: Overlaps = paper) -> Line:
        pairs, pages = strings.score_coefficients(truth, given)
        scores = (pages.precision, pages.recall, pairs.precision, pairs.recall, pairs.f1)
        f1 = samples.f1(strings.accepted_pairs(truth, given))
        rivals = {"the first row": ours} | ({"the first text": firsts[label]} if label in firsts else {})
        firsts.setdefault(label, f1)
        coefficients = f"{given.alpha}, {given.beta}, {given.epsilon}"
        return Line([label, coefficients, f"{strings.strings:,}", *decimals(scores)], f1, rivals)

    ours = samples.f1(paper.accepted_pairs(truth, Coefficients()))
    varied = {"alpha": ALPHAS, "beta": BETAS, "epsilon": EPSILONS}
    rows = {label: line(label, given) for label, given in READINGS.items()}
    for label, strings in measured.items():
        rows[label] = line(label, Coefficients(), strings)
    for coefficient, values in varied.items():
        for value in values:
            label = f"{coefficient} {value}"
            rows[label] = line(label, replace(Coefficients(), **{coefficient: value}))
    grid = (Coefficients(*values) for values in product(ALPHAS, BETAS, EPSILONS) if values[1] <= values[0])
    best = max(grid, key=lambda given: paper.score_coefficients(truth, given)[0].f1)
    rows["best"] = line("best", best)
    published = ["the paper", NO_VALUE, "998", *decimals(PUBLISHED_SCORES), *[NO_VALUE] * 3]
    return tabulate_differences((f"{name}: pages", *COLUMNS), [Line(published, ours), *rows.values()])


def _documents(pairs: Iterable[tuple[str, str]]) -> int:
    return len({document for ids in pairs for document in ids})
