"""The join of SpotSigs against comparing every pair: the same pairs, in what time, after how many
comparisons.

Theobald, Siddharth, Paepcke: SpotSigs (SIGIR 2008), section 4, as `dupgroups_papers.sketches.similarity_join`
does it. Both ways compare two sets with the same function, and run in one
process; their times are seconds of CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from types import MappingProxyType
from typing import TypeVar

from dupgroups.bulk.offline import Resources, grouped_pages
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.method_choice import everywhere
from dupgroups.model import Page
from dupgroups.model.config import Config, Method, Step
from dupgroups.text.sets import resemblance
from dupgroups_lab.duplicates.lookup import Progress, signed
from dupgroups_lab.measures.pairwise import pairs_of, ratio
from dupgroups_papers.signatures.spotsigs import SpotSigs
from dupgroups_papers.sketches.bags import common
from dupgroups_papers.sketches.similarity_join import Set, candidate_pairs, similar_pairs

THRESHOLDS = (0.2, 0.4, 0.6, 0.8)
RIVALS: Mapping[str, str] = MappingProxyType(
    {
        "SpotSigs": "spotsigs",
        "I-Match": "imatch",
        "LSH of words (Charikar)": "simhash",
        "LSH of shingles": "minhash",
    }
)
"""The methods with which the paper compares its time, by our names."""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Join:
    """The join at one threshold: `found` pairs reach it, `compared` ones were not excluded before.

    `missing` pairs are found by brute force only, `wrong` ones by the join only. `seconds` (CPU) are those of
    the join, `brute_seconds` those of comparing all pairs.
    """

    threshold: float
    found: int
    missing: int
    wrong: int
    compared: int
    share: float
    seconds: float
    brute_seconds: float

    @property
    def times_faster(self) -> float:
        """How many times as long brute force takes."""
        return ratio(self.brute_seconds, self.seconds)


@dataclass(frozen=True, slots=True)
class Joins:
    """The joins of all documents that have a signature, of which there are `documents`."""

    documents: int
    pairs: int
    joins: Sequence[Join]


def spotsigs_of(
    pages: Iterable[Page], extractor: str | None, progress: Progress
) -> tuple[list[Set], list[Page]]:
    """The bags of spots of these pages, without those of pages with too few of them; and their texts."""
    method = Method(Step(extractor) if extractor else None, Step("spotsigs"), None)
    methods = MethodSet(everywhere(Config(), method))
    documents = signed(pages, methods, progress).values()
    bodies = [signature.body for document in documents if (signature := document.record.signature)]
    texts = [Page(id=document.record.id, text=document.content.text) for document in documents]
    return SpotSigs().sets(bodies), texts


def seconds_of(texts: Sequence[Page]) -> list[tuple[str, float, int]]:
    """The seconds of CPU in which each of `RIVALS` signs and groups these texts, and the copies it finds."""
    found = []
    for name, signer in RIVALS.items():
        config = everywhere(Config(), Method(None, Step(signer), None))
        with grouped_pages([], config):
            pass  # loads its tables, which the time must not include
        start = process_time()
        with grouped_pages(texts, config, Resources(1)) as grouped:
            groups = dict(grouped)
        found.append((name, process_time() - start, len(groups) - len(set(groups.values()))))
    return found


def measure(sets: Sequence[Set], progress: Progress = lambda step, done, total: None) -> Joins:
    """Join these sets at each of `THRESHOLDS`, and compare every pair once."""
    brute_seconds, alike = _timed(lambda: list(_similarities(sets, progress)))
    joins = []
    for threshold in THRESHOLDS:
        truth = {(i, j) for i, j, similarity in alike if similarity >= threshold}
        seconds, joined = _timed(lambda threshold=threshold: list(similar_pairs(sets, threshold)))  # type: ignore[misc]
        found = {(i, j) for i, j, _ in joined}
        compared = sum(1 for _ in candidate_pairs(sets, threshold))
        share = ratio(compared, pairs_of(len(sets)))
        joins.append(
            Join(
                *(threshold, len(found), len(truth - found), len(found - truth), compared, share),
                *(seconds, brute_seconds),
            )
        )
    return Joins(len(sets), pairs_of(len(sets)), joins)


def _similarities(sets: Sequence[Set], progress: Progress) -> Iterator[tuple[int, int, float]]:
    """The similarity of every pair that reaches the lowest threshold."""
    for j, later in enumerate(sets):
        for i, earlier in enumerate(sets[:j]):
            alike = resemblance(common(earlier, later), len(earlier), len(later))
            if alike >= THRESHOLDS[0]:
                yield i, j, alike
        progress("judge", j + 1, len(sets))


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = process_time()
    result = work()
    return process_time() - start, result
