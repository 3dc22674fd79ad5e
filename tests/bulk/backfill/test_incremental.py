"""Backfill batch by batch: indices that something else filled, and our own stores signed anew."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bulk.backfill.foreign import (
    FIELDS,
    MAPPING,
    OTHER,
    by_group,
    by_story,
    check_whole,
    everything,
    fill,
    index_of,
    mapping_of,
    put,
)
from dupgroups import Deduper, open_engine
from dupgroups.bulk.backfill import Backfill, Report
from dupgroups.cli import app
from dupgroups.engines import Engine
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError, InputError
from es_plugin.clusters import ALL, ONE_OF_EACH, ask, servers
from flow.scenes import FULLEST, groups, heads, page
from stories import reprints, story


def backfill(engine_url: str, fields: Fields = FIELDS, **options: Any) -> Report:
    with closing(open_engine(engine_url)) as engine:
        return Backfill(engine, fields, **options).run()


@servers(ALL)
def test_a_foreign_index_is_grouped_in_place_and_a_second_run_changes_nothing(engine_url: str) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    report = backfill(engine_url, batch=10)
    assert (report.documents, report.failures, report.changed) == (48, {}, True)
    check_whole(engine_url, before)
    body = {"collapse": {"field": "dup_group"}, "size": 100, "query": {"match_all": {}}}
    collapsed = ask(engine_url, "POST", f"/{index_of(engine_url)}/_search", body)["hits"]["hits"]
    assert sorted(hit["_source"]["tags"][0] for hit in collapsed) == [f"story{n}" for n in range(8)]
    assert mapping_of(engine_url)["_meta"] == {
        "owner": "somebody else",
        "dup_groups": {"fields": FIELDS.plain()},
    }
    once = everything(engine_url)
    again = backfill(engine_url)
    assert (again.changed, again.states) == (False, {"unchanged": 48})
    assert everything(engine_url) == once


@servers(ONE_OF_EACH)
def test_what_comes_later_joins_what_was_grouped_and_an_interrupted_run_goes_on(engine_url: str) -> None:
    class Interrupted(Exception):
        pass

    def interrupt(documents: int) -> None:
        raise Interrupted

    fill(engine_url, range(3))
    with closing(open_engine(engine_url)) as engine, pytest.raises(Interrupted):
        Backfill(engine, FIELDS, batch=10).run(interrupt)
    assert backfill(engine_url).states["unchanged"] == 10
    names = {hit["_source"]["dup_group"] for hit in everything(engine_url).values()}
    fill(engine_url, range(3, 6), mapping=None)
    assert backfill(engine_url).states == {"unchanged": 24, "joined": 24}
    after = everything(engine_url)
    assert by_group(after) == by_story(after)
    assert {hit["_source"]["dup_group"] for hit in after.values()} == names


@servers(ONE_OF_EACH)
def test_a_dry_run_reports_and_writes_nothing(engine_url: str) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    report = backfill(engine_url, dry_run=True)
    assert (report.documents, report.groups, report.stories) == (48, 8, 8)
    assert [(group.size, group.title[-6:]) for group in report.biggest] == [(6, "copy 0")] * 8
    assert len(report.pairs) == 10
    assert {pair.verdict.relation for pair in report.pairs} <= {"duplicate", "contains", "contained"}
    assert everything(engine_url) == before
    assert list(ask(engine_url, "GET", f"/{index_of(engine_url)}*?expand_wildcards=all")) == [
        index_of(engine_url)
    ]
    assert set(mapping_of(engine_url)["properties"]) == set(MAPPING["properties"])  # type: ignore[call-overload]


@servers(ONE_OF_EACH)
def test_html_wins_and_a_document_without_text_is_too_short(engine_url: str) -> None:
    ask(engine_url, "PUT", f"/{index_of(engine_url)}", {"mappings": MAPPING})
    paragraphs = "".join(f"<p>{line}</p>" for line in story("x").split("\n"))
    html = f"<html><body><nav>Home Sport</nav><article>{paragraphs}</article></body></html>"
    put(engine_url, "page", {"raw": {"html": html}, "body": "teaser"})
    put(engine_url, "dotted", {"raw.html": html})
    put(engine_url, "text", {"body": [story("x")[:400], story("x")[400:]]})
    put(engine_url, "empty", {"clicks": 1})
    assert backfill(engine_url).states["too_short"] == 1
    assert by_group(everything(engine_url)) == {frozenset(["empty"]), frozenset(["page", "dotted", "text"])}


@servers(ONE_OF_EACH)
def test_indices_that_cannot_be_grouped_are_explained(engine_url: str) -> None:
    index = index_of(engine_url)
    with pytest.raises(ConfigError, match="there is no index"):
        backfill(engine_url)
    ask(engine_url, "PUT", f"/{index}", {"mappings": {"properties": {"dup_group": {"type": "text"}}}})
    with pytest.raises(ConfigError, match="dup_group is text, not keyword"):
        backfill(engine_url)
    properties = {"mappings": {"properties": {"body": {"type": "text"}}}}
    ask(engine_url, "PUT", f"/{index}-a", {"aliases": {f"{index}-both": {}}, **properties})
    with pytest.raises(ConfigError, match=r"no field 'contents' .* it has body"):
        backfill(f"{engine_url}-a", Fields(text="contents"))
    ask(engine_url, "PUT", f"/{index}-b", {"aliases": {f"{index}-both": {}}})
    with pytest.raises(ConfigError, match="stands for 2 indices"):
        backfill(f"{engine_url}-both")


# -- stores of our own


def test_a_store_is_signed_anew_by_other_methods(engine: Engine) -> None:
    Deduper(engine).add_all(reprints().values())
    before, documents = groups(engine), list(engine.scan())
    dry = Backfill(engine, config=OTHER, dry_run=True)
    assert dry.total == 24
    report = dry.run()
    assert (report.groups, report.stories) == (6, 6)
    assert list(engine.scan()) == documents
    assert Backfill(engine, config=OTHER, batch=5).run().changed
    assert groups(engine) == before
    schemes, former = (
        {document.record.signature.scheme for document in some} for some in (engine.scan(), documents)
    )
    assert schemes != former
    documents = list(engine.scan())
    again = Backfill(engine, config=OTHER).run()
    assert (again.changed, again.states) == (False, {"unchanged": 24})
    assert list(engine.scan()) == documents


def test_texts_are_measured_where_no_length_was_stored(engine: Engine) -> None:
    Deduper(engine).add_all([page("old", "abc"), page("full", "abcx")])
    stored = engine.read(["old", "full"]).values()
    engine.put([replace(document, record=replace(document.record, length=0)) for document in stored])
    engine.refresh()
    assert Backfill(engine, config=FULLEST).run().states == {"updated": 2}
    lengths = [len(document.content.text) for document in stored]
    assert [record.length for record in engine.get(["old", "full"]).values()] == lengths
    assert heads(engine) == {"old": ["full"]}


def test_the_command_tells_what_it_did(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(reprints().values())

    def printed(*options: str) -> str:
        done = CliRunner().invoke(app, ["backfill", "--engine", url, *options], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    dry = printed("--dry-run")
    assert "6 groups, 6 of them with more than one document" in dry
    assert "nothing was written" in dry
    assert "nothing to do" in printed()
    with pytest.raises(InputError, match="--dry-run would have no effect with --undo"):
        printed("--undo", "--dry-run")
