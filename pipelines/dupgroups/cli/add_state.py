"""How far `dup-groups add` has read its files: a small JSON file, so that a later run goes on from there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupgroups.bulk.inputs.rows import STDIN
from dupgroups.cli.files import written
from dupgroups.engines.base import Store
from dupgroups.errors import InputError

if TYPE_CHECKING:
    from dupgroups.flow.ingest import ItemResult


class AddState:
    """The number of pages of each file that are stored. A file that has changed is read from its beginning,
    and so is one whose last page is not in the store any more. Of standard input nothing is kept.
    `passed_over` counts the pages that `done` found.
    """

    def __init__(self, path: Path, store: Store) -> None:
        self.passed_over = 0
        self._path = path
        self._store = store
        self._files = _read(path)
        self._stamps: dict[Path, dict[str, int]] = {}

    def done(self, file: Path) -> int:
        """The number of pages at the beginning of a file that are stored already; to be asked for first."""
        known = self._files.get(self._key(file), {})
        if file == STDIN or not file.exists():
            return 0  # who reads it says so
        self._stamps[file] = stamp = _stamp(file)  # as it was before it was read
        if {**known, **stamp} != known or not self._is_stored(known.get("last")):
            return 0
        self.passed_over += known["pages"]
        return int(known["pages"])

    def note(self, file: Path, pages: int, results: Sequence[ItemResult]) -> None:
        """So many pages of a file are stored, with these results of the last ones."""
        ids = [result.id for result in results if result.id]
        if file not in self._stamps or not ids:
            return
        self._files[self._key(file)] = {**self._stamps[file], "pages": pages, "last": ids[-1]}
        with written(self._path) as out:
            json.dump(self._files, out, indent=1)

    def _key(self, file: Path) -> str:
        return f"{self._store.name} {file.resolve()}"

    def _is_stored(self, id_: object) -> bool:
        return isinstance(id_, str) and id_ in self._store.get([id_])


def _stamp(file: Path) -> dict[str, int]:
    """What changes with the contents of a file, or with those of a folder."""
    files = [file, *file.rglob("*")] if file.is_dir() else [file]
    stats = [one.stat() for one in files]
    return {
        "bytes": sum(stat.st_size for stat in stats),
        "changed": max(stat.st_mtime_ns for stat in stats),
        "files": len(stats),
    }


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}; delete it to read all files again") from error
    if not isinstance(known, Mapping) or not all(isinstance(value, dict) for value in known.values()):
        raise InputError(f"{path} is not a file of dup-groups add: name another with --state")
    return dict(known)
