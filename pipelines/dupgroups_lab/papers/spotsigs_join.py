"""The join of SpotSigs against comparing every pair: the same pairs, in what time, after how many
comparisons.

Theobald, Siddharth, Paepcke: SpotSigs (SIGIR 2008), section 4, as `dupgroups_papers.sketches.similarity_join`
does it. Both ways compare two sets with the same function, and run in one process; their times are seconds of
CPU.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import process_time
from typing import TypeVar

from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.method_choice import use_everywhere
from dupgroups.model import Page
from dupgroups.model.config import Config, Method, Step
from dupgroups.text.sets import resemblance
from dupgroups_lab.duplicates.lookup import Progress, sign_pages
from dupgroups_lab.measures.pairwise import pairs_of, ratio
from dupgroups_lab.measures.tabulated import Tabulated, decimals
from dupgroups_papers.signatures.spotsigs import SpotSigs
from dupgroups_papers.sketches.set_sketches import common
from dupgroups_papers.sketches.similarity_join import Set, candidate_pairs, similar_pairs

THRESHOLDS = (0.2, 0.4, 0.6, 0.8)
COLUMNS = (
    *("threshold", "pairs found", "missing", "wrong", "compared", "of all"),
    *("seconds", "brute force", "times faster"),
)
Result = TypeVar("Result")


def spotsigs_of(pages: Iterable[Page], extractor: str | None, progress: Progress) -> list[Set]:
    """The bags of spots of these pages, without those of pages with too few of them."""
    method = Method(Step(extractor) if extractor else None, Step("spotsigs"), None)
    methods = MethodSet(use_everywhere(Config(), method))
    documents = sign_pages(pages, methods, progress).values()
    bodies = [signature.body for document in documents if (signature := document.record.signature)]
    return SpotSigs().sets(bodies)


def joins(sets: Sequence[Set], progress: Progress = lambda step, done, total: None) -> tuple[Tabulated, bool]:
    """The join of these sets at each of `THRESHOLDS`, and whether all find the pairs of brute force.

    *Missing* pairs are found by brute force only, *wrong* ones by the join only.
    """
    brute, alike = _time_work(lambda: list(_similarities(sets, progress)))
    rows, right = [], True
    for threshold in THRESHOLDS:
        truth = {(i, j) for i, j, similarity in alike if similarity >= threshold}
        seconds, joined = _time_work(lambda threshold=threshold: list(similar_pairs(sets, threshold)))  # type: ignore[misc]
        found = {(i, j) for i, j, _ in joined}
        compared = sum(1 for _ in candidate_pairs(sets, threshold))
        counts = (len(found), len(truth - found), len(found - truth), compared)
        share, faster = ratio(compared, pairs_of(len(sets))), ratio(brute, seconds)
        times = (f"{share:.4%}", *decimals((seconds, brute), 2), f"{faster:.0f}")
        rows.append((f"{threshold:.1f}", *(f"{count:,}" for count in counts), *times))
        right = right and truth == found
    return Tabulated(COLUMNS, rows), right


def _similarities(sets: Sequence[Set], progress: Progress) -> Iterator[tuple[int, int, float]]:
    """The similarity of every pair that reaches the lowest threshold."""
    for j, later in enumerate(sets):
        for i, earlier in enumerate(sets[:j]):
            alike = resemblance(common(earlier, later), len(earlier), len(later))
            if alike >= THRESHOLDS[0]:
                yield i, j, alike
        progress("judge", j + 1, len(sets))


def _time_work(work: Callable[[], Result]) -> tuple[float, Result]:
    start = process_time()
    result = work()
    return process_time() - start, result
