"""Why two documents are one story, or two: what was measured, and both texts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dupgroups.engines.common import copy_of
from dupgroups.flow.explain.text_alignment import Alignment, align
from dupgroups.flow.finding import relate
from dupgroups.flow.frame_log import LeftOut
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_if_outdated
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.methods.signals import Part, Signal
from dupgroups.methods.verdicts import JUDGES
from dupgroups.model import Document, Verdict
from dupgroups.model.config import Config

MAX_COMPARED_CHARS = 200_000  # characters of a text that are looked at


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that decided about two documents, and what both have.

    `schemes` are those of their signatures, `judge` is the name of the judge ("" if the schemes differ).
    `verdict` is how `a` relates to `b`. `joins`: whether that, and their days, put them into one group.
    `days_apart` is None without a limit of days; `within_days` is that limit. `signed_again`: whether the
    index holds signatures of another configuration, so that the texts were signed anew.
    """

    a: Document
    b: Document
    schemes: tuple[str, str]
    judge: str
    verdict: Verdict
    joins: bool
    signals: tuple[Signal, ...]
    """What a judge compared with its thresholds; () for one that adds up `parts`."""
    parts: tuple[Part, ...]
    """What the judge added up for its score, those that say most first."""
    alignment: Alignment
    left_out: tuple[LeftOut, ...] = ()
    """The passages of both texts that are no evidence, each once."""
    within_days: int | None = None
    days_apart: int | None = None
    signed_again: bool = False
    correction: int | None = None
    """The number of the correction that keeps them together; None for none."""

    @property
    def one_group(self) -> bool:
        """Whether the store has them in one group."""
        return self.a.record.group == self.b.record.group


def explain_pair(a: Document, b: Document, methods: MethodSet, config: Config) -> Explanation:
    """Why `a` and `b` are one story or two, by these methods; the documents may be stored or not."""
    rule = GroupingRule.of(config)
    documents = [sign_if_outdated(document, methods) for document in (a, b)]
    one, two = (document.record for document in documents)
    schemes = (one.signature.scheme, two.signature.scheme)
    judge = methods.judge(schemes[0]) if schemes[0] == schemes[1] else None
    verdict = relate(documents[0], documents[1], methods)
    return Explanation(
        a=a,
        b=b,
        schemes=schemes,
        judge=JUDGES.name_of(type(judge)) if judge else "",
        verdict=verdict,
        joins=rule.is_near_in_time(one, two) and rule.joins(verdict),
        signals=methods.signals(*documents) if judge else (),
        parts=methods.parts(*documents) if judge else (),
        left_out=methods.list_left_out(*documents),
        alignment=align(a.content.text[:MAX_COMPARED_CHARS], b.content.text[:MAX_COMPARED_CHARS]),
        within_days=rule.within_days,
        days_apart=None if rule.within_days is None else abs(one.day - two.day),
        signed_again=(one, two) != (a.record, b.record),
        correction=methods.find_correction(one, two),
    )


def pair_payload(explanation: Explanation) -> dict[str, Any]:
    """The explanation as plain values for JSON: the same on the page and on the command line."""
    a, b = explanation.a, explanation.b
    found = asdict(explanation) | {"a": _side(a), "b": _side(b), "one_group": explanation.one_group}
    verdict: dict[str, Any] = found.pop("verdict")
    return verdict | found


def _side(document: Document) -> dict[str, Any]:
    record, shown = document.record, copy_of(document)
    told = {name: getattr(shown, name) for name in ("id", "title", "url", "site", "date", "language")}
    return told | {"group": record.group, "length": record.length}
