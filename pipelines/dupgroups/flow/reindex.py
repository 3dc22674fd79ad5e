"""Write stored documents again as they are, so that searches find them as this version stores words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from dupgroups.engines.base import Engine
from dupgroups.errors import ConflictError
from dupgroups.flow.batches import batches
from dupgroups.flow.commit import commit, try_put
from dupgroups.model import Seen

BATCH = 200  # documents that are written together


@dataclass(slots=True)
class Reindexed:
    """`documents` were written again; `failures` are the ids of the others, with the reasons."""

    documents: int = 0
    failures: dict[str, str] = field(default_factory=dict)


def reindex(engine: Engine, progress: Callable[[int], None] = lambda documents: None) -> Reindexed:
    """Write every document again. `progress` gets the size of each batch.

    Groups, heads and everything else stay as they are, also while others write. A document that the engine
    refuses, or that others change all the time, stays as it is. Raises EngineError when the engine cannot be
    used at all.
    """
    reindexed = Reindexed()
    for ids in batches((document.record.id for document in engine.scan()), BATCH):
        failures = _write_again(engine, ids)
        reindexed.documents += len(ids) - len(failures)
        reindexed.failures |= failures
        progress(len(ids))
    return reindexed


def _write_again(engine: Engine, ids: Sequence[str]) -> dict[str, str]:
    """Read and write documents until nobody else has written them in between; the failures by id."""

    def attempt(
        left: Mapping[int, str], again: bool
    ) -> tuple[Mapping[int, str | None], ConflictError | None]:
        refusal = try_put(partial(_write_as_read, engine, list(left.values())))
        done = {
            place: refusal.failures.get(id_) for place, id_ in left.items() if id_ not in refusal.overtaken
        }
        return done, refusal.conflict

    committed = commit(ids, attempt)
    reasons = (committed.results.get(place, str(committed.conflict)) for place in range(len(ids)))
    return {id_: reason for id_, reason in zip(ids, reasons, strict=True) if reason}


def _write_as_read(engine: Engine, ids: Sequence[str]) -> None:
    version = engine.version()
    documents = list(engine.read(ids).values())
    heads = engine.heads(sorted({document.record.group for document in documents}))
    seen = Seen(version, {document.record.id: document.record.version for document in documents})
    engine.put(documents, heads={group: heads_[0].id for group, heads_ in heads.items() if heads_}, seen=seen)
