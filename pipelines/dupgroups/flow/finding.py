"""Which stored documents have the text of a document, or a part of it: asked without storing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from dupgroups.engines.base import Store
from dupgroups.flow.method_set import MethodSet
from dupgroups.model import Document, Record, Relation
from dupgroups.text.facts import add_title


@dataclass(frozen=True, slots=True)
class Found:
    """A stored document that is near the one that was asked about.

    `relation` is what that one is to it: `duplicate` a copy, `contained` a part of it, `contains` a text with
    all of it and more, `near` similar. `score` (0 to 1) and `reason` are those of the judge; `joins`: whether
    the verdict would join them. `differ` are the numbers and names in which their texts contradict each
    other, each as (asked about, stored); () if the store keeps no texts.
    """

    id: str
    relation: Relation
    score: float
    reason: str
    joins: bool
    differ: tuple[tuple[str, str], ...] = ()
    title: str = ""
    url: str | None = None
    site: str = ""


def find(store: Store, documents: Sequence[Document], methods: MethodSet, now: int) -> list[list[Found]]:
    """For each signed document what is near it in a store, the nearest first: [] for none, and for a text
    that is too short to be compared. Nothing is written.

    As many are compared as when it is added at `now`, in microseconds since 1970 (see
    `GroupingRule.most`), and so is the one that is stored under its id, unless it is that one. Asks the store
    twice, however many documents there are.
    """
    asked = [
        replace(one, record=replace(one.record, first_seen=one.record.first_seen or now)) for one in documents
    ]
    looked = store.candidates([one.record.signature for one in asked], limit=methods.rule.candidates)
    near = [_choose_compared(one.record, others, methods) for one, others in zip(asked, looked, strict=True)]
    ids = sorted({other.id for others in near for other in others})
    stored = store.read(ids) if ids else {}
    if not store.keeps_text:
        stored = {id_: replace(one, content=replace(one.content, text="")) for id_, one in stored.items()}
    return [
        _judge_all(
            one, [replace(stored[other.id], record=other) for other in others if other.id in stored], methods
        )
        for one, others in zip(asked, near, strict=True)
    ]


def _choose_compared(record: Record, others: Sequence[Record], methods: MethodSet) -> list[Record]:
    others = [other for other in others if not (record.last_seen and other.id == record.id)]
    return [
        other for other in methods.choose_compared(record, others) if methods.rule.compares(record, other)
    ]


def _judge_all(document: Document, others: Sequence[Document], methods: MethodSet) -> list[Found]:
    found = (_judge_pair(document, other, methods) for other in others)
    return sorted(filter(None, found), key=lambda one: (not one.joins, -one.score, one.id))


def _judge_pair(document: Document, other: Document, methods: MethodSet) -> Found | None:
    """How a document stands to a stored one; None if they are different."""
    verdict = methods.verdict(document, other)
    if verdict.relation == "different":  # never too short, as both have keys
        return None
    texts = (add_title(one.content) for one in (document, other))
    return Found(
        *(other.record.id, verdict.relation, verdict.score, verdict.reason, methods.rule.joins(verdict)),
        differ=methods.differing(*texts),
        title=other.content.title,
        url=other.content.url,
        site=other.content.site or other.record.host,
    )


def found_payload(document: Document, found: Sequence[Found]) -> dict[str, Any]:
    """Turn what was found into plain values for JSON: the same from the page and on the command line."""
    record = document.record
    return {"id": record.id, "too_short": not record.signature, "found": [asdict(one) for one in found]}
