"""What others write while a bulk run is at work: without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.backfill.intermediate_files import (
    Assignment,
    Signed,
    dump,
    dump_assignment,
    write_lines,
)
from dupgroups.bulk.backfill.late import settle_late
from dupgroups.bulk.backfill.pace import Pace
from dupgroups.bulk.backfill.run_directory import Run, RunDirectory
from dupgroups.engines.parts import ForeignIndex, Position, ShardSlice, Stored, Version
from dupgroups.engines.sqlite import SQLiteEngine
from stories import reprint, story

VERSION: Version = (1, 1)


class Parted(SQLiteEngine):
    """Documents of other tools in memory, with what `settle_late` needs to know of others' writes."""

    def __init__(self) -> None:
        super().__init__()
        self.operations = 0
        self.late: dict[str, Page] = {}

    def overwrite(self, page: Page) -> None:
        """Another tool writes a whole document, which has no group then."""
        self.delete([str(page.id)])
        self.late[str(page.id)] = page
        self.operations += 1

    def remove(self, id_: str) -> None:
        """Another tool deletes a document."""
        self.delete([id_])
        self.operations += 1

    def mark(self) -> object:
        return None

    def position(self) -> Position:
        return {"shard": self.operations}

    def written_since(
        self, position: Position, is_own: Callable[[str, Version], bool]
    ) -> Iterator[list[str]]:
        if ids := [id_ for id_ in self.late if not self.get([id_])]:
            yield ids

    def again(self, ids: Sequence[str]) -> list[Stored]:
        records = self.get(ids)
        return [Stored(self.late[id_], records.get(id_), VERSION) for id_ in ids]


def just_written(above: Path, index: Parted, texts: Sequence[str]) -> RunDirectory:
    """A run that has put these documents, with the ids a, b, c, ..., into the index."""
    pages = [Page(id=chr(ord("a") + place), text=text) for place, text in enumerate(texts)]
    Deduper(index).add_all(pages)
    records = [document.record for document in index.scan()]
    index.operations = len(records)
    part = ShardSlice(0, -1, len(records))
    run = Run("run", "index", "", "", 1, {"shard": 0}, (part,), "settling")
    folder = RunDirectory.create(above, run)
    with folder.writing(0, "signed") as file:
        write_lines(file, [dump(Signed(record, VERSION)) for record in records])
    with folder.writing(0, "grouped") as file:
        places = [Assignment(record.group, record.is_head, record.first_seen) for record in records]
        write_lines(file, map(dump_assignment, places))
    with folder.writing(0, "written") as file:
        write_lines(file, ["[1, 1]"] * len(records))
        file.write(f'{{"states": {{}}, "failures": {{}}, "written": {len(records)}}}')
    return folder


def groups(index: Parted) -> dict[str, tuple[str, bool]]:
    return {document.record.id: (document.record.group, document.record.is_head) for document in index.scan()}


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ("a", {"b": ("b", True), "c": ("b", False)}),
        ("b", {"a": ("a", True), "c": ("a", False)}),
    ],
)
@pytest.mark.parametrize("replaced", [False, True])
def test_a_group_whose_name_or_head_others_delete_or_replace_gets_another(
    tmp_path: Path, gone: str, replaced: bool, expected: dict[str, tuple[str, bool]]
) -> None:
    index = Parted()
    folder = just_written(tmp_path, index, [reprint(story("one"), copy) for copy in range(3)])
    Deduper(index).correct("head", gone, by="test")
    if replaced:
        index.overwrite(Page(id=gone, text=story("another")))
    else:
        index.remove(gone)
    settle_late(folder, cast(ForeignIndex, index), Config())
    assert groups(index) == {**expected, **({gone: (gone, True)} if replaced else {})}


def test_the_rate_holds_for_what_comes_late_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[int] = []
    monkeypatch.setattr(Pace, "__call__", lambda pace, documents: passed.append(documents))
    index = Parted()
    folder = just_written(tmp_path, index, [reprint(story("one"), copy) for copy in range(3)])
    for number in range(2):
        index.overwrite(Page(id=f"new{number}", text=story(f"new{number}")))
    settle_late(folder, cast(ForeignIndex, index), Config(), rate=7.0)
    assert passed == [2, 1]  # the new documents, and the name of the group of several
