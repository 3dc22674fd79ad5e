"""`dup-groups evaluate duplicates`, `calibrate` and `frequencies` as a user types them."""

from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest

from dupgroups import Deduper, Page
from dupgroups.errors import ConfigError, InputError
from dupgroups.model.config import from_toml
from dupgroups_papers.corpus.frequencies import Frequencies
from lab.running import documents, labelled, printed, run, table, values
from stories import reprints, running_text


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents, labelled pairs and clusters of made reprints; in wrong.csv one label is missing."""
    folder = tmp_path_factory.mktemp("pack")
    pages = reprints(stories=12, copies=3)
    pairs = [(a, b) for a, b in combinations(pages, 2) if a.split("/")[0] == b.split("/")[0]]
    rows = (
        {"id": id_, "text": page.text, "title": page.title, "lang": "zh" if "。" in str(page.text) else "en"}
        for id_, page in pages.items()
    )
    labelled(folder, rows, dict.fromkeys(pairs, "duplicate"))
    table(folder / "wrong.csv", "a,b,label", [(*pair, "duplicate") for pair in pairs[1:]])
    table(folder / "clusters.csv", "id,cluster", [(id_, id_.split("/")[0]) for id_ in pages])
    return folder


def given(pack: Path, labels: str = "pairs.csv") -> tuple[object, ...]:
    return "--docs", pack / "docs.jsonl", "--labels", pack / labels


def test_the_table_has_the_scores_of_pairs_and_groups(pack: Path) -> None:
    output = printed("evaluate", "duplicates", *given(pack, "wrong.csv"))
    assert "36 documents, 35 pairs to be found, 0 that count neither way" in output
    assert "F1 0.9859 [0.9" in output
    assert "right, wrong, missed 35, 1, 0 35, 1, 0" in output
    found = values("evaluate", "duplicates", *given(pack, "wrong.csv"))
    assert [one["judged"] for one in found["wrong"]] == [["s0/0", "s0/1"]]


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        (("--judge", "evidence threshold=2"), ConfigError, "threshold must be between 0 and 1"),
        (("--positive", "copy"), InputError, "unknown label 'copy'; known: duplicate"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_the_work(
    tmp_path: Path, options: tuple[str, ...], error: type, sentence: str
) -> None:
    known = table(tmp_path / "pairs.csv", "a,b,label", [("x", "y", "duplicate")])
    with pytest.raises(error, match=sentence):  # the folder is no file of documents
        run("evaluate", "duplicates", "--docs", tmp_path, "--labels", known, *options)


def test_a_calibrated_configuration_can_be_evaluated_and_keeps_the_rest(pack: Path, tmp_path: Path) -> None:
    config, out = tmp_path / "methods.toml", tmp_path / "news.toml"
    config.write_text("within_days = 7\n")
    assert values("calibrate", *given(pack), "--config", config, "--out", out)["out"] == str(out)
    assert set(from_toml(out).methods) >= {"*", "zh"}
    assert from_toml(out).within_days == 7
    output = printed("evaluate", "duplicates", *given(pack), "--config", out, "--processes", 1)
    assert "right, wrong, missed 36, 0, 0" in output


def test_changes_are_those_of_labelled_pairs(pack: Path) -> None:
    documents = ("evaluate", "duplicates", "--docs", pack / "docs.jsonl", "--changes")
    with pytest.raises(InputError, match="give --labels, too"):
        run(*documents, "--clusters", pack / "clusters.csv")


TEXTS = [running_text("a"), running_text("a"), running_text("b", 30), running_text("c")]
PAGES = [Page(id=str(number), text=text) for number, text in enumerate(TEXTS)]


def test_a_file_and_an_index_give_the_same(tmp_path: Path) -> None:
    docs = documents(tmp_path / "docs.jsonl", ({"id": page.id, "text": page.text} for page in PAGES))
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(Deduper(url)) as deduper:
        deduper.add_all(PAGES)
    output = printed("frequencies", docs, "--out", tmp_path / "file.npz")
    run("frequencies", "--engine", url, "--out", tmp_path / "index.npz")
    known = Frequencies.open(tmp_path / "file.npz")
    assert known.version == Frequencies.open(tmp_path / "index.npz").version
    assert f"version {known.version}, {len(known.features):,} words and phrases of 4 documents" in output
    assert "too low" not in output


def test_documents_come_from_somewhere(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="either a file of documents or --engine"):
        run("frequencies", "--out", tmp_path / "out.npz")
    assert list(tmp_path.iterdir()) == []
