"""Table 3: filters and threshold chosen on one half of the stories, precision and recall on the other.

The best F1 on the first half chooses; pairs and the closure of the pairs found (B-cubed) are measured on the
second. Documents of one story are in the same half.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups_lab.labels.pairs import Pair, Truth, closure
from dupgroups_lab.measures.bcubed import BCubed, bcubed
from dupgroups_lab.measures.curves import best_threshold
from dupgroups_lab.measures.paired_bootstrap import Difference, Floats, Samples
from dupgroups_lab.measures.pairwise import Confusion, confusion
from dupgroups_lab.papers.cedar.figures import BLOCKS, TOPS
from dupgroups_lab.papers.cedar.published import BOTH_FILTERS, TABLE_3, WHOLE, Published, paper_of
from dupgroups_lab.papers.cedar.shingles import Cut, Setting, shingle_sets
from dupgroups_lab.papers.exact import Similar, scores, similarities
from dupgroups_lab.papers.extracted import REFERENCE


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


def systems(plain: Mapping[str, Setting]) -> dict[str, list[Setting]]:
    """The systems of table 3, each with the settings from which its tuning chooses."""
    whole = plain[WHOLE]
    return {
        "whole, frequency filter": [replace(whole, top=top) for top in TOPS],
        "whole, block filter": [replace(whole, block=block) for block in BLOCKS],
        BOTH_FILTERS: [replace(whole, block=block, top=top) for block in BLOCKS[1:] for top in TOPS[1:]],
        **{name: [setting] for name, setting in plain.items() if name != WHOLE},
    }


def tuned(
    choices: Mapping[str, Sequence[Setting]],
    truth: Truth,
    cut: Mapping[str, Sequence[Cut]],
    progress: Callable[[], None] = lambda: None,
) -> list[Tuned]:
    """The scores of each system, which chooses among its settings, on the texts `cut` by extractor.

    `progress` is called after each system.
    """
    known, other = (_Half.of(indices, truth, cut) for indices in halves(truth))
    samples, results, f1 = Samples(other.truth), list[Tuned](), dict[str, Floats]()
    for name, settings in choices.items():
        result, found = _tuned(name, settings, known, other)
        results.append(result)
        f1[name] = samples.f1(found)
        progress()
    rivals = [rival for rival in (BOTH_FILTERS, REFERENCE) if rival in f1]

    def against(name: str) -> dict[str, Difference]:
        return {rival: Difference.of(f1[name], f1[rival]) for rival in rivals if rival != name}

    return [replace(result, against=against(result.name)) for result in results]


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


def _tuned(name: str, choices: Sequence[Setting], known: _Half, other: _Half) -> tuple[Tuned, set[Pair]]:
    """The system, tuned on the half `known`, and the pairs that it finds on the other."""
    setting, threshold = _best(choices, known)
    documents = other.truth.documents
    ((_, similar, dropped),) = other.similar([setting])
    found = set() if threshold is None else similar.found(documents, threshold)
    clusters = bcubed(closure(documents, sorted(found)), other.truth)
    pairs = confusion(found, other.truth)
    published = TABLE_3.get(paper_of(name))
    return Tuned(name, setting, dropped, threshold, pairs, clusters, published, {}), found


def _best(choices: Sequence[Setting], known: _Half) -> tuple[Setting, float | None]:
    """The setting and the threshold of the best F1; the first setting and None if nothing is found."""
    best, setting, threshold = 0.0, choices[0], None
    for choice, similar, _ in known.similar(choices):
        curve = scores(similar, known.truth)[0].curve
        if curve.f1.max(initial=0.0) > best:
            best, setting, threshold = float(curve.f1.max()), choice, best_threshold(curve)
    return setting, threshold
