"""Search bodies as plain values, built by pure functions."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dupgroups_es.mapping import RECORD_FIELDS

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
MATCH_ALL: Body = {"match_all": {}}
HAS_GROUP: Body = {"exists": {"field": "dup_group"}}
HAS_NO_GROUP: Body = {"bool": {"must_not": [HAS_GROUP]}}
IS_HEAD: Body = {"term": {"dup_head": True}}


def page_body(
    query: Body, fields: Sequence[str] | bool = False, size: int | None = None, **more: Any
) -> Body:
    """A search for a page of the documents that match, with these fields, in no order; `more` adds to the
    body, or overrides it.
    """
    size = PAGE_DOCUMENTS if size is None else size
    return {"size": size, "track_total_hits": False, "_source": fields, "query": query, **more}


def candidates(scheme: str, keys: Sequence[str], size: int, most: int, *, least: int = 1) -> Body:
    """Looks up the documents that share `least` of these keys, MAX_LOOKUP_KEYS at most; most shared keys
    first.

    Each shared key scores 1, however rare it is, so the score is the number of shared keys. A hit is its sort
    values, score and id, and its version: nothing is read of the stored document, which would cost more than
    all the rest. A shard that has met `most` documents goes no further, and says so (`terminated_early`).
    """
    return page_body(
        {"bool": {"filter": [{"term": {"dup_scheme": scheme}}], **_sharing(keys, least)}},
        size=size,
        terminate_after=most,
        stored_fields="_none_",
        seq_no_primary_term=True,
        sort=[{"_score": "desc"}, {"dup_id": "asc"}],
    )


def _sharing(keys: Sequence[str], least: int) -> Body:
    """One match, if its analyzer makes these keys, and no others, of them joined by blanks; else terms."""
    joined = " ".join(keys)
    if joined.split() == list(keys) and max(map(len, keys), default=0) <= MAX_TOKEN_CHARS:
        words = {"query": joined, "analyzer": "whitespace", "minimum_should_match": least}
        return {"must": [{"match": {"dup_keys": words}}]}
    terms = [{"constant_score": {"filter": {"term": {"dup_keys": key}}}} for key in keys]
    return {"should": terms, "minimum_should_match": least}


def holders_of(scheme: str, key: str, most: int) -> Body:
    """Counts the documents that hold a key, as far as `most`."""
    held: list[Body] = [{"term": {"dup_scheme": scheme}}, {"term": {"dup_keys": key}}]
    return {"size": 0, "track_total_hits": most, "query": {"bool": {"filter": held}}}


def with_archive(body: Mapping[str, Any], hidden: Collection[str]) -> Body:
    """A look-up that also says which index archived keys are of, and finds none of the `hidden` ones."""
    homes: Body = {"docvalue_fields": ["dup_home"]} if body["size"] else {}
    without: Body = {"must_not": [{"terms": {"dup_home": sorted(hidden)}}]} if hidden else {}
    return {**body, **homes, "query": {"bool": body["query"]["bool"] | without}}


def by_id(query: Body, fields: Sequence[str] | bool, size: int | None = None) -> Body:
    """The matching documents in the order of their ids, a page at a time."""
    return page_body(query, fields, size, sort=[{"dup_id": "asc"}], seq_no_primary_term=True)


def of_groups(groups: Sequence[str]) -> Body:
    """The members of groups."""
    return {"terms": {"dup_group": list(groups)}}


def oldest_of(group: str, size: int) -> Body:
    """The oldest members of one group: only their ids and versions, as `candidates`."""
    return by_id(of_groups([group]), False, size) | {"sort": OLDEST_FIRST}


def heads_of(groups: Sequence[str]) -> Body:
    """The heads of groups."""
    return {"bool": {"filter": [of_groups(groups), IS_HEAD]}}


def group_sizes(after: str | None, size: int) -> Body:
    """Counts the members and the heads of groups, by their names as they are stored, those after `after`."""
    by_name: Body = {"size": size, "sources": [{"group": {"terms": {"field": "dup_group"}}}]}
    if after is not None:
        by_name["after"] = {"group": after}
    groups: Body = {"composite": by_name, "aggs": {"heads": {"filter": IS_HEAD}}}
    return {"size": 0, "track_total_hits": False, "aggs": {"groups": groups}}


def memberships() -> Body:
    """All grouped documents, for a scroll, by group as it is stored, the oldest member of each first."""
    by_group: list[Body] = [{"dup_group": {"order": "asc"}}, *OLDEST_FIRST]
    return page_body(HAS_GROUP, ["dup_group", "dup_head"], sort=by_group)


def scroll_all(fields: Sequence[str] | bool = False, query: Body = MATCH_ALL) -> Body:
    """All documents, for a scroll, in index order: the fastest."""
    return page_body(query, fields, sort=["_doc"])
