"""Documents that others wrote while a bulk run was at work: each joins the groups by the flow of a crawl."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from dupgroups.bulk.resign import Pace
from dupgroups.engines.base import Backlog
from dupgroups.flow.deduper import Deduper
from dupgroups.model import Outcome
from dupgroups.model.config import Config
from dupgroups.text.batches import batches
from dupgroups_es.backfill.intermediate_files import lines_of, load, load_assignment
from dupgroups_es.backfill.run_directory import RunDirectory
from dupgroups_es.backfill.workers import summary_of, versions_of
from dupgroups_es.positions import Version
from dupgroups_es.sliced import Positions, SlicedClusterIndex

BATCH_DOCUMENTS = 200
MAX_ROUNDS = 3  # looks at what was written during the one before, by this one too


def settle_late(
    directory: RunDirectory, index: SlicedClusterIndex, config: Config, rate: float | None = None
) -> list[Outcome]:
    """Group what others wrote since the run began, and note that the index is settled up to here.

    `rate`: see BulkLoader.
    """
    pace = Pace(rate)
    outcomes: list[Outcome] = []
    position = directory.run.position
    mark, now = index.mark(), index.position()
    if alone := _is_alone(directory, now):
        index.store.mark_settled(Backlog((), mark))
        position = now
    is_own = (lambda id_, version: False) if alone else _OwnVersions(directory).holds
    for _ in range(MAX_ROUNDS):
        mark, now = index.mark(), index.position()
        late = [id_ for ids in index.written_since(position, is_own) for id_ in ids]
        outcomes += _add(index, config, late, pace)
        index.store.mark_settled(Backlog((), mark))
        position = now
        if not late:
            break
    if outcomes or not alone:
        _regroup_orphaned(directory, index, config, pace)
    Deduper(index.store, config).regroup()
    return outcomes


def _is_alone(directory: RunDirectory, now: Positions) -> bool:
    """Whether all that was written since the run began is its own: each shard counts what is written."""
    written: int = sum(summary_of(directory, number)["written"] for number in directory.numbers)
    return sum(now.values()) - sum(directory.run.position.values()) == written


def _add(index: SlicedClusterIndex, config: Config, ids: Sequence[str], pace: Pace) -> Iterator[Outcome]:
    """Each batch by a flow that never settles by itself: nearly everything would count as others' still."""
    for batch in batches(ids, BATCH_DOCUMENTS):
        deduper = Deduper(index.store, config)
        pace(len(batch))
        stored = index.reread(batch)
        # the former version of a document that others have replaced may name a group
        replaced = [str(document.page.id) for document in stored if document.record is None]
        deduper.committer.regroup_named(replaced)
        outcomes = deduper.add_all([document.page for document in stored])
        unchanged = [outcome.id for outcome in outcomes if outcome.state == "unchanged"]
        deduper.reattach(unchanged)
        yield from outcomes


def _regroup_orphaned(directory: RunDirectory, index: SlicedClusterIndex, config: Config, pace: Pace) -> None:
    """Put groups together anew that lost their head, or the document that names them, to other writers."""
    index.store.refresh()
    deduper = Deduper(index.store, config)
    for names in batches(_groups_of_several(directory), BATCH_DOCUMENTS):
        pace(len(names))
        stored, heads = index.store.get(names), index.store.heads(names)
        sound = {name for name in stored if stored[name].group == name and heads[name]}
        deduper.committer.regroup_named([name for name in names if name not in sound])


def _groups_of_several(directory: RunDirectory) -> Iterator[str]:
    """The names of the groups in which the run put more than one document, once for each part."""
    for number in directory.numbers:
        places = map(load_assignment, lines_of(directory.file(number, "grouped")))
        yield from sorted({place.group for place in places if not place.head})


class _OwnVersions:
    """Which versions of documents the parts of a run have, as hashes: eight bytes a document."""

    def __init__(self, directory: RunDirectory) -> None:
        hashes = [np.fromiter(_hashes(directory, number), np.int64) for number in directory.numbers]
        self._hashes = np.sort(np.concatenate([np.empty(0, np.int64), *hashes]))

    def holds(self, id_: str, version: Version) -> bool:
        """Whether the run has written this version."""
        hashed = hash((id_, version))
        place = int(np.searchsorted(self._hashes, hashed))
        return place < len(self._hashes) and int(self._hashes[place]) == hashed


def _hashes(directory: RunDirectory, number: int) -> Iterator[int]:
    signed = map(load, lines_of(directory.file(number, "signed")))
    for document, version in zip(signed, versions_of(directory, number), strict=True):
        yield hash((document.record.id, version or document.version))


def states_of(outcomes: Iterable[Outcome]) -> Counter[str]:
    """Documents by state, those that only were looked at again left out."""
    return Counter(outcome.state for outcome in outcomes if outcome.state != "unchanged")
