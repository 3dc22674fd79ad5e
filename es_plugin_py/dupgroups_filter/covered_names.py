"""Which writes are covered: where the name in the URL leads, as far as is known, prepared to be signed."""

import asyncio
import logging
import time
from collections.abc import Mapping

from dupgroups.engines import EngineURL, open_engine
from dupgroups.errors import ConfigError, DupGroupsError
from dupgroups.model.field_names import Fields
from dupgroups_es.base import ClusterEngine
from dupgroups_es.index_names import Place, check, matcher, prepare_places

LOOK_SECONDS = 5.0  # seconds between two looks at what the names stand for, while something is written
# seconds between two of them while something is written into an index that was not seen yet
NEW_INDEX_SECONDS = 1.0
WAIT_SECONDS = 1.0  # seconds that one write waits for a look, after a request that may have changed the names

log = logging.getLogger(__name__)


class Names:
    """Where the names lead, as far as is known. Use it within one event loop."""

    def __init__(self, url: EngineURL, fields: Fields | None) -> None:
        self._url = url
        self._name = url.path
        self._given = fields
        self._engine: ClusterEngine | None = None
        self._matches = matcher(url.path)
        self._places: Mapping[str, Place] = {}
        self._looking: asyncio.Task[None] | None = None
        self._is_awaited = False
        self._looked = self._due = 0.0
        self.trouble = ""

    @property
    def fields(self) -> Fields:
        """Those of the documents: as given, as the index keeps them, or the default ones."""
        return self._given or Fields()

    def place(self, name: str | None) -> Place | None:
        """The covered index that is written into under a name; one that is not ready if it may come later."""
        if name is None:
            return None
        if place := self._places.get(name):
            return None if place.is_own else place
        only_reads = bool(self._places) and name == self._name  # an alias without a write index
        return Place(name) if self._matches(name) and not only_reads else None

    def expire(self) -> None:
        """The names may stand for other indices from now on: the next write waits for a look."""
        self._due, self._is_awaited = 0.0, True

    def look_soon(self) -> None:
        """There may be an index that was not seen yet."""
        self._due = min(self._due, self._looked + NEW_INDEX_SECONDS)

    async def renew(self) -> None:
        """Look what the names stand for, if that may have changed."""
        if time.monotonic() > self._due and self._looking is None:
            self._looking = asyncio.create_task(self.refresh())
        if self._is_awaited and self._looking:
            self._is_awaited = False
            await asyncio.wait({self._looking}, timeout=WAIT_SECONDS)

    async def refresh(self) -> None:
        """Look now. What goes wrong is told by `trouble`, and tried again."""
        self._looked = time.monotonic()
        self._due = self._looked + LOOK_SECONDS
        try:
            look = lambda: prepare_places(self._open_engine().cluster, self._name, self.fields)  # noqa: E731
            self._places, self.trouble = await asyncio.to_thread(look)
        except DupGroupsError as error:
            self.trouble = str(error)
        except Exception:
            log.exception("What the names stand for could not be read; tried again with the next write")
        finally:
            self._looking = None

    def check(self) -> None:
        """Before the first look. See `dupgroups_es.index_names.check`."""
        try:
            engine = self._open_engine()
            kept = engine.kept_fields()
            self._given = self._given or kept
            check(engine, self.fields)
            self._given = kept or self._given  # the same names, with the format of dates
        except ConfigError:
            raise
        except DupGroupsError as error:
            log.warning("%s", error)

    def _open_engine(self) -> ClusterEngine:
        if self._engine is None:
            engine = open_engine(self._url)
            assert isinstance(engine, ClusterEngine)
            self._engine = engine
        return self._engine

    def close(self) -> None:
        if self._engine:
            self._engine.close()
