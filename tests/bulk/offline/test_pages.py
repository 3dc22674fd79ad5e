"""Batch grouping: the groups of the live flow, whatever the number of processes, and tidy files."""

from __future__ import annotations

import gzip
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from cli.files import table
from commands import cli, error
from dupgroups import Config, Page
from dupgroups.bulk.offline.bulk import came_before
from dupgroups.bulk.offline.pages import group_pages
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.model.config import Method, Step
from stories import reprint, reprints, running_text, story

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
    assert came_before(group_pages(pages, processes=1).repeated) == warning


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


def test_broken_lines_are_reported_by_number_and_left_out(tmp_path: Path) -> None:
    source, out = tmp_path / "docs", tmp_path / "groups.csv"
    broken = [b"{", b"[1]", b'{"id": 1}', b'{"text": {"a": 5}}', b'{"text": "\xff"}', b"", b"[" * 100_000]
    source.write_bytes(DOCUMENTS + b"\n".join(broken))
    source.write_bytes(source.read_bytes() + DOCUMENTS.replace(b'"id": ', b'"id": 1') + DOCUMENTS)
    output = cli("group", source, "--out", out).output
    assert "documents in 2 groups; 6 broken lines left out" in output
    reasons = ("not JSON", "not a JSON object", "it has neither html nor text", "text is not text (dict)")
    for number, reason in enumerate(reasons, start=4):
        assert f"line {number}: {reason}" in output


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"nothing\nhere\n", "no line is a document; line 1: not JSON"),
        (gzip.compress(DOCUMENTS, mtime=0)[:-20], "the gzip file is damaged"),
    ],
)
def test_an_unusable_file_is_refused_and_leaves_nothing(tmp_path: Path, content: bytes, message: str) -> None:
    source, out = tmp_path / "docs", tmp_path / "groups.csv"
    assert "cannot be read" in error("group", source, "--out", out), "it is not there yet"
    source.write_bytes(content)
    assert message in error("group", source, "--out", out)
    assert not out.exists()


# -- whole sets as signatures: every similar pair is judged, whether it shares a key or not


SPOTS = Config(methods={"*": Method(Step("visible"), Step("spotsigs", {"minima": 2}), Step("jaccard"))})
"""Spots with a single key, by which few of the similar pairs can be looked up."""

VERSIONS = [
    Page(id=f"{story}/{cut}", text="\n".join(running_text(str(story)).split("\n")[cut:]))
    for story in range(8)
    for cut in (0, 4, 8)
]


def judged_pairs(config: Config) -> set[tuple[str, str]]:
    return {(a, b) for a, b, _ in group_pages(VERSIONS, config, processes=1).pairs}


def test_every_pair_that_the_judge_calls_more_than_different_is_judged() -> None:
    methods = MethodSet(SPOTS)
    records = [document.record for document in sign_all(VERSIONS, methods)]
    judge = methods.judge(records[0].signature.scheme)
    pairs = list(combinations(records, 2))
    truth = {(a.id, b.id) for a, b in pairs if judge(a, b).relation in ("duplicate", "near")}
    keyless = {(a.id, b.id) for a, b in pairs if not set(a.signature.keys) & set(b.signature.keys)}
    assert len(truth) == 24
    assert truth & keyless, "keys alone would lose some of them"
    assert judged_pairs(SPOTS) == truth


def test_candidates_are_limited_to_the_most_similar_ones() -> None:
    """The third version of a story is compared with the second, which is nearer than the first."""
    assert judged_pairs(replace(SPOTS, candidates=1)) == {
        pair for story in range(8) for pair in [(f"{story}/0", f"{story}/4"), (f"{story}/4", f"{story}/8")]
    }
