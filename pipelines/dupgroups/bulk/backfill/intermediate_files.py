"""The files of a run as lines of JSON.

They hold what a process that signs hands to those that group and write, and what is noted of documents that
the run changed after its parts were written.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from dupgroups.bulk.backfill.run_directory import RunDirectory
from dupgroups.engines.common import lines_of_ties, ties_of_lines
from dupgroups.engines.parts import Stored, Version
from dupgroups.model import Record, Signature, Tie


@dataclass(frozen=True, slots=True)
class Signed:
    """A document that is signed but not grouped. `record` has its former times, if it had any.

    `former` is its group until now, and whether it was the head of it; `same`: nothing else of the record has
    changed. `order`, `version`, `routing` and `before` are those of `Stored`.
    """

    record: Record
    version: Version
    former: tuple[str, bool] | None = None
    same: bool = False
    routing: str | None = None
    order: float | str | None = None
    before: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assignment:
    """Where grouping puts a document: its group, whether it is the head of it, since when it is known
    (microseconds since 1970), and what ties it to others.
    """

    group: str
    head: bool
    first_seen: int
    ties: tuple[Tie, ...] = ()


class Prefix(NamedTuple):
    """What the age of a document depends on: `first_seen` is 0 for one that was never grouped."""

    first_seen: int
    order: float | str | None
    former: Sequence[object] | None


def dump(signed: Signed) -> str:
    """One line: a short array with what its `Prefix` needs, and the rest after a tab."""
    record, signature = signed.record, signed.record.signature
    prefix = _line(record.first_seen if signed.former else 0, signed.order, signed.former)
    rest = _line(
        record.id,
        record.host,
        signature.scheme,
        signature.keys,
        base64.b64encode(signature.body).decode("ascii"),
        record.last_seen,
        record.fingerprint,
        record.length,
        record.canonical,
        record.published,
        signed.version,
        signed.same,
        signed.routing,
        signed.before,
    )
    return f"{prefix}\t{rest}"


def prefix_of(line: str) -> Prefix:
    """The beginning of a line that `dump` made."""
    return Prefix(*json.loads(line.partition("\t")[0]))


def load(line: str) -> Signed:
    """What `dump` made a line of."""
    prefix, _, values = line.partition("\t")
    first_seen, order, former = Prefix(*json.loads(prefix))
    id_, host, scheme, keys, body, last_seen, *rest = json.loads(values)
    fingerprint, length, canonical, published, version, same, routing, before = rest
    signature = Signature(scheme, tuple(keys), base64.b64decode(body))
    times = (first_seen, last_seen)
    record = Record(id_, id_, host, signature, *times, fingerprint, length, canonical, published)
    group = (str(former[0]), bool(former[1])) if former else None
    return Signed(record, (version[0], version[1]), group, same, routing, order, before)


def dump_assignment(place: Assignment) -> str:
    """One line."""
    return _line(place.group, place.head, place.first_seen, *lines_of_ties(place.ties))


def load_assignment(line: str) -> Assignment:
    """What `dump_assignment` made a line of."""
    group, head, first_seen, *ties = json.loads(line)
    return Assignment(group, head, first_seen, ties_of_lines(ties))


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file."""
    with path.open(encoding="utf-8", errors="surrogatepass") as file:
        yield from file


def write_lines(file: Any, lines: Iterable[str]) -> None:
    """Append lines."""
    file.writelines(f"{line}\n" for line in lines)


def _line(*values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


# -- what was changed after the parts


@dataclass(frozen=True, slots=True)
class Late:
    """A document that was changed after the parts were written: its version since then, and what it was
    before, which says nothing of a document that is in a part.
    """

    id: str
    version: Version
    before: dict[str, Any] = field(default_factory=dict)
    routing: str | None = None


def note_late(directory: RunDirectory, written: Mapping[str, Version], stored: Mapping[str, Stored]) -> None:
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
