"""The `dup_` fields get into documents of other tools, and out again, without a change to anything else."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from dupgroups import open_engine
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.backfill.runs import undo
from dupgroups_es.source_text import inner_texts, with_fields
from es_plugin.backfill.external import backfill
from es_plugin.clusters import ONE_OF_EACH, address, ask, fill, index_of, servers
from processes import ask_loopback

TEXT = (
    "The ferry that left the northern port on Monday with forty people on board has sunk in a storm. Boats "
    "of the coast guard and two fishing trawlers took all passengers on board before noon, a spokesman said. "
    "Why the captain had left the harbour in spite of the warnings is being investigated by the authority."
)
FIELDS = Fields("body")
MAPPING = {"properties": {"body": {"type": "text"}, "rest": {"type": "object", "enabled": False}}}
SOURCES = {
    "a": f'{{"rest": {{"z":1.50,"y":1e3,"a":[1.0,2]}}, "body":"{TEXT}", "price": 1.50}}',
    "b": f'{{ "price":0.12345678901234567890123,"body":"{TEXT} caf\\u00e9 \\/", "none": null }}',
    "c": f'{{"body":"Another story: {TEXT[::-1]}","price":1E2,"empty":{{ }}}}',
}


def sources(engine_url: str) -> dict[str, str]:
    """The stored texts by id."""
    ask(engine_url, "POST", f"/{index_of(engine_url)}/_refresh")
    with ask_loopback(f"{address(engine_url)}/{index_of(engine_url)}/_search") as answer:
        text = answer.read().decode()
    hits = json.loads(text)["hits"]["hits"]
    texts = inner_texts(text.partition('"hits":')[2], "hits", "_source")
    return {hit["_id"]: found for hit, found in zip(hits, texts, strict=True) if found}


@servers(ONE_OF_EACH)
def test_numbers_order_and_escapes_survive_a_backfill_and_its_undo(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, SOURCES, MAPPING)
    backfill(engine_url, tmp_path, FIELDS)
    grouped = sources(engine_url)
    assert [json.loads(grouped[id_])["dup_group"] for id_ in "abc"] == ["a", "a", "c"]
    ours = [name for text in grouped.values() for name in json.loads(text) if name.startswith("dup_")]
    assert {id_: with_fields(text, {}, drop=ours) for id_, text in grouped.items()} == SOURCES
    with closing(open_engine(engine_url)) as engine:
        undo(engine.adopt(), Config(), tmp_path)  # type: ignore[attr-defined]
    assert sources(engine_url) == SOURCES


@pytest.mark.parametrize(
    "source", ["{}", "{ }", '{"a":1}', '{ "a" : 1.50 ,\n "b":{"x":[1,{"y":"}"}]} }', '{"dup":1,"a":2}']
)
def test_fields_that_are_put_in_come_out_again_and_leave_no_trace(source: str) -> None:
    fields = {"dup_a": "\ud800 x", "dup_b": [1]}
    changed = with_fields(source, fields)
    assert json.loads(changed) == {**json.loads(source), **fields}
    assert with_fields(with_fields(changed, {"dup_a": 1}), {}, drop=fields) == source
