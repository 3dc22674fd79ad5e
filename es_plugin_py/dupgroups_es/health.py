"""What `dup-groups doctor` looks at in a cluster, and what makes an index unusable for writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dupgroups.errors import EngineError
from dupgroups.model import Check
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.mapping import (
    CONTENT_FIELDS,
    RECORD_FIELDS,
    VERSION,
    missing_fields,
    version_of,
    wrong_fields,
)
from dupgroups_es.results import total

CONCURRENT = "search.concurrent_segment_search.mode"
COUNTED = 40_000  # groups up to which a cluster's estimate is nearly exact


def unusable(name: str, found: Mapping[str, Answer]) -> str:
    """Why documents cannot be written to the index behind a name, in a sentence; "" when they can."""
    if len(found) != 1:
        return f"{len(found)} indices stand behind {name!r}: give an alias of exactly one"
    ((index, answer),) = found.items()
    version = version_of(answer["mappings"])
    if version is None:
        return (
            f"the index {index!r} was not made by dup-groups, so it can neither store pages in it nor search "
            "it: give another name, or group what it holds with `dup-groups backfill`"
        )
    if name == index:
        return f"{name!r} is an index: give the alias that stands for it"
    if version > VERSION:
        return f"the index {index!r} was made by a newer dup-groups: upgrade this one"
    return ""


def checks(cluster: Cluster, name: str, client: str) -> list[Check]:
    """Everything that can be said about the index behind a name, the cluster it is in, and the client."""
    found = cluster.index(name)
    lines = [Check("server", True, f"{_server(cluster)}; client {client}")]
    if not found:
        return [*lines, Check("index", True, f"{name!r} is not there yet: the first document makes it")]
    for index, answer in found.items():
        lines += _index_checks(index, answer)
    problem = "" if _is_adopted(found) else unusable(name, found)
    lines.append(Check("writable", not problem, problem or f"{', '.join(found)} behind {name!r}"))
    lines.append(_documents(cluster, name))
    if all(_collapses(each["mappings"]) for each in found.values()):
        lines.append(_heads(cluster, name))
    if "opensearch" in client:
        lines.append(_concurrency(cluster, found))
    return lines


def _server(cluster: Cluster) -> str:
    try:
        answer = cluster.send("GET", "/_nodes/_local", filter_path="nodes.*.version")
        return ", ".join(sorted({each["version"] for each in answer["nodes"].values()}))
    except (EngineError, KeyError):
        return "of a version that it does not tell"


def _is_adopted(found: Mapping[str, Answer]) -> bool:
    """Whether `backfill` grouped an index that something else made."""
    return all(
        version_of(each["mappings"]) is None and not missing_fields(each["mappings"])
        for each in found.values()
    )


def _index_checks(index: str, answer: Answer) -> Iterator[Check]:
    mapping, settings = answer["mappings"], answer["settings"]
    own = version_of(mapping)
    fields = RECORD_FIELDS if own is None else RECORD_FIELDS | CONTENT_FIELDS
    yield _fields(index, mapping, fields)
    interval = settings.get("index.refresh_interval", "1s, only while searched")
    problem = ": what is written is never shown; set it to 1s" if interval == "-1" else ""
    yield Check("refresh interval", not problem, f"{index}: {interval}{problem}")
    blocks = [each for each in settings if each.startswith("index.blocks.") and settings[each] == "true"]
    detail = f"{', '.join(blocks)}: free disk space, then lift it" if blocks else "none"
    yield Check("blocks", not blocks, f"{index}: {detail}")


def _fields(index: str, mapping: Mapping[str, Any], fields: Mapping[str, Any]) -> Check:
    wrong = wrong_fields(mapping, fields)
    missing = missing_fields(mapping, fields)
    if wrong:
        detail = ", ".join(
            f"{name} is mapped as {kind}, not {fields[name]['type']}" for name, kind in wrong.items()
        )
        return Check("mapping", False, f"{index}: {detail}; make a new index with the right mapping")
    if missing:
        well = not missing.keys() & RECORD_FIELDS.keys()  # without these nothing can be grouped
        cure = "the next document adds them" if well else "`dup-groups backfill` adds what it needs"
        return Check("mapping", well, f"{index}: {', '.join(missing)} missing; {cure}")
    version = version_of(mapping)
    return Check(
        "mapping", True, f"{index}: {f'version {version}' if version else 'foreign, grouped in place'}"
    )


def _documents(cluster: Cluster, name: str) -> Check:
    lost = total(cluster.search(name, queries.without_group()))
    detail = f"{lost} without dup_group, which a collapsed search shows as one; run `dup-groups backfill`"
    return Check("documents", not lost, detail if lost else "every one has its dup_group")


def _collapses(mapping: Mapping[str, Any]) -> bool:
    return "dup_group" in mapping.get("properties", {}) and not wrong_fields(mapping)


def _heads(cluster: Cluster, name: str) -> Check:
    counted = cluster.search(name, queries.heads())["aggregations"]
    groups = counted["groups"]["value"]
    headless = max(0, groups - counted["heads"]["doc_count"])
    well = headless <= groups / 100 or groups > COUNTED
    told = "each with the document that names it, as far as an estimate tells"
    lost = f"{headless} without the document that names them"
    return Check("heads", well, f"about {groups} groups, {told if well else lost}")


def _concurrency(cluster: Cluster, found: Mapping[str, Answer]) -> Check:
    modes = {each["settings"].get(f"index.{CONCURRENT}") for each in found.values()}
    if modes == {None}:
        modes = {_cluster_mode(cluster)}
    if "all" not in modes:
        return Check("concurrent segment search", True, ", ".join(sorted(str(each) for each in modes)))
    advice = "collapse may show wrong groups (OpenSearch issue 19111)"
    return Check("concurrent segment search", False, f"all: {advice}; set index.{CONCURRENT} to none")


def _cluster_mode(cluster: Cluster) -> str:
    try:
        answer = cluster.send("GET", "/_cluster/settings", flat_settings="true", include_defaults="true")
    except EngineError:
        return "unknown"
    for kind in ("transient", "persistent", "defaults"):
        if CONCURRENT in answer.get(kind, {}):
            return str(answer[kind][CONCURRENT])
    return "none"
