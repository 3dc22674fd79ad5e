"""Batch grouping: the groups of the live flow, whatever the number of processes, and tidy files."""

import gzip
from pathlib import Path

import pytest

from cli.files import table
from commands import cli, error
from dupgroups import Page
from dupgroups.bulk.offline.bulk import describe_repeated
from dupgroups.bulk.offline.page_groups import group_pages
from stories import reprint, reprints, story

PAGES = list(reprints(stories=8, copies=4).values())


def test_copies_are_together_named_by_the_first_whatever_the_number_of_processes() -> None:
    alone, spread = group_pages(PAGES, processes=1), group_pages(PAGES, processes=2)
    assert alone == spread
    assert alone.groups == {page.id: f"{page.id.split('/')[0]}/0" for page in PAGES if page.id}
    assert alone.pairs


def test_of_one_id_the_last_counts_in_the_place_of_the_first() -> None:
    pages = [
        Page(id="a", text=story("old")),
        Page(id="b", text=story("new")),
        Page(id="a", text=reprint(story("new"), 0)),
    ]
    result = group_pages(pages, processes=1)
    assert (result.groups, result.repeated) == ({"a": "a", "b": "a"}, ("a",))


@pytest.mark.parametrize(
    ("ids", "warning"),
    [
        ("abc", ""),
        ("aba", "1 document has an id that came before, and the last of each id counts: a"),
        (
            "abcdefgfedcba",
            "6 documents have ids that came before, and the last of each id counts: f, e, d, c, b, ...",
        ),
    ],
)
def test_ids_that_come_again_are_counted_and_the_first_are_named(ids: str, warning: str) -> None:
    pages = [Page(id=name, text=story(f"{name}{place}")) for place, name in enumerate(ids)]
    assert describe_repeated(group_pages(pages, processes=1).repeated) == warning


# -- the command


ROWS = [
    {"id": 7, "text": story("a")},
    {"url": "http://a.example/1", "html": f"<p>{story('a')}</p>", "text": "unlike"},
    {"text": story("b"), "lang": "en"},
]
DOCUMENTS = table(ROWS, "jsonl")


def test_a_file_becomes_two_files(tmp_path: Path) -> None:
    source, out, pairs = tmp_path / "docs", tmp_path / "groups.csv", tmp_path / "pairs.csv"
    source.write_bytes(gzip.compress(DOCUMENTS))  # its name does not say so
    assert cli("group", source, "--out", out, "--pairs", pairs).stdout == "3 documents in 2 groups\n"
    assert out.read_text() == "id,group\n7,7\nhttp://a.example/1,7\nline 3,line 3\n"
    assert pairs.read_text().startswith("a,b,score,relation\n7,http://a.example/1,")
    assert pairs.read_text().endswith(",duplicate\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "groups.csv", "pairs.csv"]


def test_what_an_earlier_file_has_is_told_whatever_the_ids_there(tmp_path: Path) -> None:
    source, against, out, pairs = (tmp_path / name for name in ("new", "old", "groups.csv", "pairs.csv"))
    texts = {"1": reprint(story("a"), 0), "2": story("b"), "3": reprint(story("b"), 0)}
    source.write_bytes(table([{"id": id_, "text": text} for id_, text in texts.items()], "jsonl"))
    old = [{"id": "x", "text": story("a")}, {"id": "y", "text": story("a")}, {"id": "2", "text": story("c")}]
    against.write_bytes(table(old, "jsonl"))
    said = cli("group", source, "--against", against, "--out", out, "--pairs", pairs).stdout
    assert said == "3 documents, 1 of them known\n"
    assert out.read_text() == "id,group,known\n1,x,true\n2,2,false\n3,2,false\n"
    names = sorted(line.split(",")[:2] for line in pairs.read_text().splitlines()[1:])
    assert names == [["2", "3"], ["x", "1"], ["y", "1"]]
    apart = tmp_path / "apart.csv"
    apart.write_text("kind,a,b\nkeep-apart,1,x\nkeep-apart,1,y\n")
    cli("group", source, "--against", against, "--out", out, "--corrections", apart)
    assert out.read_text().startswith("id,group,known\n1,1,false\n")
    assert "only one of the documents" in error("group", "-", "--against", "-", "--out", out)


def test_an_unusable_file_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    source, out = tmp_path / "docs", tmp_path / "groups.csv"
    assert "cannot be read" in error("group", source, "--out", out), "it is not there yet"
    source.write_bytes(b"nothing\nhere\n")
    assert "no line is a document; line 1: not JSON" in error("group", source, "--out", out)
    assert not out.exists()
