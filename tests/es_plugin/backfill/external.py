"""Indices that another tool fills, on real servers: six copies of eight stories, and how to look at them."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from dupgroups import open_engine
from dupgroups.bulk.resign import Report
from dupgroups.model.config import Config, Method, Step
from dupgroups.model.field_names import Fields
from dupgroups_es.backfill import bulk_loader, runs
from dupgroups_es.backfill.runs import Progress
from es_plugin import clusters
from es_plugin.clusters import ask, index_of, partition
from filtering.running import all_bare
from stories import reprints

Hits = dict[str, dict[str, Any]]
"""The hits of a search by id: with `_source`, `_routing` and the version of each."""

OTHER = Config(methods={"*": Method(signer=Step("minhash", {"size": 4}))})
FIELDS = Fields(text="body", html="raw.html", title="headline", url="link", date="published", language=None)
MAPPING = {
    "dynamic": "strict",
    "_meta": {"owner": "somebody else"},
    "properties": {
        "body": {"type": "text"},
        "raw": {"properties": {"html": {"type": "text", "index": False}}},
        "headline": {"type": "text"},
        "link": {"type": "keyword"},
        "published": {"type": "date"},
        "clicks": {"type": "integer"},
        "tags": {"type": "keyword"},
    },
}


def fill(engine_url: str, copies: range, mapping: dict[str, Any] | None = MAPPING) -> None:
    """Documents as another tool writes them: ids of the server's choice, the latest copy first."""
    if mapping is not None:
        clusters.fill(engine_url, {}, mapping, number_of_shards=3, number_of_replicas=0)
    lines: list[object] = []
    for name, page in reversed(reprints(stories=8, copies=6).items()):
        number, copy = name[1:].split("/")
        if int(copy) in copies:
            source = {
                "body": page.text,
                "headline": page.title,
                "link": page.url,
                "published": f"2026-01-{int(copy) + 1:02}",
                "clicks": int(copy),
                "tags": [f"story{number}", f"copy{copy}"],
            }
            lines += [{"index": {}}, source]
    body = "".join(f"{json.dumps(line)}\n" for line in lines)
    assert ask(engine_url, "POST", f"/{index_of(engine_url)}/_bulk?refresh=true", body)["errors"] is False


def backfill(
    engine_url: str,
    above: Path,
    fields: Fields | None = FIELDS,
    config: Config | None = None,
    progress: Progress = lambda step, done, total: None,
    *,
    writes: bool = True,
) -> Report:
    """Group the index in bulk; or only try that out."""
    with closing(open_engine(engine_url)) as engine:
        run = bulk_loader.bulk_backfill(engine, fields, config, above=above, limits=runs.Limits(10))
        assert run
        return run.run(progress) if writes else run.try_out(progress)


def put(engine_url: str, id_: str, source: dict[str, Any], options: str = "") -> None:
    """The other tool writes a whole document."""
    ask(engine_url, "PUT", f"/{index_of(engine_url)}/_doc/{id_}?refresh=true{options}", source)


def update(engine_url: str, id_: str, **changes: object) -> None:
    """Change some fields of a document."""
    ask(engine_url, "POST", f"/{index_of(engine_url)}/_update/{id_}?refresh=true", {"doc": changes})


def sources(hits: Hits) -> dict[str, dict[str, Any]]:
    return {id_: hit["_source"] for id_, hit in hits.items()}


def theirs(hits: Hits) -> dict[str, dict[str, Any]]:
    """What the other tool wrote."""
    return all_bare(sources(hits))


def by_group(hits: Hits) -> set[frozenset[str]]:
    return partition({id_: source["dup_group"] for id_, source in sources(hits).items()})


def by_story(hits: Hits) -> set[frozenset[str]]:
    """What the groups should be."""
    return partition({id_: source["tags"][0] for id_, source in sources(hits).items()})
