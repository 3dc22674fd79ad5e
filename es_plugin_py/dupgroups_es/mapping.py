"""The index that dup-groups makes: its settings, its fields, and how to tell a foreign one.

Pure: configuration -> request body. Sizes were measured with 20 keys of 5 bytes and a body of 64: 384 bytes a
document with `best_compression` and keys without doc_values, 656 without both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Body = dict[str, Any]

VERSION = 1
META = "dup_groups"  # the key of `_meta` that says which version made the index

_KEYWORD: Body = {"type": "keyword"}
_KEPT: Body = {"type": "keyword", "index": False, "doc_values": False}
_TIME: Body = {"type": "long"}

RECORD_FIELDS: Body = {
    "dup_id": _KEYWORD,  # the document's id again: servers do not sort by `_id`
    "dup_group": _KEYWORD,
    "dup_head": {"type": "boolean"},
    "dup_host": _KEPT,
    "dup_scheme": {"type": "keyword", "doc_values": False},
    "dup_keys": {"type": "keyword", "doc_values": False},
    "dup_signature": {"type": "binary"},
    "dup_fingerprint": _KEPT,
    "dup_first_seen": _TIME,
    "dup_last_seen": _TIME,
}
"""What grouping knows of a document; all that a foreign index gets."""

CONTENT_FIELDS: Body = {
    "url": {"type": "keyword", "ignore_above": 8000, "doc_values": False},
    "site": {"type": "keyword", "ignore_above": 1000},  # as shown: its own name, else the host
    "site_name": _KEPT,  # its own name, where it has one
    "title": {"type": "text", "index": False},
    "text": {"type": "text", "index": False},
    # Words are cut by us and split at blanks only: the same ones on every engine, without plug-ins. Queries
    # that others write are folded as far as a server can do it, enough for languages with spaces.
    "words": {
        "type": "text",
        "analyzer": "whitespace",
        "search_analyzer": "standard",
        "index_options": "freqs",
    },
    "date": {"type": "date", "ignore_malformed": True},
    "language": {"type": "keyword", "ignore_above": 100},
    "article": {"type": "float", "index": False, "doc_values": False},
    # one value a name: `author` finds a part of it, `author.names` compares and counts whole ones
    "author": {"type": "text", "fields": {"names": {"type": "keyword", "ignore_above": 1000}}},
    "image": _KEPT,
}


def index_body(*, shards: int = 1, refresh_interval: str = "1s") -> Body:
    """Settings and mapping of a new index. An explicit refresh interval keeps idle shards refreshing too."""
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
    """The small index of merged groups: `_id` went into `to`. Hidden, so that `news-*` does not find it."""
    return {
        "settings": {"index": {"number_of_shards": 1, "auto_expand_replicas": "0-1", "hidden": True}},
        "mappings": {
            "dynamic": "strict",
            "_meta": {META: {"version": VERSION}},
            "properties": {"to": _KEYWORD},
        },
    }


def marks_body() -> Body:
    """The small index of how far each shard is settled: `_id` names the shard. Hidden, like the redirects."""
    return {
        "settings": {"index": {"number_of_shards": 1, "auto_expand_replicas": "0-1", "hidden": True}},
        "mappings": {
            "dynamic": "strict",
            "_meta": {META: {"version": VERSION}},
            "properties": {"settled": {"type": "long", "index": False}},
        },
    }


def version_of(mapping: Mapping[str, Any]) -> int | None:
    """The version of dup-groups' index that a mapping belongs to; None for a foreign one."""
    meta = mapping.get("_meta", {}).get(META)
    return meta.get("version") if isinstance(meta, dict) else None


def missing_fields(mapping: Mapping[str, Any], fields: Mapping[str, Any] = RECORD_FIELDS) -> Body:
    """The fields that a mapping lacks, as properties to add."""
    known = mapping.get("properties", {})
    return {name: field for name, field in fields.items() if name not in known}


def wrong_fields(mapping: Mapping[str, Any], fields: Mapping[str, Any] = RECORD_FIELDS) -> dict[str, str]:
    """Fields that a mapping has with a type that collapse or look-up cannot use: name -> that type."""
    known = mapping.get("properties", {})
    types = {name: known[name].get("type", "object") for name in fields if name in known}
    return {name: kind for name, kind in types.items() if kind != fields[name]["type"]}
