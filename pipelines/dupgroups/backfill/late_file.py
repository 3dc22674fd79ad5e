"""What is noted of documents that a run changed after its parts were written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dupgroups.backfill.folder import Folder
from dupgroups.backfill.spill import lines_of, write_lines
from dupgroups.engines.parts import Stored, Version


@dataclass(frozen=True, slots=True)
class Late:
    """A document that was changed after the parts were written: its version since then, and what it was
    before, which says nothing of a document that is in a part.
    """

    id: str
    version: Version
    before: dict[str, Any] = field(default_factory=dict)
    routing: str | None = None


def note(folder: Folder, written: Mapping[str, Version], stored: Mapping[str, Stored]) -> None:
    """Add documents with their new versions, and with what was there before if that was `stored`."""
    with folder.late.open("a", encoding="utf-8", errors="surrogatepass") as file:
        for id_, version in written.items():
            one = stored.get(id_)
            before, routing = (one.before, one.routing) if one else ({}, None)
            write_lines(file, [json.dumps([id_, version, before, routing])])


def late_documents(folder: Folder) -> dict[str, Late]:
    """The documents that were changed after the parts, by id; a torn last line is passed over."""
    found: dict[str, Late] = {}
    for line in lines_of(folder.late) if folder.late.exists() else ():
        if line.endswith("\n"):
            id_, version, before, routing = json.loads(line)
            first = found.get(id_)
            later = Late(id_, (version[0], version[1]), before, routing)
            found[id_] = replace(first, version=later.version) if first else later
    return found
