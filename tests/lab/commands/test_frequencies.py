"""`dup-groups frequencies` as a user types it, and what the file does in a configuration."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dupgroups import Config, Deduper, Page
from dupgroups.backfill import Backfill
from dupgroups.cli import app
from dupgroups.config import Hosts, Method, Step
from dupgroups.corpus.templates import Templates
from dupgroups.engines import open_engine
from dupgroups.errors import ConfigError, InputError
from dupgroups.sketches.hashing import windows
from dupgroups.text.sentences import tokens
from dupgroups_papers.corpus.frequencies import Frequencies, terms
from stories import running_text

TEXTS = [running_text("a"), running_text("a"), running_text("b", 30), running_text("c")]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    path = tmp_path / "docs.jsonl"
    lines = (json.dumps({"id": str(number), "text": text}) for number, text in enumerate(TEXTS))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, list(map(str, ("frequencies", *arguments))), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_file_and_an_index_give_the_same(docs: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(Deduper(url)) as deduper:
        deduper.add_all(Page(id=str(number), text=text) for number, text in enumerate(TEXTS))
    output = run(docs, "--out", tmp_path / "file.npz")
    run("--engine", url, "--out", tmp_path / "index.npz")
    known = Frequencies.open(tmp_path / "file.npz")
    assert known.version == Frequencies.open(tmp_path / "index.npz").version
    assert f"version {known.version}, {len(known.features):,} words and phrases of 4 documents" in output
    assert "too low" not in output


def test_words_and_phrases_are_counted(docs: Path, tmp_path: Path) -> None:
    run(docs, "--out", tmp_path / "all.npz", "--phrase", 5, "--least", 1)
    known = Frequencies.open(tmp_path / "all.npz")
    assert known.documents == 4
    assert known.of(terms("the")).tolist() == [4]
    for text, least in ((TEXTS[0], 2), (TEXTS[2], 1)):
        assert (known.of(terms(text)) >= least).all()
        assert (known.of(windows(tokens(text).hashes, 5)) >= least).all()


def test_it_prints_what_top_drops(docs: Path, tmp_path: Path) -> None:
    """Two texts are the same: of the distinct phrases more than 10 % are in two documents, none in three."""
    output = run(docs, "--out", tmp_path / "all.npz", "--least", 2)
    assert "top 10%: 0.00% of the distinct phrases are in 3 documents or more" in output
    known = Frequencies.open(tmp_path / "all.npz")
    assert known.spectrum
    assert known.spectrum.at_least(2) > 0.1


def test_in_bounded_memory_it_reports_what_it_forgot(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups_papers.corpus.frequencies._BATCH", 500)
    output = run(docs, "--out", tmp_path / "few.npz", "--most", 300)
    known = Frequencies.open(tmp_path / "few.npz")
    assert known.error > 0
    assert f"counts are too low by {known.error} at most" in output


def test_a_configuration_names_the_file_and_other_frequencies_have_another_scheme(
    docs: Path, tmp_path: Path
) -> None:
    """An index signed with the frequencies of one corpus is signed again completely with those of another."""
    configs = []
    for least in (1, 2):
        path = tmp_path / f"{least}.npz"
        run(docs, "--out", path, "--least", least)
        signer = Step("weighted_phrases", {"frequencies": str(path)})
        configs.append(Config(methods={"*": Method(signer=signer, judge=Step("weighted_jaccard"))}))
    schemes = []
    with closing(open_engine("memory://")) as engine:
        Deduper(engine, configs[0]).add_all(
            Page(id=str(number), text=text) for number, text in enumerate(TEXTS)
        )
        for config in configs:
            Backfill(engine, config=config).run()
            schemes.append({document.record.signature.scheme for document in engine.scan()})
            assert len(schemes[-1]) == 1
    assert schemes[0] != schemes[1]
    assert Frequencies.open(tmp_path / "2.npz").version in schemes[1].pop()


def test_impossible_options_are_refused_at_once(docs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="either a file of documents or --engine"):
        run("--out", tmp_path / "out.npz")
    with pytest.raises(InputError, match="either a file of documents or --engine"):
        run(docs, "--engine", "memory://", "--out", tmp_path / "out.npz")
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        run(docs, "--out", tmp_path / "none" / "out.npz")
    with pytest.raises(InputError, match="is also read or written by this command"):
        run(docs, "--out", docs)
    with pytest.raises(ConfigError, match="there is no file"):
        run("--engine", f"sqlite:///{tmp_path / 'none.db'}", "--out", tmp_path / "out.npz")
    assert list(tmp_path.iterdir()) == [docs]
    with pytest.raises(InputError, match="cannot be written"):
        run(docs, "--out", tmp_path)


def test_templates_of_hosts_are_learned_and_left_out_of_what_is_signed(tmp_path: Path) -> None:
    """Two stories under one menu stay two; a copy on a host without the menu joins its original."""
    menu = running_text("menu", 30) + "\n"
    pages = [
        Page(url=f"https://a.example/{number}", text=menu + running_text(str(number), 6))
        for number in range(6)
    ]
    pages.append(Page(url="https://b.example/copy", text=running_text("3", 6)))
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(Deduper(url)) as deduper:
        outcomes = deduper.add_all(pages)
    assert len({outcome.group for outcome in outcomes}) == 2, "one of the menu, one of the copy"

    output = run("--engine", url, "--per-host", "--out", tmp_path / "hosts.npz")
    known = Templates.open(tmp_path / "hosts.npz")
    assert f"version {known.version}, " in output
    assert "of 1 hosts that have any" in output
    config = Config(hosts=Hosts(str(tmp_path / "hosts.npz")))
    with closing(open_engine(url)) as engine:
        Backfill(engine, config=config).run()
        stored = list(engine.scan())
    groups = {document.record.id: document.record.group for document in stored}
    assert len(set(groups.values())) == 6
    assert groups[outcomes[6].id] == groups[outcomes[3].id]
    assert all(known.version in document.record.signature.scheme for document in stored)
    assert sum(menu.strip() in document.content.text for document in stored) == 6, (
        "what is stored stays whole"
    )


def test_what_is_a_template_can_be_chosen(docs: Path, tmp_path: Path) -> None:
    lines = [json.dumps({"host": "a.example", "text": f"{text} {'x y z ' * 9}"}) for text in TEXTS]
    docs.write_text("\n".join(lines), encoding="utf-8")
    output = run(docs, "--per-host", "--run", 5, "--common", 2, "--out", tmp_path / "hosts.npz")
    known = Templates.open(tmp_path / "hosts.npz")
    assert (known.run, known.common, list(known.hosts)) == (5, 2, ["a.example"])
    assert "runs of 5 words of 1 hosts" in output
