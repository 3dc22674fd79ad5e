"""The index that dup-groups creates: its settings and fields, and how to recognize one of other tools.

Pure functions from configuration to request bodies. Sizes were measured with 20 keys of 5 bytes and a body of
64 bytes: 384 bytes per document with `best_compression` and keys without doc_values, 656 without both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dupgroups.engines.foreign import Fields

Body = dict[str, Any]

VERSION = 1
META = "dup_groups"  # the key of `_meta` with the version that created the index

_KEYWORD: Body = {"type": "keyword"}
_KEPT: Body = {"type": "keyword", "index": False, "doc_values": False}
_TIME: Body = {"type": "long"}
# One term a key, as in a keyword, but one match asks for all of them, and each that is found scores 1.
_KEYS: Body = {
    "type": "text",
    "analyzer": "keyword",
    "index_options": "docs",
    "norms": False,
    "similarity": "boolean",
}

RECORD_FIELDS: Body = {
    "dup_id": _KEYWORD,  # the document's id again: servers do not sort by `_id`
    "dup_group": _KEYWORD,
    "dup_head": {"type": "boolean"},
    "dup_host": _KEPT,
    "dup_scheme": {"type": "keyword", "doc_values": False},
    "dup_keys": _KEYS,  # a keyword in an index of an earlier version
    "dup_signature": {"type": "binary"},
    "dup_fingerprint": _KEPT,
    "dup_first_seen": _TIME,
    "dup_last_seen": _TIME,
    "dup_length": {"type": "integer", "index": False, "doc_values": False},
    "dup_canonical": {"type": "boolean", "index": False, "doc_values": False},
    "dup_published": {"type": "integer", "index": False, "doc_values": False},
    "dup_ties": _KEPT,
}
"""What grouping knows about a document; the only fields that are added to an index of other tools."""

ADOPTED_FIELDS: Body = RECORD_FIELDS | {"dup_host": _KEYWORD}
"""As they are added there: without a field of sites, documents are filtered and counted by their hosts."""

LATER = frozenset({"dup_length", "dup_canonical", "dup_published", "dup_ties"})
"""Those of them that an index of an earlier version does not have, and can be used without."""

CONTENT_FIELDS: Body = {
    "url": {"type": "keyword", "ignore_above": 8000, "doc_values": False},
    "site": {"type": "keyword", "ignore_above": 1000},  # as shown: its own name, else the host
    "site_name": _KEPT,  # its own name, where it has one
    "title": {"type": "text", "index": False},
    "text": {"type": "text", "index": False},
    # Words are segmented by us and split only at spaces, so they are the same on every engine, without
    # plug-ins. Queries of other clients are folded by the server, which suffices for languages with spaces.
    "words": {
        "type": "text",
        "analyzer": "whitespace",
        "search_analyzer": "standard",
        "index_options": "freqs",
    },
    # The words again, in order, and the terms by which other words find them (`text.terms`): for phrases,
    # stems, and scripts without blanks. `words` stays what it was for indices and clients that have only it.
    "terms": {"type": "text", "analyzer": "whitespace", "position_increment_gap": 100},
    "date": {"type": "date", "ignore_malformed": True},
    "language": {"type": "keyword", "ignore_above": 100},
    "article": {"type": "float", "index": False, "doc_values": False},
    # one value per name: `author` matches a part of a name, `author.names` compares and counts whole names
    "author": {"type": "text", "fields": {"names": {"type": "keyword", "ignore_above": 1000}}},
    "image": _KEPT,
    "scope": _KEPT,
}


def index_body(*, shards: int = 1, refresh_interval: str = "1s") -> Body:
    """Settings and mapping of a new index. The explicit refresh interval also refreshes idle shards."""
    return {
        "settings": {
            "index": {
                "number_of_shards": shards,
                "auto_expand_replicas": "0-1",
                "codec": "best_compression",
                "refresh_interval": refresh_interval,
            }
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": {META: {"version": VERSION}},
            "properties": RECORD_FIELDS | CONTENT_FIELDS,
        },
    }


def redirects_body() -> Body:
    """The small index of merged groups: `_id` was merged into `to`. Hidden from `news-*`."""
    return _hidden({"to": _KEYWORD})


def corrections_body() -> Body:
    """The small index of what people said of documents: one entry a document. Hidden, like the redirects."""
    return _hidden({"number": {"type": "long"}, "entry": {"type": "object", "enabled": False}})


def marks_body() -> Body:
    """The small index of how far each shard is settled: `_id` names the shard. Hidden, like the redirects."""
    return _hidden({"settled": {"type": "long", "index": False}})


def follow_marks_body() -> Body:
    """The small index of how far an index was followed: `_id` names the share. Hidden, like the redirects."""
    return _hidden({"marks": {"type": "object", "enabled": False}})


def _hidden(fields: Body) -> Body:
    return {
        "settings": {"index": {"number_of_shards": 1, "auto_expand_replicas": "0-1", "hidden": True}},
        "mappings": {
            "dynamic": "strict",
            "_meta": {META: {"version": VERSION}},
            "properties": fields,
        },
    }


def version_of(mapping: Mapping[str, Any]) -> int | None:
    """The version of the index that a mapping belongs to; None for an index of other tools."""
    meta = mapping.get("_meta", {}).get(META)
    return meta.get("version") if isinstance(meta, dict) else None


def kept_fields(mapping: Mapping[str, Any]) -> Fields | None:
    """The field map that an adopted index keeps; None for any other. Raises ConfigError if it is damaged."""
    meta = mapping.get("_meta", {}).get(META)
    return Fields.of_plain(meta["fields"]) if isinstance(meta, dict) and "fields" in meta else None


def adoption(mapping: Mapping[str, Any], fields: Fields) -> Body:
    """What adopting an index changes in its mapping: fields that it lacks, and the field map that it keeps.

    {} if there is nothing to change. The rest of `_meta`, which a change replaces, is other tools'.
    """
    kept = {**mapping.get("_meta", {}), META: {"fields": fields.plain()}}
    changes = {"properties": missing_fields(mapping, ADOPTED_FIELDS), "_meta": kept}
    if kept == mapping.get("_meta"):
        del changes["_meta"]
    return {name: change for name, change in changes.items() if change}


def missing_fields(mapping: Mapping[str, Any], fields: Mapping[str, Any] = RECORD_FIELDS) -> Body:
    """The fields that a mapping lacks, as properties to add."""
    known = mapping.get("properties", {})
    return {name: field for name, field in fields.items() if name not in known}


def matches_keys(mapping: Mapping[str, Any]) -> bool:
    """Whether one match finds and counts all keys; in an index of an earlier version keys are keywords."""
    field = mapping.get("properties", {}).get("dup_keys", _KEYS)
    return all(field.get(name) == _KEYS[name] for name in ("type", "analyzer", "similarity"))


def wrong_fields(mapping: Mapping[str, Any], fields: Mapping[str, Any] = RECORD_FIELDS) -> dict[str, str]:
    """Fields whose type cannot be used for collapsing or look-ups: name -> that type."""
    known = mapping.get("properties", {})
    types = {name: known[name].get("type", "object") for name in fields if name in known}
    usable = {name: {field["type"]} for name, field in fields.items()}
    if "dup_keys" in usable:  # of a text with another analyzer no key would be found
        usable["dup_keys"] = {"keyword", "text"} if matches_keys(mapping) else {"keyword"}
    return {name: kind for name, kind in types.items() if kind not in usable[name]}
