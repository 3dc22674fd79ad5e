"""`dup-groups train judge` and `train fields` as a user types them, on packs of a few made stories."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from commands import error
from content.pages import news_page
from dupgroups.content.dates_in_sight import MEASURES as DATE_MEASURES
from dupgroups.methods.additive_model import read_model
from dupgroups.methods.evidence import MEASURES
from lab.packs import write_pack
from lab.running import printed, table
from stories import reprints


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two reprints of each of eight stories, with a label, and one of every other story and the next one."""
    folder, pages = tmp_path_factory.mktemp("made"), reprints(stories=8, copies=2)
    lines = (f"{json.dumps({'id': id_, 'text': page.text})}\n" for id_, page in pages.items())
    (folder / "docs.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    labels = [(f"s{one}/0", f"s{one}/1", "duplicate") for one in range(8)]
    labels += [(f"s{one}/0", f"s{one + 1}/0", "non") for one in range(0, 8, 2)]
    table(folder / "pairs.csv", "a,b,label", [*labels, ("s0/0", "nowhere", "non")])
    return folder


def test_a_trained_judge_is_one_that_ships_and_its_table_is_of_stories_not_seen(
    pack: Path, tmp_path: Path
) -> None:
    out = tmp_path / "judge.tsv"
    said = printed("train", "judge", pack, "--out", out, "--threshold", 1)
    assert f"{pack.name} 4 12 0.000" in said, "nothing is as sure as that"
    assert "one story: two cuts" in said
    heading, *lines = out.read_text("utf-8").splitlines()
    assert heading.endswith(said.rpartition("curves ")[2] + ".")
    model = read_model([heading, *lines])
    assert list(model.curves) == list(MEASURES)
    unlike = dict.fromkeys(MEASURES, 0.0)
    alike = unlike | dict.fromkeys(("words", "kept", "ordered", "ordered kept", "share"), 1.0)
    assert model.probability(unlike | {"size": 6.0}) < 0.5 < model.probability(alike | {"size": 6.0})


def test_what_cannot_be_learned_from_is_one_sentence(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*packs: Path, out: Path = tmp_path / "judge.tsv") -> str:
        return error("train", "judge", *packs, "--out", out)

    assert "none/docs.jsonl.gz cannot be read" in said(tmp_path / "none")
    assert "is also read or written by this command" in said(pack, out=pack / "pairs.csv")
    (tmp_path / "docs.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a", "text": "Hm."}\n'))
    assert "has no texts of documents to learn from" in said(tmp_path)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert "pip install 'dup-groups[lab]'" in said(pack)
    assert "pip install 'dup-groups[lab]'" in error("train", "extraction", pack, "--method", "crf")
    assert not (tmp_path / "judge.tsv").exists()


def test_a_trained_ranker_finds_the_date_that_pages_declare_and_show(tmp_path: Path) -> None:
    made = []
    for number in range(20):
        day = f"2026-03-{number + 1:02}"
        head = f"<meta property=article:published_time content={day}T08:00:00Z>"
        lines = f"<p>Published {day}</p><p>Updated 2026-05-05</p>" * (number % 4 > 0)
        html = news_page(head=head).replace("</h1>", f"</h1>{lines}")
        made.append({"site": f"{number % 7}.example", "url": None, "html": html})
    out = tmp_path / "ranker.tsv"
    said = printed("train", "fields", write_pack(tmp_path / "pack", made), "--out", out)
    assert "dates 15 0 5" in said
    heading, *lines = out.read_text("utf-8").splitlines()
    assert heading.endswith("from 20 pages of 7 sites.")
    assert list(read_model(lines).curves) == list(DATE_MEASURES)
    bare = write_pack(tmp_path / "bare", [{"html": news_page()}])
    assert "nothing to learn from" in error("train", "fields", bare, "--out", out)


def test_the_characters_that_names_are_written_with_are_counted(tmp_path: Path) -> None:
    texts = ["李明在杭州说，马斯克今年拟投产。", "杭州的李明不会来。", "公司今年拟在杭州投资。"] * 2
    documents, out = tmp_path / "docs.jsonl", tmp_path / "names.txt"
    lines = [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(texts)]
    documents.write_text("\n".join(lines), "utf-8")
    said = printed("train", "names", documents, "--out", out)
    heading, listed = out.read_text("utf-8").splitlines()
    assert heading.startswith("#")
    assert f"{len(listed)} characters" in said
    assert {*"李杭州马斯克"} <= {*listed}
    assert {*listed}.isdisjoint("拟投产今年")
    documents.write_text('{"id": "a", "text": "A tugboat sank."}', "utf-8")
    assert "no Chinese names" in error("train", "names", documents, "--out", out)
