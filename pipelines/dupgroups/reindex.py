"""Write stored documents again as they are, so that searches find them as this version stores words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dupgroups.batches import batches
from dupgroups.engines.base import Engine
from dupgroups.errors import ConflictError
from dupgroups.model import Seen

BATCH = 200  # documents that are written together
TRIES = 10


def reindex(engine: Engine, progress: Callable[[int], None] = lambda documents: None) -> int:
    """Write every document again; returns how many. `progress` gets the size of each batch.

    Groups, heads and everything else stay as they are, also while others write. Raises EngineError.
    """
    written = 0
    for ids in batches((document.record.id for document in engine.scan()), BATCH):
        written += _write_again(engine, ids)
        progress(len(ids))
    return written


def _write_again(engine: Engine, ids: Sequence[str]) -> int:
    """Read and write documents until nobody else has written them in between."""
    for attempt in range(TRIES):
        version = engine.version()
        documents = list(engine.read(ids).values())
        heads = engine.heads(sorted({document.record.group for document in documents}))
        seen = Seen(version, {document.record.id: document.record.version for document in documents})
        try:
            engine.put(
                documents, heads={group: heads_[0].id for group, heads_ in heads.items() if heads_}, seen=seen
            )
            break
        except ConflictError:
            if attempt == TRIES - 1:
                raise
    return len(documents)
