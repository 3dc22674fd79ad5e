"""No command writes over what it reads, or makes a file by reading; a place to write is checked first."""

import gzip
import json
from pathlib import Path

import pytest

from commands import cli, error, news
from dupgroups import Page
from dupgroups_papers.corpus.frequencies import Frequencies
from stories import story

PACK, NEWS = "pack/pages.jsonl.gz", ["news/docs.jsonl.gz", "news/pairs.csv"]
LABELLED, LABELS = "--docs docs.jsonl --labels pairs.csv", ["docs.jsonl", "pairs.csv"]
READ = {
    "train articles pack --out": [PACK],
    "train extraction pack --out": [PACK],
    "train fields pack --out": [PACK],
    "train judge news --out": NEWS,
    "train names docs.jsonl --out": ["docs.jsonl"],
    "train rarity docs.jsonl --written-in sw --out": ["docs.jsonl"],
    f"calibrate {LABELLED} --out": LABELS,
    "frequencies docs.jsonl --out": ["docs.jsonl"],
    "frequencies --engine sqlite:///news.db --out": ["news.db", "news.db-wal"],
    "group docs.jsonl --config methods.toml --out": ["docs.jsonl", "methods.toml"],
    "group docs.jsonl --out out.csv --pairs": ["docs.jsonl", "out.csv"],
    "groups --engine sqlite:///news.db --out": ["news.db"],
    "replay --engine sqlite:///news.db": ["news.db"],
}
"""What each command reads, by its words before the place of its result."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder that holds one of each file that commands read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pack").mkdir()
    (tmp_path / PACK).write_bytes(gzip.compress(b"{}"))
    (tmp_path / "news").mkdir()
    for name in NEWS:
        (tmp_path / name).write_bytes(gzip.compress(b"{}"))
    (tmp_path / "docs.jsonl").write_text(json.dumps({"id": "1", "text": story("a")}) + "\n")
    (tmp_path / "pairs.csv").write_text("a,b,label\n1,2,duplicate\n")
    Frequencies.of_texts([story("a")] * 2, 2, 1, 1000).save(tmp_path / "words.npz")
    (tmp_path / "methods.toml").write_text(
        '[methods.en]\nsigner = { name = "cosine", frequencies = "words.npz" }\n'
    )
    news(tmp_path, [Page(id="1", text=story("a"))])
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def refused(command: str, place: str | Path, because: str) -> None:
    assert because in error(*command.split(), place)


@pytest.mark.parametrize("command", READ)
def test_no_command_writes_over_what_it_reads(folder: Path, command: str) -> None:
    before = contents(folder)
    for read in READ[command]:
        refused(command, read, "is also read or written by this command")
        (folder / "link").symlink_to(folder / read)
        refused(command, "link", "is also read or written by this command")
        (folder / "link").unlink()
    assert contents(folder) == before


@pytest.mark.parametrize("command", [one for one in READ if not one.startswith(("groups", "replay"))])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(folder: Path, command: str) -> None:
    for read in (folder / "docs.jsonl", folder / PACK, *map(folder.joinpath, NEWS)):
        read.unlink()  # what is read before the check is missed
    refused(command, "pack", "cannot be written: Is a directory")
    refused(command, "missing/out", "cannot be written: No such file")
    if not command.startswith("group"):
        refused(command, "-", "this result cannot go to standard output (-): name a file")


@pytest.mark.parametrize("command", ["group docs.jsonl --out", "frequencies docs.jsonl --least 1 --out"])
def test_a_link_as_the_place_of_a_result_stays_a_link(folder: Path, command: str) -> None:
    (folder / "link").symlink_to("pack/result")
    cli(*command.split(), "link")
    assert ((folder / "link").is_symlink(), (folder / "pack" / "result").is_file()) == (True, True)


@pytest.mark.parametrize("command", ["replay", "stats --dead-letters", "add docs.jsonl --dead-letters"])
def test_a_folder_is_no_file_of_dead_letters(folder: Path, command: str) -> None:
    assert "'pack' is a directory" in cli(*command.split(), "pack", status=2).output
    assert not (folder / "pack.replaying").exists()


# -- which engine a command works on


READING = ["doctor", "backfill", "stats", "regroup --all", "delete a", "search x", "groups", "explain a b"]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, without an engine in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DUPGROUPS_ENGINE", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.mark.parametrize("command", READING)
def test_a_command_that_reads_makes_no_file(command: str, empty: Path) -> None:
    words = command.split()
    assert f"there is no file {empty / 'dup-groups.db'}: " in error(*words)
    assert f"there is no file {empty / 'nwes.db'}: " in error(*words, "--engine", "sqlite:///nwes.db")
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("command", ["search x", "serve"])
def test_the_option_goes_before_the_environment(
    command: str, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUPGROUPS_ENGINE", "environ://")
    assert "'environ'" in error(*command.split())
    assert "'option'" in error(*command.split(), "--engine", "option://")


def test_doctor_takes_a_file_away_after_it_has_named_it(tmp_path: Path) -> None:
    url = news(tmp_path, [Page(text="A ferry has sunk in the north.")])
    remove = ("doctor", "--remove", "--engine", url)
    assert "news.db: a file with documents" in cli(*remove, status=1).stderr
    assert (tmp_path / "news.db").exists()
    cli(*remove, "--yes")
    assert list(tmp_path.iterdir()) == []
