"""Side indices take nothing from the templates of other tools, and can be taken away."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dupgroups import Deduper, Page, open_engine
from dupgroups.backfill import bulk_loader
from dupgroups.cli import app
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError, InputError
from es_plugin.clusters import ONE, ask, servers

TWO = ["opensearch-3", "elasticsearch-9"]
NOTHING = {"index_patterns": ["nothing"]}

Put = Callable[[str, str, dict[str, Any]], None]


@pytest.fixture
def put_template(engine_url: str) -> Iterator[Put]:
    """Makes templates that are gone afterwards: kind, name, body."""
    made: list[str] = []

    def put(kind: str, name: str, body: dict[str, Any]) -> None:
        ask(engine_url, "PUT", f"/{kind}/{name}", body)
        made.append(f"/{kind}/{name}")

    yield put
    for path in made:
        ask(engine_url, "DELETE", path)


def index_of(engine_url: str) -> str:
    return engine_url.rpartition("/")[2]


def side_indices(engine_url: str) -> dict[str, Any]:
    """All that dup-groups keeps beside the index."""
    path = f"/dup-groups-{index_of(engine_url)}*?expand_wildcards=all&flat_settings=true"
    found: dict[str, Any] = ask(engine_url, "GET", path)
    return found


def backfill(engine_url: str, above: Path) -> None:
    with closing(open_engine(engine_url)) as engine:
        run = bulk_loader.bulk_backfill(engine, Fields("body"), above=above)
        assert run
        run.run()


def write(engine_url: str, alias: str, id_: str) -> None:
    ask(engine_url, "PUT", f"/{alias}/_doc/{id_}?refresh=true", {"body": "A ferry has sunk in the north."})


@servers(TWO)
def test_an_alias_that_a_template_gives_still_takes_writes_after_a_backfill(
    engine_url: str, tmp_path: Path, put_template: Put
) -> None:
    index, alias = index_of(engine_url), f"alias-{secrets.token_hex(4)}"
    parts = {"settings": {"index": {"default_pipeline": "none-such"}}, "aliases": {alias: {}}}
    template = {"index_patterns": [f"{index}*"], "priority": 7, "template": parts}
    ask(engine_url, "PUT", f"/{index}", {"aliases": {alias: {}}})
    put_template("_index_template", alias, template)
    write(engine_url, alias, "a")
    backfill(engine_url, tmp_path)
    write(engine_url, alias, "b")
    beside = side_indices(engine_url)
    assert beside
    for answer in beside.values():
        assert answer["aliases"] == {}
        assert answer["settings"]["index.hidden"] == "true"
        assert answer["settings"]["index.default_pipeline"] == "_none"


@servers(TWO)
@pytest.mark.parametrize("kind", ["_index_template", "_template"])
def test_templates_for_everything_do_not_reach_side_indices(
    engine_url: str, tmp_path: Path, put_template: Put, kind: str
) -> None:
    alias = f"alias-{secrets.token_hex(4)}"
    parts = {"settings": {"number_of_replicas": 0}, "aliases": {alias: {}}}
    body = {"index_patterns": ["*"], "order": -1, **parts}
    if kind == "_index_template":
        body = {"index_patterns": ["*"], "priority": 3, "template": parts}
    write(engine_url, index_of(engine_url), "a")
    put_template(kind, alias, body)
    backfill(engine_url, tmp_path)
    assert side_indices(engine_url)
    assert all(answer["aliases"] == {} for answer in side_indices(engine_url).values())


@servers(TWO)
@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        (
            "_index_template",
            {"template": {"settings": {}, "aliases": {"x-alias": {}}}},
            "the alias 'x-alias'",
        ),
        (
            "_index_template",
            {"template": {"settings": {}, "mappings": {"properties": {"at": {"type": "date"}}}}},
            "adds at to its mapping",
        ),
        ("_index_template", {"data_stream": {}}, "creates data streams only"),
        ("_template", {"aliases": {"x": {}}}, "gives it the alias 'x'"),
    ],
)
def test_a_template_that_cannot_be_kept_away_is_named_with_the_cure_and_nothing_is_made(
    engine_url: str, tmp_path: Path, put_template: Put, kind: str, body: dict[str, Any], why: str
) -> None:
    index = index_of(engine_url)
    write(engine_url, index, "a")
    template = {"index_patterns": [f"dup-groups-{index}-*"], **body}
    put_template(kind, f"t-{index}", template if kind == "_template" else template | {"priority": 1})
    with pytest.raises(ConfigError, match=why) as refused:
        backfill(engine_url, tmp_path)
    assert "PUT _index_template/dup-groups " in str(refused.value)
    assert side_indices(engine_url) == {}


@servers(ONE)
def test_a_data_stream_is_refused_and_nothing_is_made(
    engine_url: str, tmp_path: Path, put_template: Put
) -> None:
    stream = f"stream-{secrets.token_hex(4)}"
    parts = {"mappings": {"properties": {"body": {"type": "text"}}}, "settings": {}}
    put_template(
        "_index_template", stream, {"index_patterns": [stream], "data_stream": {}, "template": parts}
    )
    document = {"@timestamp": "2026-01-01", "body": "A ferry has sunk."}
    ask(engine_url, "POST", f"/{stream}/_doc?refresh=true", document)
    try:
        with pytest.raises(ConfigError, match="belongs to a data stream"):
            backfill(engine_url.replace(index_of(engine_url), stream), tmp_path)
        assert ask(engine_url, "GET", f"/dup-groups-*{stream}*?expand_wildcards=all") == {}
    finally:
        ask(engine_url, "DELETE", f"/_data_stream/{stream}")


@servers(TWO)
def test_doctor_takes_away_what_is_beside_an_index_and_nothing_else(engine_url: str, tmp_path: Path) -> None:
    write(engine_url, index_of(engine_url), "a")
    backfill(engine_url, tmp_path)
    before = ask(engine_url, "GET", f"/{index_of(engine_url)}/_doc/a")
    kept = CliRunner().invoke(app, ["doctor", "--engine", engine_url, "--remove"])
    assert kept.exit_code == 1
    assert "where groups went" in kept.stderr
    assert side_indices(engine_url)
    removed = CliRunner().invoke(app, ["doctor", "--engine", engine_url, "--remove", "--yes"])
    assert removed.exit_code == 0, removed.output
    assert side_indices(engine_url) == {}
    assert ask(engine_url, "GET", f"/{index_of(engine_url)}/_doc/a") == before
    nothing = CliRunner().invoke(app, ["doctor", "--engine", engine_url, "--remove"])
    assert nothing.stdout.startswith("nothing is kept beside ")


@servers(ONE)
def test_a_store_of_our_own_keeps_what_is_beside_it(engine_url: str) -> None:
    with closing(Deduper(engine_url)) as deduper:
        deduper.add_all([Page(id="a", text="The text of a page.")])
    with pytest.raises(InputError, match="was made by dup-groups"):
        CliRunner().invoke(
            app, ["doctor", "--engine", engine_url, "--remove", "--yes"], catch_exceptions=False
        )
    assert side_indices(engine_url)


@servers(TWO)
def test_an_undone_backfill_leaves_nothing_beside_the_index(engine_url: str, tmp_path: Path) -> None:
    write(engine_url, index_of(engine_url), "a")
    words = ["backfill", "--engine", engine_url, "--work", str(tmp_path)]
    done = CliRunner().invoke(app, [*words, "--fields", "text=body", "--verify"])
    assert done.exit_code == 0, done.output
    (run,) = (path.name for path in tmp_path.iterdir())
    assert f"dup-groups backfill --undo {run}" in done.stdout, "however few documents there are"
    undone = CliRunner().invoke(app, [*words, "--undo", run, "--yes"])
    assert undone.exit_code == 0, undone.output
    assert side_indices(engine_url) == {}


@servers(TWO)
def test_documents_that_were_moved_with_their_fields_are_found_and_the_cure_is_named(
    engine_url: str, tmp_path: Path
) -> None:
    index, other = index_of(engine_url), f"{index_of(engine_url)}-moved"
    write(engine_url, index, "a")
    backfill(engine_url, tmp_path)
    source = ask(engine_url, "GET", f"/{index}/_doc/a")["_source"]
    ask(engine_url, "PUT", f"/{other}/_doc/a?refresh=true", source)  # as _reindex does
    for name in (index, other):
        doctor = CliRunner().invoke(app, ["doctor", "--engine", engine_url.replace(index, name), "--json"])
        assert doctor.exit_code == 1
        wrong = [check["detail"] for check in json.loads(doctor.stdout)["checks"] if not check["ok"]]
        assert any("dup_group" in line and "POST _reindex" in line and other in line for line in wrong)
    words = ["backfill", "--engine", engine_url, "--work", str(tmp_path)]
    assert f"{other} has dup_group as text" in CliRunner().invoke(app, words).stderr
    with pytest.raises(ConfigError, match="POST _reindex"):
        backfill(engine_url.replace(index, other), tmp_path)
