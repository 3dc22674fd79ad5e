"""Read from a cluster's answer which documents it acknowledges: the grouper is notified of them. Pure."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dupgroups.model import Record
from dupgroups_es.document_source import record_source

GZIP_WINDOW_BITS = 31  # window bits that ask for the header of gzip
MAX_ANSWER_BYTES = 8_000_000  # bytes of an answer that are kept to be read
# documents of one request that the grouper is told of; it finds the others by itself
MAX_NOTIFIED_DOCUMENTS = 5_000


@dataclass(frozen=True, slots=True)
class Sent:
    """An operation that went to the cluster. `record` is what was written with it if it was signed."""

    action: str
    record: Record | None = None
    is_routed: bool = False


@dataclass(slots=True)
class News:
    """The documents that came into one index: `signed` documents with the versions that they have, as `hit`s;
    ids of documents to `look` at, and of those that are `gone`.
    """

    signed: list[Mapping[str, Any]] = field(default_factory=list)
    look: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.signed) + len(self.look) + len(self.gone)

    def add(self, other: News) -> None:
        """The operations after this position."""
        self.signed += other.signed
        self.look += other.look
        self.gone += other.gone


def news_of(sent: Sequence[Sent], encoding: str, body: bytes) -> dict[str, News]:
    """By index. {} if the answer does not tell: then the grouper finds what came by its sequence numbers."""
    answer = _values(encoding, body)
    if not isinstance(answer, dict):
        return {}
    items = [answer]
    if "items" in answer:
        items = [next(iter(item.values()), {}) for item in answer["items"]]
    if len(items) != len(sent):
        return {}
    news: defaultdict[str, News] = defaultdict(News)
    for operation, item in zip(sent, items, strict=True):
        is_written = item.get("result") in ("created", "updated", "deleted")
        if is_written and not operation.is_routed and {"_id", "_index"} <= item.keys():
            _note(news[str(item.get("_index"))], operation, item)
    return news


def _note(news: News, operation: Sent, item: Mapping[str, Any]) -> None:
    if item["result"] == "deleted":
        news.gone.append(item["_id"])
    elif operation.record is None or operation.record.id != item["_id"] or "_seq_no" not in item:
        news.look.append(item["_id"])
    else:
        version = {name: item[name] for name in ("_id", "_seq_no", "_primary_term", "result")}
        news.signed.append({**version, "_source": record_source(operation.record)})


def _values(encoding: str, body: bytes) -> Any:
    try:
        return json.loads(zlib.decompress(body, GZIP_WINDOW_BITS) if encoding == "gzip" else body)
    except (ValueError, RecursionError, zlib.error):
        return None
