"""Which stored documents have the text of a document, or a part of it: asked without storing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from heapq import nlargest
from typing import Any

from dupgroups.engines.base import Store
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.constraints import exclude_listed
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
from dupgroups.model import Document, Record, Relation, Verdict
from dupgroups.text.facts import add_title
from dupgroups.text.passages import Overlap, find_overlaps, shorten

MIN_PASSAGE_WORDS = 15  # of a passage for which texts that are no copies are found
MAX_QUOTING = 8  # texts that are compared for their passages
MIN_PART_SHARE = 0.75  # share of the words of a part that the whole has
# of a part, relative to the whole: how larger ones stand to each other the judge says
MAX_PART_SIZE = EvidenceJudge.proportion
# Of what the other one has word for word: issues of a series differ in every sentence, and have one size.
WHOLE_PART_SHARE, MAX_WHOLE_PART_SIZE = 0.95, 0.75
MAX_SHOWN_PASSAGES, MAX_SHOWN_CHARS = 5, 500  # of a document that is found, and of each passage


@dataclass(frozen=True, slots=True)
class Found:
    """A stored document that is near the one that was asked about."""

    id: str
    relation: Relation
    """What the document that was asked about is to it: `duplicate` a copy, `contained` a part of it,
    `contains` a text with all of it and more, `near` another text with a passage in common; in a store
    without texts, one that is similar.
    """
    score: float
    """The probability that both are one story, by the judge: 0 to 1."""
    reason: str
    """What the relation comes from, as a sentence."""
    joins: bool
    """Whether the verdict would join them."""
    differ: tuple[tuple[str, str], ...] = ()
    """The numbers and names in which a copy or a part contradicts the other text, each as (asked about,
    stored); () if the store keeps no texts.
    """
    passages: tuple[str, ...] = ()
    """The passages that both texts have, word for word, as they stand in the one that was asked about, the
    longest first: MAX_SHOWN_PASSAGES, of each MAX_SHOWN_CHARS; () if none has MIN_PASSAGE_WORDS, or without
    texts.
    """
    title: str = ""
    url: str | None = None
    site: str = ""

    @property
    def is_part(self) -> bool:
        """Whether one text is a part of the other that is not joined, of which its score says nothing."""
        return self.relation in ("contained", "contains") and not self.joins


def find(store: Store, documents: Sequence[Document], methods: MethodSet, now: int) -> list[list[Found]]:
    """For each signed document what is near it in a store, the nearest first: [] for none, and for a text
    that is too short to be compared. Nothing is written.

    Compared are those with which it would be when it is added at `now`, in microseconds since 1970 (see
    `GroupingRule.max_partners`), and of the others MAX_QUOTING that have the longest passages in common with
    it; so is the one that is stored under its id, unless it is that one. Asks the store twice, however many
    documents there are.
    """
    methods.read_log(store.corrections())
    asked = [
        replace(one, record=replace(one.record, first_seen=one.record.first_seen or now)) for one in documents
    ]
    # those that have a part of a document are looked up by its text, where that is known
    signatures = [
        methods.part_signature(one) if store.keeps_text or not one.record.last_seen else one.record.signature
        for one in asked
    ]
    looked = store.candidates(signatures, limit=methods.rule.candidates)
    near = list[tuple[Sequence[Record], Sequence[Record]]]()
    for one, signature, others in zip(asked, signatures, looked, strict=True):
        kept = (other for other in others if not (one.record.last_seen and other.id == one.record.id))
        in_time = [other for other in kept if methods.rule.is_near_in_time(one.record, other)]
        keys, least = set(signature.keys), one.record.signature.shared_keys
        enough = [other for other in in_time if len(keys.intersection(other.signature.keys)) >= least]
        parts = methods.choose_nearest(one.record, exclude_listed(in_time, enough), MAX_QUOTING)
        near.append((enough, parts if store.keeps_text else ()))
    ids = sorted({other.id for both in near for others in both for other in others})
    stored = store.read(ids) if ids else {}
    if not store.keeps_text:
        stored = {id_: replace(one, content=replace(one.content, text="")) for id_, one in stored.items()}
    found = []
    for one, (whole, parted) in zip(asked, near, strict=True):
        known = [replace(stored[other.id], record=other) for other in (*whole, *parted) if other.id in stored]
        found.append(_judge_all(one, known, methods.choose_compared(one.record, whole), methods))
    return found


def _judge_all(
    document: Document, others: Sequence[Document], chosen: Sequence[Record], methods: MethodSet
) -> list[Found]:
    ids = [other.record.id for other in others]
    overlaps = find_overlaps(document.content.text, [other.content.text for other in others])
    common = dict(zip(ids, overlaps, strict=True))
    compared = {record.id for record in chosen}
    quoting = (id_ for id_, overlap in common.items() if id_ not in compared and _is_passage(overlap))
    compared |= {*sorted(quoting, key=lambda id_: (-common[id_].longest, id_))[:MAX_QUOTING]}
    judged = (other for other in others if other.record.id in compared)
    found = (_judge_pair(document, other, common[other.record.id], methods) for other in judged)
    return sorted(
        filter(None, found), key=lambda one: (not one.joins, one.relation == "near", -one.score, one.id)
    )


def _judge_pair(document: Document, other: Document, common: Overlap, methods: MethodSet) -> Found | None:
    """How a document stands to a stored one; None if they are different, or similar without a passage."""
    verdict = relate(document, other, methods, common)
    relation, joins = verdict.relation, methods.rule.joins(verdict)
    has_texts = document.content.text and other.content.text
    # never too short, as both have keys
    if relation == "different" or (relation == "near" and has_texts and not _is_passage(common)):
        return None
    texts = (add_title(one.content) for one in (document, other))
    longest = nlargest(MAX_SHOWN_PASSAGES, common.passages, key=lambda one: one.words)
    told = (shorten(one.text, MAX_SHOWN_CHARS) for one in longest if one.words >= MIN_PASSAGE_WORDS)
    return Found(
        *(other.record.id, relation, verdict.score, verdict.reason, joins),
        differ=methods.differing(*texts) if relation != "near" else (),
        passages=tuple(told),
        title=other.content.title,
        url=other.content.url,
        site=other.content.site or other.record.host,
    )


def relate(a: Document, b: Document, methods: MethodSet, common: Overlap | None = None) -> Verdict:
    """How document `a` stands to `b`, whoever asks: the verdict by which they are grouped, and where that
    does not join them, what their passages say, with its score. `common`: what `a` has in common with `b`.
    """
    verdict, join = methods.verdict(a, b), methods.rule.join
    is_open = verdict.relation not in ("duplicate", "too_short") and verdict.relation not in join
    if not is_open or a.record.signature.scheme != b.record.signature.scheme:
        return verdict
    common = common or find_overlaps(a.content.text, [b.content.text])[0]
    if not _is_passage(common):
        return verdict
    part, covered = relate_by_passages(common)
    if part == "near" or part in join:  # which parts are joined the judge alone says
        return replace(verdict, relation="near") if verdict.relation == "different" else verdict
    reason = f"{covered:.0%} of the words of the shorter text are in passages of the longer one."
    return replace(verdict, relation=part, reason=reason)


def relate_by_passages(common: Overlap) -> tuple[Relation, float]:
    """How a text stands to another one that the judge does not join, and the share of the shorter one that is
    in the longer one: a part of it that is too small to be one story with it, or is in it word for word; or
    near.
    """
    one, other = common.share, common.share_of_other
    covered = max(one, other)
    most = MAX_WHOLE_PART_SIZE if covered >= WHOLE_PART_SHARE else MAX_PART_SIZE
    if covered < MIN_PART_SHARE or min(one, other) > most * covered:
        return "near", covered
    return ("contained" if one > other else "contains"), covered


def _is_passage(common: Overlap) -> bool:
    return common.longest >= MIN_PASSAGE_WORDS


def found_payload(document: Document, found: Sequence[Found]) -> dict[str, Any]:
    """Turn what was found into plain values for JSON: the same from the page and on the command line."""
    record = document.record
    return {"id": record.id, "too_short": not record.signature, "found": [asdict(one) for one in found]}
