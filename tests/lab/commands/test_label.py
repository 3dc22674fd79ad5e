"""`dup-groups label` as a user types it: draws, goes on, exports files that other commands read."""

from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from dupgroups import Deduper
from dupgroups.errors import InputError
from dupgroups_lab.labelling.store import LabelStore
from dupgroups_lab.labels.labelled_pairs import read_labels
from lab.labelling.client import Visitor
from lab.labelling.projects import is_same
from lab.running import printed, run
from processes import Command, started
from stories import reprints

DRAWING = ("--draw", "24", "--idf", "0,1", "--assessors", "1", "--seed", "3")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('label')}/news.db"
    with closing(Deduper(url)) as deduper:
        deduper.add_all(reprints(4, 4).values())
    return url


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory, engine: str) -> Path:
    """A file of labels that the command has drawn, in which every pair is labelled."""
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "known.csv").write_text("a,b,label\ns0/0,s2/0,non\n")
    with serving(folder, engine, *DRAWING, "--honeypots", "known.csv") as page:
        assert "Drawn: 24 pairs of 16 documents" in page.printed()
        assert "Token" not in page.printed()
        assert "Your name" in page.get("/")
    store = LabelStore(folder / "labels.db")
    for key, item in store.board().items.items():
        pair = "same" if is_same(item.a, item.b) else "different"
        store.answer(key, "Ann" if item.phase == "news" else "Bob", "yes" if item.phase == "news" else pair)
    return folder / "labels.db"


def serving(folder: Path, engine: str, *options: str) -> AbstractContextManager[Command]:
    arguments = ["-m", "dupgroups", "label", "--engine", engine, *options, "--port", "{port}"]
    return started(arguments, folder)


def test_what_is_exported_is_read_by_calibrate_and_evaluate(drawn: Path, tmp_path: Path) -> None:
    labels, docs = tmp_path / "pairs.csv", tmp_path / "docs.jsonl"
    run("label", "--answers", drawn, "--export", labels, "--export-docs", docs)
    pairs = read_labels(labels)
    assert list(pairs.values()).count("duplicate") == 24
    assert all(is_same(*ids) for ids in pairs)
    files = ("--docs", docs, "--labels", labels)
    assert "threshold" in printed("calibrate", *files, "--out", tmp_path / "news.toml")
    assert "precision" in printed("evaluate", "duplicates", *files)


def test_a_second_call_goes_on_and_strangers_need_a_token(drawn: Path, engine: str) -> None:
    before = LabelStore(drawn).board()
    with serving(drawn.parent, engine, *DRAWING, "--allow-host", "label.example") as page:
        printed = page.printed()
        assert "labels.db has its pairs already: --draw, --idf, --seed, --assessors would need" in printed
        lead, assessor, _ = LabelStore(drawn).secrets()
        assert f"Token of the lead: {lead}" in printed
        assert f"Token of assessors: {assessor}" in printed
        visitor = Visitor(page.port)
        assert visitor.sign_in("Ann").status == 400
        assert visitor.sign_in("Ann", assessor).status == 303
    assert LabelStore(drawn).board() == before


def test_nothing_is_written_over(drawn: Path) -> None:
    for option in ("--export", "--export-docs"):
        with pytest.raises(InputError, match="is also read or written"):
            run("label", "--answers", drawn, option, drawn)
