"""Side indices take nothing from the templates of other tools, and can be taken away."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import cli
from dupgroups import Deduper, Page
from dupgroups.errors import ConfigError, MissingIndexError
from dupgroups.model.field_names import Fields
from es_plugin.backfill.external import backfill
from es_plugin.clusters import ONE_OF_EACH, ask, index_of, servers, stored
from stories import story

Put = Callable[[str, str, dict[str, Any]], None]


@pytest.fixture
def put_template(engine_url: str, templates_alone: None) -> Iterator[Put]:
    """Makes templates that are gone afterwards: kind, name, body."""
    made: list[str] = []

    def put(kind: str, name: str, body: dict[str, Any]) -> None:
        ask(engine_url, "PUT", f"/{kind}/{name}", body)
        made.append(f"/{kind}/{name}")

    yield put
    for path in made:
        ask(engine_url, "DELETE", path)


def side_indices(engine_url: str) -> dict[str, Any]:
    """All that dup-groups keeps beside the index."""
    path = f"/dup-groups-{index_of(engine_url)}*?expand_wildcards=all&flat_settings=true"
    found: dict[str, Any] = ask(engine_url, "GET", path)
    return found


def write(engine_url: str, alias: str, id_: str) -> None:
    ask(engine_url, "PUT", f"/{alias}/_doc/{id_}?refresh=true", {"body": "A ferry has sunk in the north."})


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("everything", [False, True], ids=["these indices", "all indices"])
@pytest.mark.parametrize("kind", ["_index_template", "_template"])
def test_what_a_template_gives_its_indices_does_not_reach_side_indices(
    engine_url: str, tmp_path: Path, put_template: Put, kind: str, everything: bool
) -> None:
    index, alias = index_of(engine_url), f"alias-{secrets.token_hex(4)}"
    parts: dict[str, Any] = {"settings": {"index": {"default_pipeline": "none-such"}}, "aliases": {alias: {}}}
    if everything:  # also what other tests make on this server meanwhile
        parts = {"settings": {"index": {"max_result_window": 10_001}}}
    patterns = {"index_patterns": ["*" if everything else f"{index}*"]}
    ask(engine_url, "PUT", f"/{index}", {"aliases": {alias: {}}})
    write(engine_url, alias, "a")
    body = {"priority": 7, "template": parts} if kind == "_index_template" else {"order": -1, **parts}
    put_template(kind, alias, patterns | body)
    backfill(engine_url, tmp_path)
    write(engine_url, alias, "b")  # the alias still stands for one index
    beside = side_indices(engine_url)
    assert beside
    for answer in beside.values():
        assert answer["aliases"] == {}
        assert answer["settings"]["index.hidden"] == "true"
        assert answer["settings"]["index.default_pipeline"] == "_none"
        assert "index.max_result_window" not in answer["settings"]


@servers(ONE_OF_EACH)
@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("_index_template", {"template": {"aliases": {"x-alias": {}}}}, "the alias 'x-alias'"),
        (
            "_index_template",
            {"template": {"mappings": {"properties": {"at": {"type": "date"}}}}},
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


@servers(ONE_OF_EACH)
def test_doctor_takes_away_what_is_beside_an_index_and_nothing_else(engine_url: str, tmp_path: Path) -> None:

    remove = ("doctor", "--engine", engine_url, "--remove")
    write(engine_url, index_of(engine_url), "a")
    backfill(engine_url, tmp_path)
    before = stored(engine_url, "a")
    assert "where groups went" in cli(*remove, status=1).stderr
    assert side_indices(engine_url)
    cli(*remove, "--yes")
    assert side_indices(engine_url) == {}
    assert stored(engine_url, "a") == before
    assert "dup_" in cli(*remove).stderr, "fields in its documents stay"
    cli("backfill", "--undo", "--yes", "--engine", engine_url)
    assert "not adopted yet" in cli("doctor", "--engine", engine_url).stdout
    with pytest.raises(ConfigError, match=r"for the text; it has body$"):
        backfill(engine_url, tmp_path, Fields(text="none"))


@servers(ONE_OF_EACH)
def test_doctor_takes_away_an_index_of_ours(engine_url: str) -> None:
    with Deduper(engine_url) as deduper:
        deduper.add(Page(text=story("a")))
    remove = ("doctor", "--engine", engine_url, "--remove")
    assert "an index with documents" in cli(*remove, status=1).stderr
    cli(*remove, "--yes")
    with pytest.raises(MissingIndexError):
        cli("stats", "--engine", engine_url)
