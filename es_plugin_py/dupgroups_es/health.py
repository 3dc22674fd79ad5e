"""The checks of `dup-groups doctor` in a cluster, and the reasons why an index is unusable."""

from collections.abc import Iterator, Mapping
from typing import Any

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Check
from dupgroups.text.counted import count_noun as with_noun
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.index_set import FIXED_SETTINGS, explain_filter, is_closed, is_fixed, is_set, takes_writes
from dupgroups_es.mapping import (
    MAPPING_VERSION,
    META,
    RECORD_FIELDS,
    in_other_set,
    kept_fields,
    missing_fields,
    reindexing,
    set_of,
    version_of,
    wrong_fields,
)

CONCURRENT = "search.concurrent_segment_search.mode"
EXACT_COUNT_GROUPS = 40_000  # number of groups up to which the estimate of a cluster is nearly exact


def unusable(name: str, indices: Mapping[str, Answer]) -> str:
    """Why the index with this alias cannot be used, in a sentence; "" if it can."""
    if not indices:
        return f"{name!r} stands for no index: give the alias of one, or of several"
    if problem := explain_filter(name, indices):
        return problem
    mappings = {index: answer["mappings"] for index, answer in sorted(indices.items())}
    if is_set(name, indices) and not any(map(version_of, mappings.values())):
        return _unusable_set(name, mappings)
    problems = (_unusable_index(name, index, answer["mappings"]) for index, answer in sorted(indices.items()))
    return next(filter(None, problems), "")


def _unusable_set(name: str, mappings: Mapping[str, Mapping[str, Any]]) -> str:
    """The same for indices of other tools; those that came since they were grouped may lack our fields."""
    names = {kept for mapping in mappings.values() if (kept := set_of(mapping))}
    if name in names:
        return ""
    if names:
        return in_other_set(name, min(names))
    return f"the indices of {name!r} are not grouped together: do that with `dup-groups backfill`"


def _unusable_index(name: str, index: str, mapping: Mapping[str, Any]) -> str:
    version = version_of(mapping)
    if version is None:
        return _not_adopted(index, mapping)
    if name == index:
        return f"{name!r} is an index: give its alias"
    if version != MAPPING_VERSION:
        return (
            f"the index {index!r} was created by another version of dup-groups (version {version} of its "
            f"mapping, not {MAPPING_VERSION}): name another index"
        )
    return ""


def _not_adopted(index: str, mapping: Mapping[str, Any]) -> str:
    """Why an index of other tools cannot be used; "" if it has been adopted."""
    try:
        fields, kept = kept_fields(mapping), set_of(mapping)
    except ConfigError as error:
        return f"the index {index!r} was adopted, but {error}"
    if fields:
        return in_other_set(index, kept) if kept else ""
    return (
        f"the index {index!r} was not created by dup-groups, so it can neither store pages in it nor "
        "search it: give another name, or adopt it with `dup-groups backfill`"
    )


def checks(cluster: Cluster, name: str, client: str) -> list[Check]:
    """All checks of the index with this alias, of its cluster, and of the client."""
    indices = cluster.index(name)
    lines = [Check("server", True, f"{_server(cluster)}; client {client}")]
    if not indices:
        return [*lines, Check("index", True, f"{name!r} does not exist yet: the first document creates it")]
    opened = {index: answer for index, answer in indices.items() if not is_closed(answer)}
    mappings = {index: answer["mappings"] for index, answer in opened.items()}
    if waiting := [
        index
        for index, mapping in mappings.items()
        if META not in mapping.get("_meta", {}) and not wrong_fields(mapping)
    ]:
        detail = f"{', '.join(waiting)}: of another tool, not adopted yet; `dup-groups backfill` groups it"
        return [*lines, Check("index", True, detail)]
    for index, answer in opened.items():
        lines += _index_checks(index, answer, in_set=is_set(name, indices))
    if is_set(name, indices):
        cluster.open_set(name, indices)
        lines.append(_set_check(indices))
    problem = unusable(name, indices) or _unwritable_alias(name, indices)
    lines.append(Check("writable", not problem, problem or f"{name!r} stands for {', '.join(indices)}"))
    lines.append(_documents(cluster, name))
    if all(
        "dup_group" in mapping.get("properties", {}) and not wrong_fields(mapping)
        for mapping in mappings.values()
    ):
        lines.append(_heads(cluster, name))
    if "opensearch" in client:
        lines.append(_concurrency(cluster, opened))
    return lines


def _unwritable_alias(name: str, indices: Mapping[str, Answer]) -> str:
    """Why a crawl cannot store pages under an alias of several own indices, in a sentence; "" if it can."""
    is_own = all(version_of(answer["mappings"]) is not None for answer in indices.values())
    if not (is_own and is_set(name, indices)) or takes_writes(name, indices):
        return ""
    return f"{name!r} has no write index: set is_write_index for one of {', '.join(indices)}"


def _set_check(indices: Mapping[str, Answer]) -> Check:
    """Which indices of a set cannot be written or found."""
    closed = sorted(index for index, answer in indices.items() if is_closed(answer))
    fixed = sorted(index for index, answer in indices.items() if is_fixed(answer) and index not in closed)
    parts = [f"{with_noun(len(indices), 'index', 'indices')} under one name"]
    parts += [f"read-only, so its documents keep their labels: {index}" for index in fixed]
    parts += [f"closed, so its documents are not found: {index}" for index in closed]
    return Check("set", True, "; ".join(parts))


def _server(cluster: Cluster) -> str:
    try:
        answer = cluster.send("GET", "/_nodes/_local", filter_path="nodes.*.version")
        return ", ".join(sorted({node["version"] for node in answer["nodes"].values()}))
    except (EngineError, KeyError):
        return "unknown version"


def _index_checks(index: str, answer: Answer, *, in_set: bool) -> Iterator[Check]:
    mapping, settings = answer["mappings"], answer["settings"]
    yield _fields(index, mapping)
    interval = settings.get("index.refresh_interval", "1s, only while searched")
    problem = ": written documents never become visible; set it to 1s" if interval == "-1" else ""
    yield Check("refresh interval", not problem, f"{index}: {interval}{problem}")
    window = int(settings.get("index.max_result_window", MAX_WINDOW_HITS))
    problem = f": too few results at once; set it to {MAX_WINDOW_HITS}" if window < MAX_WINDOW_HITS else ""
    yield Check("max_result_window", not problem, f"{index}: {window}{problem}")
    blocks = [
        name
        for name, value in settings.items()
        if name.startswith("index.blocks.") and value == "true" and not (in_set and name in FIXED_SETTINGS)
    ]
    full = "free disk space, then " if "index.blocks.read_only_allow_delete" in blocks else ""
    detail = f"{', '.join(blocks)}: {full}set it to false" if blocks else "none"
    yield Check("blocks", not blocks, f"{index}: {detail}")


def _fields(index: str, mapping: Mapping[str, Any]) -> Check:
    if wrong := wrong_fields(mapping):
        detail = ", ".join(
            f"{name} is mapped as {kind}, not {RECORD_FIELDS[name]['type']}" for name, kind in wrong.items()
        )
        return Check("mapping", False, f"{index}: {detail}; {reindexing(index)}")
    if missing := missing_fields(mapping):
        detail = f"{index}: {', '.join(missing)} missing; `dup-groups backfill` adds them"
        return Check("mapping", False, detail)
    return Check("mapping", True, f"{index}: {_kind(mapping)}")


def _kind(mapping: Mapping[str, Any]) -> str:
    if version := version_of(mapping):
        return f"version {version}"
    try:
        return f"of another tool, with the fields {kept_fields(mapping) or '(not kept)'}"
    except ConfigError:
        return "of another tool, with fields that cannot be read"


def _documents(cluster: Cluster, name: str) -> Check:
    lost = cluster.count(name, queries.HAS_NO_GROUP)
    detail = f"{lost} without dup_group, which a collapsed search shows as one; run `dup-groups backfill`"
    return Check("documents", not lost, detail if lost else "every document has its dup_group")


def _heads(cluster: Cluster, name: str) -> Check:
    exactly = {"size": queries.EXACT_STORY_DOCUMENTS, "shard_size": queries.EXACT_STORY_DOCUMENTS}
    aggregations = {
        "few": {"terms": {"field": "dup_group", **exactly}},
        "groups": {"cardinality": {"field": "dup_group", "precision_threshold": EXACT_COUNT_GROUPS}},
        "heads": {"filter": queries.IS_HEAD},
    }
    body = {"size": 0, "track_total_hits": False, "aggs": aggregations}
    counted = cluster.search(name, body)["aggregations"]
    exact = not counted["few"]["sum_other_doc_count"]
    groups = len(counted["few"]["buckets"]) if exact else counted["groups"]["value"]
    headless = max(0, groups - counted["heads"]["doc_count"])
    well = headless <= (0 if exact else groups / 100) or groups > EXACT_COUNT_GROUPS
    complete = f"all with their main copy{'' if exact else ', according to an estimate'}"
    cure = "as after deletions by query: `dup-groups regroup` mends it"
    lost = f"{headless} without their main copy, {cure}"
    number = ("" if exact else "about ") + with_noun(groups, "group")
    return Check("main copies", well, f"{number}, {complete if well else lost}")


def _concurrency(cluster: Cluster, indices: Mapping[str, Answer]) -> Check:
    modes = {answer["settings"].get(f"index.{CONCURRENT}") for answer in indices.values()}
    if modes == {None}:
        modes = {_cluster_mode(cluster)}
    if "all" not in modes:
        return Check("concurrent segment search", True, ", ".join(sorted(str(mode) for mode in modes)))
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
