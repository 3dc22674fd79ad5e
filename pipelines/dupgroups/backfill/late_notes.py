"""What is noted of documents that a run changed after its parts were written."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dupgroups.backfill.intermediate_files import lines_of, write_lines
from dupgroups.backfill.run_directory import RunDirectory
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


def note(directory: RunDirectory, written: Mapping[str, Version], stored: Mapping[str, Stored]) -> None:
    """Add documents with their new versions, and with what was there before if that was `stored`."""
    if not written:
        return
    torn = not _ends_a_line(directory.late)
    with directory.late.open("a", encoding="utf-8", errors="surrogatepass") as file:
        file.write("\n" if torn else "")
        for id_, version in written.items():
            one = stored.get(id_)
            before, routing = (one.before, one.routing) if one else ({}, None)
            write_lines(file, [json.dumps([id_, version, before, routing])])


def _ends_a_line(path: Path) -> bool:
    """Whether a file ends as it should, or is not there or empty: who wrote it may have been killed."""
    if not path.exists() or not path.stat().st_size:
        return True
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def late_documents(directory: RunDirectory) -> dict[str, Late]:
    """The documents that were changed after the parts, by id; torn lines are passed over."""
    found: dict[str, Late] = {}
    for line in lines_of(directory.late) if directory.late.exists() else ():
        if later := _late(line):
            first = found.get(later.id)
            found[later.id] = replace(first, version=later.version) if first else later
    return found


def _late(line: str) -> Late | None:
    """None for a torn line, which is the beginning of an array."""
    try:
        id_, version, before, routing = json.loads(line)
    except json.JSONDecodeError:
        return None
    return Late(id_, (version[0], version[1]), before, routing)
