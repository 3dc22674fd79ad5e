"""The judge that weighs evidence: which edits leave a text one story, and what its parameters move."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
from dupgroups.model import Content, Record, Verdict
from dupgroups.text.facts import read_facts
from methods.verdicts.records import TURNED, check_too_short, judged, record, refused
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


def edits() -> Iterator[tuple[str, str, bool]]:
    """Texts of fifteen languages, each before and after an edit, and whether it is still one story."""
    for line in Path(__file__).with_name("edits.tsv").read_text("utf-8").splitlines():
        _, text, *tables = line.split("\t")
        for is_one, edit in [(place == 1, edit) for place in (0, 1) for edit in tables[place].split(" ; ")]:
            old, arrow, new = edit.partition(">")
            front, end = (edit[1:] if edit[0] == mark else "" for mark in "^$")
            yield text, text.replace(old, new) if arrow else f"{front} {text}{end}".strip(), is_one


@pytest.mark.parametrize(("text", "edited", "is_one"), [*edits()])
def test_an_edit_leaves_one_story_and_another_fact_makes_two(text: str, edited: str, is_one: bool) -> None:
    assert edited != text
    assert by_texts(text, edited).relation in (("duplicate", "contains") if is_one else ("near",))


LINES = news_text("b", 20).splitlines(keepends=True)
WHOLE, PART, OTHER = "".join(LINES), "".join(LINES[:8]), news_text("c", 20)


@pytest.mark.parametrize("said", ["Velmar rejected", "Velmar did not approve", "Kesselholm approved"])
def test_a_long_report_that_begins_with_another_fact_is_another_story(said: str) -> None:
    report = "".join(LINES[:9])
    form = f"The council of {{}} a bridge over the river Osgard on Monday.\n{report}"
    one, two = form.format("Velmar approved"), form.format(said)
    assert by_texts(one, two).relation == "near"
    assert by_texts(report + one, report + two).relation == "duplicate"


TEXTS = [WHOLE, story("a", 300), chinese_story("c", 24), *{text for text, *_ in edits()}]


@must_meet(3)
@given(st.sampled_from(sorted(TEXTS)), st.integers(1, 6), st.floats(0, 0.3))
def test_a_lower_threshold_joins_more_and_nothing_less(text: str, kept: int, share: float) -> None:
    other = misread(text, "some", share)[: len(text) * kept // 6]
    relations = [by_texts(text, other, EvidenceJudge(threshold=step / 10)).relation for step in range(11)]
    count = relations.count("duplicate")
    assert relations[:count] == ["duplicate"] * count
    met(1 < count < 11)


def test_a_substantial_part_is_an_excerpt_and_a_small_one_is_near() -> None:
    judge = EvidenceJudge(threshold=(by_texts(WHOLE, PART).score + 9 * by_texts(PART, PART).score) / 10)
    assert by_texts(WHOLE, PART, judge).relation == "contains"
    assert by_texts(PART, WHOLE, judge).relation == "contained"
    assert by_texts(WHOLE, PART, replace(judge, proportion=0.6)).relation == "near"
    assert by_texts(WHOLE, PART, replace(judge, proportion=0.6, near=0.6)).relation == "different"
    assert by_texts(WHOLE, LINES[0], EvidenceJudge(near=0.01)).relation == "near"


@pytest.mark.parametrize("name", ["threshold", "proportion", "near", "compare_from"])
@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_parameters_out_of_bounds_are_refused_and_the_bounds_are_not(name: str, value: float) -> None:
    assert EvidenceJudge(**{name: 0.0}) != EvidenceJudge(**{name: 1.0})
    refused(lambda: EvidenceJudge(**{name: value}), f"{name} must be between 0 and 1")


DAM = "The dam held {} tonnes at {} in the morning, {} at noon and {} at night; {} flowed in and {} out. "


def test_without_texts_the_signatures_decide() -> None:
    whole, part, other = map(signed, (WHOLE, PART, OTHER))
    relations = [judged(JUDGE, whole, one).relation for one in (whole, part, other)]
    assert relations == ["duplicate", "contains", "different"]
    assert [JUDGE(whole, one).doubtful for one in (part, other)] == [True, False]
    assert not EvidenceJudge(compare_from=1)(whole, whole).doubtful
    assert [EvidenceJudge(compare_from=doubt).reads_texts for doubt in (0.1, 1)] == [True, False]
    monday, friday = (signed(WHOLE + DAM.format(*range(day, 99, 13))) for day in (11, 12))
    assert judged(JUDGE, monday, friday).relation == "near"
    check_too_short(JUDGE, whole)
    with pytest.raises(ConfigError, match="reads signatures of minhash"):
        JUDGE(whole, record(b"abcde"))


@pytest.mark.parametrize("two", [PART, LINES[0], OTHER, WHOLE.replace("e", "a", 9), ""])
def test_the_parts_of_a_verdict_add_up_to_the_logarithm_of_its_odds(two: str) -> None:
    score, parts = by_texts(WHOLE, two).score, JUDGE.parts_of_texts(read_facts(WHOLE), read_facts(two))
    assert math.log(score / (1 - score)) == pytest.approx(sum(part.points for part in parts))
    assert [*parts[:-1]] == sorted(parts[:-1], key=lambda part: -abs(part.points))


def test_a_reason_names_a_few_contradictions_each_once() -> None:
    one, two = (DAM.format(day, day, *range(day, day + 4)) for day in (11, 71))
    told = "but “11” stands against “71”, “12” stands against “72”, “13” stands against “73”."
    assert by_texts(one, two).reason.endswith(told)
    negated = by_texts("The bridge will not open in May.", "The bridge will open in May.")
    assert "but only one has “not”" in negated.reason
