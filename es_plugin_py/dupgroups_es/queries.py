"""Search bodies as plain values, built by pure functions."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.model import MIN_STORY_COPIES
from dupgroups.text.batches import batches
from dupgroups_es.mapping import RECORD_FIELDS
from dupgroups_es.matching import HAS_GROUP

Body = dict[str, Any]

RECORD = sorted(set(RECORD_FIELDS) - {"dup_id"})
DOCUMENT = [
    *RECORD,
    *"text title date language url site_name article author image scope source owner".split(),
]
KEYS = ["dup_keys", "dup_scheme"]
MAX_LOOKUP_KEYS = 1_000  # keys per look-up: servers reject more than 1,024 clauses
MAX_TOKEN_CHARS = 100  # characters of a key that the analyzer of a match surely leaves whole
EXACT_STORY_DOCUMENTS = 1_000  # documents whose stories are counted exactly
PAGE_DOCUMENTS = 1000  # documents per page when all are read

OLDEST_FIRST = [{"dup_first_seen": "asc"}, {"dup_id": "asc"}]
_GROUPLESS: Body = {"must_not": [HAS_GROUP]}


def candidates(scheme: str, keys: Sequence[str], size: int, most: int, *, least: int = 1) -> Body:
    """Looks up the documents that share `least` of these keys, MAX_LOOKUP_KEYS at most; most shared keys
    first.

    Each shared key scores 1, however rare it is, so the score is the number of shared keys. A hit is its sort
    values, score and id, and its version: nothing is read of the stored document, which would cost more than
    all the rest. A shard that has met `most` documents goes no further, and says so (`terminated_early`).
    """
    return {
        "size": size,
        "terminate_after": most,
        "track_total_hits": False,
        "_source": False,
        "stored_fields": "_none_",
        "seq_no_primary_term": True,
        "sort": [{"_score": "desc"}, {"dup_id": "asc"}],
        "query": {
            "bool": {
                "filter": [{"term": {"dup_scheme": scheme}}],
                **(_match_of(keys, least) if _are_tokens(keys) else _terms_of(keys, least)),
            }
        },
    }


def _are_tokens(keys: Sequence[str]) -> bool:
    """Whether the analyzer of a match makes these keys, and no others, of the keys joined by blanks."""
    return " ".join(keys).split() == list(keys) and max(map(len, keys), default=0) <= MAX_TOKEN_CHARS


def holders_of(scheme: str, key: str, most: int) -> Body:
    """Counts the documents that hold a key, as far as `most`."""
    held: list[Body] = [{"term": {"dup_scheme": scheme}}, {"term": {"dup_keys": key}}]
    return {"size": 0, "track_total_hits": most, "query": {"bool": {"filter": held}}}


def with_archive(body: Mapping[str, Any], hidden: Collection[str]) -> Body:
    """A look-up that also says which index archived keys are of, and finds none of the `hidden` ones."""
    homes: Body = {"docvalue_fields": ["dup_home"]} if body["size"] else {}
    without: Body = {"must_not": [{"terms": {"dup_home": sorted(hidden)}}]} if hidden else {}
    return {**body, **homes, "query": {"bool": body["query"]["bool"] | without}}


def archive_marks() -> Body:
    """How far the keys of shards are archived."""
    return {"size": MAX_WINDOW_HITS, "query": {"exists": {"field": "until"}}}


def archived_keys_of(ids: Sequence[str]) -> Body:
    """The archived keys of documents."""
    body: Body = {"size": MAX_WINDOW_HITS, "_source": ["dup_id", "dup_home"]}
    return body | {"query": {"terms": {"dup_id": list(ids)}}}


def keys_of_homes(uuids: Sequence[str], *, marks: bool) -> Body:
    """The archived keys of these indices, or their `marks`."""
    homes: Body = {"filter": [{"terms": {"dup_home": list(uuids)}}]}
    return {"query": {"bool": homes | {"must" if marks else "must_not": [{"exists": {"field": "until"}}]}}}


def ids_among(ids: Sequence[str]) -> Body:
    """Which of these ids there are, MAX_WINDOW_HITS at most."""
    return {"size": MAX_WINDOW_HITS, "_source": False, "query": {"ids": {"values": list(ids)}}}


def _match_of(keys: Sequence[str], least: int) -> Body:
    words: Body = {"query": " ".join(keys), "analyzer": "whitespace", "minimum_should_match": least}
    return {"must": [{"match": {"dup_keys": words}}]}


def _terms_of(keys: Sequence[str], least: int) -> Body:
    terms = [{"constant_score": {"filter": {"term": {"dup_keys": key}}}} for key in keys]
    return {"should": terms, "minimum_should_match": least}


def by_id(query: Body, fields: Sequence[str] | bool, size: int = PAGE_DOCUMENTS) -> Body:
    """The matching documents in the order of their ids, a page at a time."""
    return {
        "size": size,
        "track_total_hits": False,
        "_source": fields,
        "sort": [{"dup_id": "asc"}],
        "seq_no_primary_term": True,
        "query": query,
    }


def written_between(after: int, until: int, size: int) -> Body:
    """The documents whose last operation has a number in this range; for a search on one shard."""
    numbers: Body = {"range": {"_seq_no": {"gt": after, "lte": until}}}
    return {
        "size": size,
        "track_total_hits": False,
        "_source": False,
        "seq_no_primary_term": True,
        "version": True,
        "sort": [{"_seq_no": "asc"}],
        "query": numbers,
    }


def of_groups(groups: Sequence[str]) -> Body:
    """The members of groups."""
    return {"terms": {"dup_group": list(groups)}}


def oldest_of(group: str, size: int) -> Body:
    """The oldest members of one group: only their ids and versions, as `candidates`."""
    return by_id(of_groups([group]), False, size) | {"sort": OLDEST_FIRST}


def heads_of(groups: Sequence[str]) -> Body:
    """The heads of groups."""
    return {"bool": {"filter": [of_groups(groups), {"term": {"dup_head": True}}]}}


def leading_to(groups: Sequence[str]) -> list[Body]:
    """Look-ups, to be scrolled, for the redirects that lead to groups; [] if there are no groups."""
    look_up: Body = {"size": MAX_WINDOW_HITS, "sort": ["_doc"], "seq_no_primary_term": True}
    return [look_up | {"query": {"terms": {"to": some}}} for some in batches(groups, PAGE_DOCUMENTS)]


def names_leading_to(group: str, size: int) -> Body:
    """Some redirects that lead to a group, in any order."""
    return {"size": size, "track_total_hits": False, "_source": False, "query": {"term": {"to": group}}}


def group_sizes(after: str | None, size: int) -> Body:
    """Counts the members and the heads of groups, by their names as they are stored, those after `after`."""
    by_name: Body = {"size": size, "sources": [{"group": {"terms": {"field": "dup_group"}}}]}
    if after is not None:
        by_name["after"] = {"group": after}
    heads: Body = {"filter": {"term": {"dup_head": True}}}
    groups: Body = {"composite": by_name, "aggs": {"heads": heads}}
    return {"size": 0, "track_total_hits": False, "aggs": {"groups": groups}}


def memberships() -> Body:
    """All grouped documents, for a scroll, by group as it is stored, the oldest member of each first."""
    return {
        "size": PAGE_DOCUMENTS,
        "_source": ["dup_group", "dup_head"],
        "sort": [{"dup_group": {"order": "asc"}}, *OLDEST_FIRST],
        "query": HAS_GROUP,
    }


def corrections(after: int) -> Body:
    """A page of the log of corrections, by number, those after one."""
    by_number: Body = {"number": {"order": "asc", "unmapped_type": "long"}}
    body: Body = {
        "size": PAGE_DOCUMENTS,
        "track_total_hits": False,
        "sort": [by_number],
        "query": {"match_all": {}},
    }
    return body | {"search_after": [after]}


def some_without_group() -> Body:
    """A page of documents without `dup_group`."""
    return {"size": PAGE_DOCUMENTS, "_source": False, "query": {"bool": _GROUPLESS}}


def some_beside(groups: Sequence[str]) -> Body:
    """A page of documents that show these groups without keys: no members of them, but for short ones."""
    shown: Body = {
        "filter": [{"terms": {"dup_group": list(groups)}}, {"term": {"dup_head": False}}],
        "must_not": {"exists": {"field": "dup_keys"}},
    }
    return {"size": PAGE_DOCUMENTS, "_source": False, "query": {"bool": shown}}


def without_group() -> Body:
    """Counts the documents without `dup_group`: a collapsed search shows them all as one hit."""
    return {"size": 0, "track_total_hits": True, "query": {"bool": _GROUPLESS}}


def heads() -> Body:
    """Counts the groups, EXACT_STORY_DOCUMENTS of them exactly, and those that have their head document."""
    few: Body = {
        "terms": {"field": "dup_group", "size": EXACT_STORY_DOCUMENTS, "shard_size": EXACT_STORY_DOCUMENTS}
    }
    groups: Body = {"cardinality": {"field": "dup_group", "precision_threshold": 40_000}}
    heads: Body = {"filter": {"term": {"dup_head": True}}}
    return {"size": 0, "track_total_hits": False, "aggs": {"few": few, "groups": groups, "heads": heads}}


def stories(order: str, since: str | None, size: int) -> Body:
    """The records of stories with most of a figure, since a date of publication or, without one, of sight."""
    wanted: list[Body] = [{"range": {"copies": {"gte": MIN_STORY_COPIES}}}]
    if since is not None:
        undated: Body = {"bool": {"must_not": [{"exists": {"field": "last_published"}}]}}
        seen: Body = {"bool": {"filter": [undated, {"range": {"last_seen": {"gte": since}}}]}}
        published: Body = {"range": {"last_published": {"gte": since}}}
        wanted.append({"bool": {"should": [published, seen], "minimum_should_match": 1}})
    sort: list[Body] = [
        {order: {"order": "desc", "missing": "_last", "unmapped_type": "integer"}},
        {"copies": {"order": "desc"}},
        {"dup_group": {"order": "asc"}},
    ]
    return {"size": size, "track_total_hits": False, "sort": sort, "query": {"bool": {"filter": wanted}}}


def stories_between(after: str | None, until: str | None) -> Body:
    """The stories whose groups, as they are stored, come after one, up to another, for a scroll; None is no
    bound.
    """
    bounds = {"gt": after, "lte": until}
    names: Body = {"range": {"dup_group": {kind: name for kind, name in bounds.items() if name is not None}}}
    several: Body = {"range": {"copies": {"gte": MIN_STORY_COPIES}}}
    return {
        "size": PAGE_DOCUMENTS,
        "_source": ["copies"],
        "sort": ["_doc"],
        "query": {"bool": {"filter": [names, several]}},
    }


def stale_stories() -> Body:
    """A page of the records that a writer is about to count anew."""
    return {"size": MAX_WINDOW_HITS, "_source": False, "query": {"term": {"is_stale": True}}}


def scroll_all(fields: Sequence[str]) -> Body:
    """All documents, for a scroll, in index order: the fastest."""
    return {"size": PAGE_DOCUMENTS, "_source": list(fields), "sort": ["_doc"], "query": {"match_all": {}}}


def signed_otherwise(schemes: Collection[str]) -> Body:
    """Counts the signed documents whose scheme is not one of these."""
    of_these: Body = {"terms": {"dup_scheme": sorted(schemes)}}
    query: Body = {"bool": {"filter": HAS_GROUP, "must_not": of_these}}
    return {"size": 0, "track_total_hits": True, "query": query}


def with_routing() -> Body:
    """Counts documents that have a custom routing, but of each shard only the first one."""
    query: Body = {"exists": {"field": "_routing"}}
    return {"size": 0, "track_total_hits": True, "terminate_after": 1, "query": query}


def count_all() -> Body:
    """Counts all documents."""
    return {"size": 0, "track_total_hits": True, "query": {"match_all": {}}}
