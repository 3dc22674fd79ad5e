"""The files of a run as lines of JSON: what a process that signs hands to those that group and write."""

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from dupgroups.engines.common import lines_of_ties, ties_of_lines
from dupgroups.model import Record, Signature, Tie
from dupgroups_es.positions import Version


@dataclass(frozen=True, slots=True)
class Signed:
    """A document that is signed but not grouped. `record` has its former times, if it had any.

    `former` is its group until now, and whether it was the head of it; `same`: nothing else of the record has
    changed. `order`, `version` and `routing` are those of `Stored`.
    """

    record: Record
    version: Version
    former: tuple[str, bool] | None = None
    same: bool = False
    routing: str | None = None
    order: float | str | None = None


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
    """The values that the age of a document depends on: `first_seen` is 0 for one that was never grouped."""

    first_seen: int
    order: float | str | None
    former: Sequence[object] | None


def dump(signed: Signed) -> str:
    """One line: a short array with what its `Prefix` needs, and the rest after a tab."""
    record, signature = signed.record, signed.record.signature
    prefix = _line(record.first_seen if signed.former else 0, signed.order, signed.former)
    rest = _line(
        *(record.id, record.host, signature.scheme, signature.keys),
        base64.b64encode(signature.body).decode("ascii"),
        *(record.last_seen, record.fingerprint, record.length, record.canonical, record.published),
        *(signed.version, signed.same, signed.routing),
    )
    return f"{prefix}\t{rest}"


def prefix_of(line: str) -> Prefix:
    """The beginning of a line that `dump` made."""
    return Prefix(*json.loads(line.partition("\t")[0]))


def load(line: str) -> Signed:
    """Read a line of `dump`."""
    prefix, _, values = line.partition("\t")
    first_seen, order, former = Prefix(*json.loads(prefix))
    id_, host, scheme, keys, body, last_seen, *rest = json.loads(values)
    fingerprint, length, canonical, published, version, same, routing = rest
    signature = Signature(scheme, tuple(keys), base64.b64decode(body))
    times = (first_seen, last_seen)
    record = Record(id_, id_, host, signature, *times, fingerprint, length, canonical, published)
    group = (str(former[0]), bool(former[1])) if former else None
    return Signed(record, (version[0], version[1]), group, same, routing, order)


def dump_assignment(place: Assignment) -> str:
    """One line."""
    return _line(place.group, place.head, place.first_seen, *lines_of_ties(place.ties))


def load_assignment(line: str) -> Assignment:
    """Read a line of `dump_assignment`."""
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
