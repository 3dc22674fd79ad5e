"""Corrections of people: a small index beside the documents, one entry a document, `_id` is its number.

It is read once by each writer, and again when it settles or enters something; no batch asks for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any
from urllib.parse import quote

from dupgroups.engines.common import OVERTAKEN
from dupgroups.errors import ConflictError, EngineError
from dupgroups.model import Correction
from dupgroups_es import queries, shapes
from dupgroups_es.cluster import Cluster
from dupgroups_es.mapping import side_body
from dupgroups_es.transport import Action


class CorrectionLog:
    """The log of one index. The index of the log is made with its first entry."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.name = name
        self._cluster = cluster
        self._log: tuple[Correction, ...] | None = None

    def log(self, *, fresh: bool) -> Sequence[Correction]:
        """All entries, as they were read last unless `fresh`."""
        if self._log is None or fresh:
            read = tuple(map(_entry, self._hits()))
            self._log = self._log if self._log == read else read
        return self._log or ()

    def _hits(self) -> list[dict[str, Any]]:
        hits: list[dict[str, Any]] = []
        while len(hits) % queries.PAGE_DOCUMENTS == 0:
            by_number = {"number": {"order": "asc", "unmapped_type": "long"}}
            after = [hits[-1]["sort"][0] if hits else 0]
            body = queries.page_body(queries.MATCH_ALL, True, sort=[by_number], search_after=after)
            answer = self._cluster.send(
                "POST",
                f"/{quote(self.name, safe='')}/_search",
                body,
                shape=partial(shapes.hits_of, body=body),
                ignore_unavailable="true",  # there is no such index before the first entry
                allow_partial_search_results="false",
            )
            if not answer["hits"]["hits"]:
                break
            hits += answer["hits"]["hits"]
        return hits

    def add(self, entry: Correction) -> None:
        """Add an entry. Raises ConflictError if its number is taken."""
        if not self._cluster.index(self.name):
            self._cluster.create_index(self.name, side_body("corrections"))
        self._write(entry, create=True)
        is_next = self._log is not None and len(self._log) == entry.number - 1
        self._log = (*(self._log or ()), entry) if is_next else None

    def carried_out(self, number: int) -> None:
        log = list(self.log(fresh=False))
        for place, entry in enumerate(log):
            if entry.number == number:
                log[place] = replace(entry, carried_out=True)
                self._write(log[place], create=False)
        self._log = tuple(log)

    def _write(self, entry: Correction, *, create: bool) -> None:
        source = {"number": entry.number, "entry": asdict(entry)}
        written = self._cluster.write([Action("index", self.name, str(entry.number), source, create=create)])
        self._cluster.refresh(self.name)  # who reads the log next sees it, without the right to refresh
        if written.overtaken:
            raise ConflictError(f"{self._cluster.name}: {OVERTAKEN}", ids=())
        if written.failures:
            reason = next(iter(written.failures.values()))
            raise EngineError(f"{self._cluster.name} refused the correction: {reason}")


def _entry(hit: Mapping[str, Any]) -> Correction:
    values = hit["_source"]["entry"]
    tuples = {name: tuple(values.get(name, ())) for name in ("ids", "marks")}
    return Correction(**{**values, **tuples})
