"""How a bulk run groups the documents of its parts, and what it notes of each: without a server."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.bulk import resign
from dupgroups.bulk.processes import Pool
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import InputError
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.model import Content, Document, Record
from dupgroups_es.backfill.assign import assign
from dupgroups_es.backfill.intermediate_files import Signed, dump, write_lines
from dupgroups_es.backfill.run_directory import DEFAULT, Run, RunDirectory
from dupgroups_es.backfill.workers import read_placed
from dupgroups_es.sliced import ShardSlice
from stories import reprint, story

METHODS = MethodSet()
MORNING = 1_772_618_700_000_000  # 4 March 2026


def records(texts: dict[str, str]) -> list[Record]:
    """The signed documents with these ids."""
    pages = [Page(id=id_, text=text) for id_, text in texts.items()]
    return [document.record for document in sign_all(pages, METHODS)]


def assigned(above: Path, parts: Sequence[Sequence[Record]], config: Config) -> list[list[Record]]:
    """What the documents of each part get; of the dates of all, each is later than the one before."""
    cut = tuple(ShardSlice("news", number, -1, len(part)) for number, part in enumerate(parts))
    folder = RunDirectory.create(above, Run("run", "index", "", "", MORNING, {}, cut))
    order = 0.0
    for number, part in enumerate(parts):
        with folder.writing(number, "signed") as file:
            for record in part:
                order += 1
                write_lines(file, [dump(Signed(record, (1, 1), order=order))])
    methods = {"judge": METHODS.judge, "second_look": METHODS.second_look}
    tools: Any = SimpleNamespace(directory=folder, job=SimpleNamespace(config=config), **methods)
    assign(folder, Pool(1, lambda given: tools, None), config, ())
    return [[record for _, record in read_placed(folder, number)] for number in range(len(parts))]


@pytest.mark.parametrize("head", ["oldest", "fullest"])
def test_an_id_on_two_shards_is_in_one_group_and_one_of_the_two_counts(tmp_path: Path, head: str) -> None:
    one = records({"twice": story("one"), "copy": reprint(story("one"), 1), "other": story("three")})
    two = records({"twice": reprint(story("one"), 2), "last": story("two")})
    first, second = assigned(tmp_path, [one, two], Config(head=head))
    names = [record.group for record in [*first, *second]]
    assert names == ["twice", "twice", "other", "twice", "last"]
    for group in ("twice", "other", "last"):
        assert sum(record.is_head for record in [*first, *second] if record.group == group) == 1


def test_who_published_first_is_elected_among_documents_that_were_never_seen_before(tmp_path: Path) -> None:
    copies = records({name: reprint(story("one"), place) for place, name in enumerate("abc")})
    dated = [replace(copies[0], published=20_000_000), replace(copies[1], published=19_999_999), copies[2]]
    (found,) = assigned(tmp_path, [dated], Config(head="published"))
    assert [(record.group, record.is_head) for record in found] == [("a", False), ("a", True), ("a", False)]


def test_what_ties_a_document_is_in_its_group(tmp_path: Path) -> None:
    """Texts that move on through a long one, which average linkage divides; the live flow is the oracle."""
    words = story("long", 900).split()
    pages = [" ".join(words[start : start + 300]) for start in range(0, 450, 15)]
    signed = records({f"p{place:02}": text for place, text in enumerate(pages)})
    (found,) = assigned(tmp_path, [signed], Config())
    live = SQLiteEngine()
    Deduper(live).add_signed([Document(record, Content("")) for record in signed])
    one, other = (
        {record.id: (record.group, [tie.other for tie in record.ties]) for record in records_}
        for records_ in (found, [document.record for document in live.scan()])
    )
    assert one == other
    assert len({group for group, _ in one.values()}) > 1
    assert all(one[tied][0] == group for group, ties in one.values() for tied in ties)


def test_no_more_documents_pass_than_the_rate_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(resign, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    passing, passed = resign.Pace(1000), []
    for _ in range(3):
        passing(50)
        passed.append(round(now[0], 3))
    assert passed == [0.0, 0.05, 0.1]
    resign.Pace(None)(10**9)
    assert round(now[0], 3) == 0.1


def test_the_last_run_takes_the_default_folder_along(tmp_path: Path) -> None:
    kept, default = tmp_path / "work", tmp_path / DEFAULT
    for above in (kept, default):
        runs = [RunDirectory.create(above, Run(name, "index", "", "", MORNING, {}, ())) for name in "ab"]
        runs[0].remove()
        assert [one.name for one in above.iterdir()] == ["b"]
        runs[1].remove()
    assert not default.exists()
    assert kept.is_dir(), "somebody else made it, for --work"


def test_a_full_disk_below_the_work_folder_is_explained(tmp_path: Path) -> None:
    folder = RunDirectory.create(tmp_path, Run("run", "index", "", "", MORNING, {}, ()))
    (folder.path / f"0001.signed.{os.getpid()}").symlink_to("/dev/full")
    with pytest.raises(InputError, match=r"No space left.*--work"), folder.writing(1, "signed") as file:
        file.write("x")
