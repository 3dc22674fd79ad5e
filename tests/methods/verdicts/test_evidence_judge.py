"""The judge that weighs evidence: which edits leave a text one story, and what its parameters move."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
from dupgroups.model import Content, Record, Signature, Verdict
from dupgroups.text.facts import read_facts
from methods.verdicts.records import TURNED, check_too_short, judged, refused
from properties import met, must_meet
from stories import chinese_story, misread, news_text, story

JUDGE, SIGNER = EvidenceJudge(), MinHash()


def signed(text: str) -> Record:
    return Record(text, text, "", SIGNER(Content(text)))


def by_texts(one: str, two: str, judge: EvidenceJudge = JUDGE) -> Verdict:
    """The verdict, once it is seen to be symmetric."""
    (a, first), (b, second) = ((signed(text), read_facts(text)) for text in (one, two))
    verdict, back = judge.by_texts(a, b, first, second), judge.by_texts(b, a, second, first)
    assert (back.score, back.relation) == (verdict.score, TURNED.get(verdict.relation, verdict.relation))
    return verdict


def edits() -> Iterator[Any]:
    """Texts of fifteen languages, each before and after an edit, and whether it is still one story."""
    for line in Path(__file__).with_name("edits.tsv").read_text("utf-8").splitlines():
        language, text, *tables = line.split("\t")
        for is_one, edit in [(place == 1, edit) for place in (0, 1) for edit in tables[place].split(" ; ")]:
            old, arrow, new = edit.partition(">")
            front, end = (edit[1:] if edit[0] == mark else "" for mark in "^$")
            edited = text.replace(old, new) if arrow else f"{front} {text}{end}".strip()
            yield pytest.param(text, edited, is_one, id=f"{language} {edit}, {'one' if is_one else 'two'}")


EDITS = [*edits()]


@pytest.mark.parametrize(("text", "edited", "is_one"), EDITS)
def test_an_edit_leaves_one_story_and_another_fact_makes_two(text: str, edited: str, is_one: bool) -> None:
    assert edited != text
    assert by_texts(text, edited).relation in (("duplicate", "contains") if is_one else ("near",))


LONG = [story("a", 300), news_text("b", 20), chinese_story("c", 24)]
SHORT = [*dict.fromkeys(edit.values[0] for edit in EDITS)]


@must_meet(5)
@given(st.sampled_from([*LONG, *SHORT]), st.integers(1, 6), st.floats(0, 0.3))
def test_a_lower_threshold_joins_more_and_nothing_less(text: str, kept: int, share: float) -> None:
    other = misread(text, "some", share)[: len(text) * kept // 6]
    relations = [by_texts(text, other, EvidenceJudge(threshold=step / 20)).relation for step in range(21)]
    count = relations.count("duplicate")
    assert relations[:count] == ["duplicate"] * count
    met(1 < count < 21)


LINES = news_text("b", 20).splitlines(keepends=True)
WHOLE, PART = "".join(LINES), "".join(LINES[:8])


def test_a_substantial_part_is_an_excerpt_and_a_small_one_is_near() -> None:
    threshold = (by_texts(WHOLE, PART).score + by_texts(PART, PART).score) / 2
    assert by_texts(WHOLE, PART, EvidenceJudge(threshold=threshold)).relation == "contains"
    assert by_texts(PART, WHOLE, EvidenceJudge(threshold=threshold)).relation == "contained"
    assert by_texts(WHOLE, PART, EvidenceJudge(threshold=threshold, proportion=0.6)).relation == "near"
    assert (
        by_texts(WHOLE, PART, EvidenceJudge(threshold=threshold, proportion=0.6, near=0.6)).relation
        == "different"
    )
    assert by_texts(WHOLE, LINES[0], EvidenceJudge(near=0.01)).relation == "near"


@pytest.mark.parametrize("name", ["threshold", "proportion", "near", "doubt"])
@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_parameters_out_of_bounds_are_refused_and_the_bounds_are_not(name: str, value: float) -> None:
    assert EvidenceJudge(**{name: 0.0}) != EvidenceJudge(**{name: 1.0})
    refused(lambda: EvidenceJudge(**{name: value}), f"{name} must be between 0 and 1")


BULLETIN = (
    "The dam held {} cubic metres at {} in the morning, {} at noon and {} at night; {} flowed in and {} out. "
)


def test_without_texts_the_signatures_decide() -> None:
    whole, half, other = map(signed, (WHOLE, PART, news_text("c", 20)))
    assert judged(JUDGE, whole, whole).relation == "duplicate"
    assert (judged(JUDGE, whole, half).relation, judged(JUDGE, whole, other).relation) == (
        "contains",
        "different",
    )
    assert [JUDGE(whole, one).doubtful for one in (half, other)] == [True, False]
    assert not EvidenceJudge(doubt=1).reads_texts
    assert not EvidenceJudge(doubt=1)(whole, half).doubtful
    monday, friday = (signed(WHOLE + BULLETIN.format(*range(day, 99, 13))) for day in (11, 12))
    assert judged(JUDGE, monday, friday).relation == "near"
    check_too_short(JUDGE, whole)


def test_signatures_of_another_kind_are_refused() -> None:
    strange = Record("a", "a", "", Signature("period_string.1", ("key",), b"abcde"))
    with pytest.raises(ConfigError, match="reads signatures of minhash"):
        JUDGE(strange, strange)


@pytest.mark.parametrize("two", [PART, LINES[0], news_text("c", 20), WHOLE.replace("e", "a", 9), ""])
def test_the_parts_of_a_verdict_add_up_to_the_logarithm_of_its_odds(two: str) -> None:
    score, parts = by_texts(WHOLE, two).score, JUDGE.parts_of_texts(read_facts(WHOLE), read_facts(two))
    assert math.log(score / (1 - score)) == pytest.approx(sum(part.points for part in parts))
    sizes = [abs(part.points) for part in parts[:-1]]
    assert sizes == sorted(sizes, reverse=True)


def test_a_reason_names_a_few_contradictions_each_once() -> None:
    one, two = (
        BULLETIN.format(*range(day, day + 6)) + BULLETIN.format(*range(day, day + 6)) for day in (11, 71)
    )
    reason = by_texts(one, two).reason
    assert reason.endswith(
        "but “11” stands against “71”, “12” stands against “72”, “13” stands against “73”."
    )
    assert "“11” stands against “71”" in by_texts(one, one.replace("11", "71")).reason
    assert (
        "but only one has “not”"
        in by_texts("The bridge will not open in May.", "The bridge will open in May.").reason
    )
