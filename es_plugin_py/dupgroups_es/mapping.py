"""The index that dup-groups creates: its settings and fields, and how to recognize one of other tools.

Pure functions from configuration to request bodies. Sizes were measured with 20 keys of 5 bytes and a body of
64 bytes: 384 bytes per document with `best_compression` and keys without doc_values, 656 without both.
"""

import json
from collections.abc import Mapping
from typing import Any

from dupgroups.model.field_names import Fields

Body = dict[str, Any]

MAPPING_VERSION = 1
META = "dup_groups"  # the key of `_meta` with the version that created the index

_KEYWORD: Body = {"type": "keyword"}
_STORED_KEYWORD: Body = {"type": "keyword", "index": False, "doc_values": False}
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
    "dup_host": _STORED_KEYWORD,
    "dup_scheme": {"type": "keyword", "doc_values": False},
    "dup_keys": _KEYS,
    "dup_signature": {"type": "binary"},
    "dup_fingerprint": _STORED_KEYWORD,
    "dup_first_seen": _TIME,
    "dup_last_seen": _TIME,
    "dup_length": {"type": "integer", "doc_values": False},
    "dup_canonical": {"type": "boolean", "index": False, "doc_values": False},
    "dup_published": {"type": "long", "index": False, "doc_values": False},
    "dup_ties": _STORED_KEYWORD,
}
"""What grouping knows about a document; the only fields that are added to an index of other tools."""

ADOPTED_FIELDS: Body = RECORD_FIELDS | {"dup_host": _KEYWORD}
"""As they are added there: without a field of sites, documents are filtered and counted by their hosts."""

CONTENT_FIELDS: Body = {
    "url": {"type": "keyword", "ignore_above": 8000, "doc_values": False},
    "site": {"type": "keyword", "ignore_above": 1000},  # as counted: the host, else its own name
    "site_name": {"type": "keyword", "ignore_above": 1000},  # its own name, where it has one
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
    "image": _STORED_KEYWORD,
    "scope": _STORED_KEYWORD,
    "source": _STORED_KEYWORD,
    "owner": _STORED_KEYWORD,
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
            "_meta": {META: {"version": MAPPING_VERSION}},
            "properties": RECORD_FIELDS | CONTENT_FIELDS,
        },
    }


SIDE_INDICES = {
    "redirects": "where groups went that were merged into others",
    "settled": "how far groups are up to date",
    "corrections": "what people said of documents",
    "stories": "the figures of every story",
    "keys": "the keys of documents in older indices",
    "revisions": "what documents said before they were changed",
}
"""What is kept beside an index, by the end of the name."""

_SIDE_FIELDS: Mapping[str, Body] = {
    "redirects": {"to": _KEYWORD},  # `_id` was merged into `to`
    "settled": {"settled": {"type": "long", "index": False}},  # `_id` names the shard
    "corrections": {"number": {"type": "long"}, "entry": {"type": "object", "enabled": False}},
    "stories": {
        "dup_group": _KEYWORD,  # by which other indices are joined
        "copies": {"type": "integer"},
        "sites": {"type": "integer"},
        "sources": {"type": "integer"},
        "agencies": _KEYWORD,
        "first_published": {"type": "date"},
        "last_published": {"type": "date"},
        "first_seen": {"type": "date_nanos"},
        "last_seen": {"type": "date_nanos"},
        "languages": _KEYWORD,
        "counted": {"type": "object", "enabled": False},
        "is_stale": {"type": "boolean"},
    },
    "revisions": {"changes": {"type": "object", "enabled": False}},  # `_id` is that of the document
    "keys": {
        **{name: RECORD_FIELDS[name] for name in ("dup_id", "dup_scheme", "dup_keys")},
        "dup_home": _KEYWORD,  # the uuid of the index that has the document
        "until": {"type": "long"},  # of a mark, whose `_id` names the shard
    },
}


def side_index(index: str, kind: str) -> str:
    """The name of a side index. It has a prefix of its own, because the templates and policies of other tools
    are made for names that begin as the index does.

    >>> side_index("news", "redirects"), side_index("news-*", "redirects")
    ('dup-groups-news-redirects', 'dup-groups-news-+-redirects')
    """
    return f"dup-groups-{index.replace('*', '+')}-{kind}"


def side_body(kind: str) -> Body:
    """Settings and mapping of a side index, which is small, and hidden from patterns."""
    return {
        "settings": {
            "index": {
                "number_of_shards": 1,
                "auto_expand_replicas": "0-1",
                "hidden": True,
                "default_pipeline": "_none",
                "final_pipeline": "_none",
            }
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": {META: {"version": MAPPING_VERSION}},
            "properties": _SIDE_FIELDS[kind],
        },
    }


def _meta_of(mapping: Mapping[str, Any]) -> Body:
    meta = mapping.get("_meta", {}).get(META)
    return meta if isinstance(meta, dict) else {}


def version_of(mapping: Mapping[str, Any]) -> int | None:
    """The version of the index that a mapping belongs to; None for an index of other tools."""
    return _meta_of(mapping).get("version")


def set_of(mapping: Mapping[str, Any]) -> str | None:
    """The name of the set that an adopted index is grouped with; None if it has groups of its own."""
    return _meta_of(mapping).get("set")


def in_other_set(name: str, of_set: str) -> str:
    """Why a name cannot be used whose index, or indices, are grouped with others, in a sentence."""
    return f"{name!r} is grouped together with others as {of_set!r}: give that name"


def is_alone(mapping: Mapping[str, Any]) -> bool:
    """Whether an index has groups of its own: dup-groups made it, or adopted it by itself."""
    return META in mapping.get("_meta", {}) and set_of(mapping) is None


def kept_fields(mapping: Mapping[str, Any]) -> Fields | None:
    """The field map that an adopted index keeps; None for any other. Raises ConfigError if it is damaged."""
    meta = _meta_of(mapping)
    return Fields.from_json(meta["fields"]) if "fields" in meta else None


def adoption(mapping: Mapping[str, Any], fields: Fields, of_set: str | None = None) -> Body:
    """The changes that adopting an index makes to its mapping: fields that it lacks, the field map, and the
    name of the set that it is grouped with, if it is.

    {} if there is nothing to change. The rest of `_meta`, which a change replaces, is other tools'.
    """
    ours = {"fields": fields.to_json(), **({"set": of_set} if of_set else {})}
    kept = {**mapping.get("_meta", {}), META: ours}
    there = mapping.get("properties", {})
    missing = {name: field for name, field in ADOPTED_FIELDS.items() if name not in there}
    changes = {"properties": missing, "_meta": kept}
    if kept == mapping.get("_meta"):
        del changes["_meta"]
    return {name: change for name, change in changes.items() if change}


def missing_fields(mapping: Mapping[str, Any]) -> list[str]:
    """The fields of a record that a mapping lacks."""
    return [name for name in RECORD_FIELDS if name not in mapping.get("properties", {})]


def is_outdated(mapping: Mapping[str, Any]) -> bool:
    """Whether an index of dup-groups was created before it knew all of its fields."""
    return bool(CONTENT_FIELDS.keys() - mapping.get("properties", {}).keys())


def wrong_fields(mapping: Mapping[str, Any]) -> dict[str, str]:
    """Fields of a record that cannot be used as they are mapped: name -> what differs."""
    there = mapping.get("properties", {})
    pairs = {name: (there[name], field) for name, field in RECORD_FIELDS.items() if name in there}
    differences = {name: _difference(*pair) for name, pair in pairs.items()}
    return {name: difference for name, difference in differences.items() if difference}


def _difference(field: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The type of a field if that is wrong, or how it is searched; "" if both are as wanted."""
    kind = str(field.get("type", "object"))
    if kind != wanted["type"]:
        return kind
    differing = (name for name in ("analyzer", "similarity") if field.get(name) != wanted.get(name))
    return "".join(f"{kind} with another {name}" for name in list(differing)[:1])


def reindexing(index: str) -> str:
    """How the documents of an index get into one whose `dup_` fields are mapped as they have to be."""
    body = {"source": {"index": index, "_source": {"excludes": ["dup_*"]}}, "dest": {"index": "NEW"}}
    return (
        f"make an index NEW with its mapping but no dup_ fields, POST _reindex {json.dumps(body)}, and group "
        "NEW with `dup-groups backfill`"
    )
