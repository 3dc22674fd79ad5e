"""Resemblance, containment and figures, on texts edited as newsrooms edit them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from dupgroups import compare
from dupgroups.errors import ConfigError
from dupgroups.methods.agreement import Agreement
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.methods.sketches.bitmaps import Bitmap
from dupgroups.methods.verdicts import resemblance as module
from dupgroups.methods.verdicts.resemblance import Resemblance
from dupgroups.model import Content, Record, Relation, Signature, Verdict
from dupgroups.text.facts import read_facts
from methods.verdicts.records import check_too_short, record, refused
from stories import chinese_story, story

DEFAULT = Resemblance()
ENGLISH, CHINESE = story("harbour", 400), chinese_story("港口", 24)

DAILY = """The Greywater reservoir stood at {} per cent of its capacity at {} in the morning, a bulletin said.
The level at the dam was {} metres above the sea, and {} cubic metres a second were flowing in from the river.
The smaller reservoir at High Marrick was {} per cent full, after {} millimetres of rain at the upper gauge.
Consumption in Ashvale was {} thousand cubic metres, and the raw water had a temperature of {} degrees.
The bulletin is published every day and its figures may be corrected when the monthly report appears."""
ZH_DAILY = """截至{}时，全省累计报告确诊病例{}例，其中重症病例{}例。当日新增确诊病例{}例，新增出院病例{}例。
尚在接受医学观察的密切接触者有{}人，当日解除医学观察{}人。省卫生健康委员会提醒市民继续做好个人防护。"""


@pytest.mark.parametrize("text", [DAILY, ZH_DAILY], ids=["en", "zh"])
def test_two_days_of_a_daily_report_are_not_one_story(text: str) -> None:
    blanks = text.count("{}")
    monday, tuesday = (text.format(*range(first, first + 3 * blanks, 3)) for first in (11, 52))
    verdict = compare(monday, tuesday)
    assert verdict.relation == "near"
    assert verdict.score < 0.25
    assert f"0 of {blanks} numbers agree" in verdict.reason
    assert compare(monday, monday.replace("11", "90", 1)).relation == "duplicate", "a figure is corrected"


def test_bodies_of_another_kind_are_refused_and_one_without_figures_is_read() -> None:
    strange = Record("a", "a", "", Signature("period_string.1", ("key",), b"abcde"))
    with pytest.raises(ConfigError, match="reads signatures of minhash"):
        Resemblance()(strange, strange)
    one = Record("a", "a", "", MinHash(figures=0)(Content(DAILY.format(*range(8)))))
    assert Resemblance()(one, one).relation == "duplicate"


BOUNDS = "near must be above 0 and at most threshold, epsilon above 0, and threshold + epsilon below 1"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        *(({"threshold": value}, BOUNDS) for value in (1.0, 0.1, 0.95)),
        *(({name: value}, BOUNDS) for name, value in (("epsilon", 0.0), ("epsilon", 0.7), ("near", 0.0))),
        ({"containment": 1.5}, "containment must be between 0 and 1"),
        ({"figures": -1.0}, "figures must be between 0 and 1"),
        ({"slack": -1}, "slack must be at least 0"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    refused(lambda: Resemblance(**parameters), sentence)


def test_the_bounds_themselves_are_allowed() -> None:
    assert Resemblance(near=0.47, slack=0, figures=0, proportion=0, containment=0)
    assert Resemblance(near=0.01, slack=9, figures=1, proportion=1, containment=1)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Verdict]:
    """The verdict on two records of which this was measured, without their texts."""

    def verdict(
        alike: float,
        covered: float,
        sizes: tuple[int, int],
        hosts: Iterable[str] = "ab",
        figures: tuple[int, int] = (0, 0),
        judge: Resemblance = DEFAULT,
        strange: int = 0,
    ) -> Verdict:
        bodies = iter([(Bitmap(size, bytes(189)), bytes([strange])) for size in sizes])
        monkeypatch.setattr(module, "unpack", lambda body: next(bodies))
        monkeypatch.setattr(module, "resemblance", lambda *sizes: alike)
        monkeypatch.setattr(module, "containment", lambda *sizes: covered)
        monkeypatch.setattr(module, "agreement", lambda *numerals: figures)
        return judge(*(record(b"", host=host) for host in hosts))

    return verdict


@pytest.mark.parametrize(
    ("alike", "covered", "sizes", "hosts", "relation", "score"),
    [
        (1.0, 1.0, (100, 100), "ab", "duplicate", 1.0),
        (0.47, 1.0, (100, 47), "ab", "duplicate", 0.5),
        (0.47, 0.9, (100, 100), ("", ""), "duplicate", 0.5),  # who knows where they are from
        (0.735, 0.9, (100, 100), "ab", "duplicate", 0.75),
        (0.6, 0.6, (100, 100), "aa", "duplicate", 0.5 + 0.5 * 0.08 / 0.48),
        (0.47, 0.6, (100, 100), "aa", "near", 0.25 * 0.47 / 0.52),  # more is asked for on one host
        (0.46, 0.6, (100, 100), "ab", "near", 0.25 * 0.46 / 0.47),
        (0.2, 0.3, (100, 100), "ab", "near", 0.25 * 0.2 / 0.47),
        (0.19, 0.3, (100, 100), "ab", "different", 0.25 * 0.19 / 0.47),
        (0.4, 1.0, (100, 40), "ab", "contains", 0.4999),
        (0.4, 1.0, (40, 100), "ab", "contained", 0.4999),
        (0.3, 0.75, (100, 40), "ab", "contains", 0.25 + 0.2499 * 0.75),
        (0.3, 0.75, (100, 40), "aa", "near", 0.25 * 0.3 / 0.52),
        (0.3, 0.8, (100, 40), "aa", "contains", 0.25 + 0.2499 * 0.8),
        (0.3, 0.74, (100, 40), "ab", "near", 0.25 * 0.3 / 0.47),
        (0.25, 1.0, (100, 25), "ab", "contains", 0.4999),
        (0.24, 1.0, (100, 24), "ab", "near", 0.4999),  # a quotation, and ranked as what is covered
        (0.45, 0.9, (100, 100), "ab", "near", 0.25 * 0.45 / 0.47),  # of one size neither contains the other
    ],
)
def test_relation_and_score_by_the_words_alone(
    measured: Callable[..., Verdict],
    alike: float,
    covered: float,
    sizes: tuple[int, int],
    hosts: Iterable[str],
    relation: Relation,
    score: float,
) -> None:
    verdict = measured(alike, covered, sizes, hosts)
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


def test_an_excerpt_is_one_if_it_is_covered_whole_and_has_the_same_figures(
    measured: Callable[..., Verdict],
) -> None:
    strict = Resemblance(containment=1.0)
    assert measured(0.3, 1.0, (100, 40), "aa", judge=strict).relation == "contains"
    verdict = measured(0.4, 1.0, (100, 40), figures=(20, 0))
    assert (verdict.relation, verdict.score) == ("near", 0)


@pytest.mark.parametrize(
    ("alike", "common", "same", "relation", "score"),
    [
        (0.8, 20, 18, "duplicate", 0.5 + 0.5 * 0.33 / 0.53),  # two may always differ
        (0.8, 20, 17, "near", 0.25 * 0.8 * 17 / 20),
        (0.8, 40, 37, "duplicate", 0.5 + 0.5 * 0.33 / 0.53),  # 3 of 40 are less than a tenth
        (0.8, 40, 35, "near", 0.25 * 0.8 * 35 / 40),
        (0.4, 20, 0, "near", 0.25 * 0.4 / 0.47),  # numbers are not compared for what is not a copy
    ],
)
def test_how_many_figures_may_differ(
    measured: Callable[..., Verdict], alike: float, common: int, same: int, relation: Relation, score: float
) -> None:
    verdict = measured(alike, 0.6, (100, 100), figures=(common, same))
    unlike = f", but {common - same} of {common} numerals in the same context differ"
    reason = f"{alike:.0%} of their phrases are common to both, 60% of those of the shorter text"
    assert verdict == Verdict(
        relation, pytest.approx(score), f"{reason}{unlike if alike > 0.5 > score else ''}."
    )


@pytest.mark.parametrize(
    ("alike", "strange", "same", "doubtful"),
    [
        (0.1, 0, 20, True),
        (0.09, 0, 20, False),
        (0.47, 0, 20, True),  # the texts decide about copies too
        (0.6, 0, 16, True),  # but for its numerals, which may be misread
        (0.0195, 77, 20, True),  # at least 6 * 0.7**16 is left where three tenths of the words are misread
        (0.0185, 77, 20, False),
    ],
)
def test_what_is_doubtful(
    measured: Callable[..., Verdict], alike: float, strange: int, same: int, doubtful: bool
) -> None:
    figures = (20, same)
    assert measured(alike, 0.6, (100, 100), figures=figures, strange=strange).doubtful == doubtful
    trusting = Resemblance(doubt=1)
    assert not measured(alike, 0.6, (100, 100), figures=figures, strange=strange, judge=trusting).doubtful


LONG = Agreement(length=500, sizes=(100, 100), containment=0.6)
SHORT = Agreement(length=12, sizes=(100, 100), resemblance=0.6, words=0.2)
MANY_DIFFER = Agreement(length=500, sizes=(100, 100), numbers=(2, 8), changed_words=0.1)
PHRASES = "{} of their phrases are common to both, {} of those of the shorter text"


@pytest.fixture
def agreeing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Resemblance]:
    """A judge that finds this agreement in texts, and this resemblance in their signatures."""

    def judge(found: Agreement, signed: float = 0.0) -> Resemblance:
        monkeypatch.setattr(module, "compare_facts", lambda *facts: found)
        monkeypatch.setattr(Resemblance, "_resemblance", lambda *records: signed)
        return DEFAULT

    return judge


NO_FACTS = read_facts("")


@pytest.mark.parametrize(
    ("alike", "signed", "hosts", "relation", "score"),
    [
        (1.0, 0.0, "ab", "duplicate", 1.0),
        (0.5, 0.0, "ab", "duplicate", 0.5 + 0.5 * 0.03 / 0.53),
        (0.5, 0.0, ("", ""), "duplicate", 0.5 + 0.5 * 0.03 / 0.53),  # who knows where they are from
        (0.5, 0.0, "aa", "near", 0.25 * 0.5 / 0.52),  # more is asked for on one host
        (0.2, 0.0, "ab", "near", 0.25 * 0.2 / 0.47),
        (0.1, 0.0, "ab", "different", 0.25 * 0.1 / 0.47),
        (0.42, 0.45, "ab", "near", 0.25 * 0.45 / 0.47),  # signatures know what is running text ...
        (0.42, 0.1, "ab", "near", 0.25 * 0.42 / 0.47),
        (0.42, 0.9, "ab", "duplicate", 0.5 + 0.5 * 0.02 / 0.53),  # ... by which they gain a little
        (0.5, 0.9, "aa", "duplicate", 0.5 + 0.5 * 0.05 / 0.48),
        (0.39, 0.9, "ab", "near", 0.25 * 0.39 / 0.47),
        (0.52, 0.9, "aa", "duplicate", 0.5),
    ],
)
def test_relation_and_score_by_the_words_of_texts(
    agreeing: Callable[..., Resemblance],
    alike: float,
    signed: float,
    hosts: Iterable[str],
    relation: Relation,
    score: float,
) -> None:
    judge = agreeing(replace(LONG, resemblance=alike), signed)
    verdict = judge.by_texts(*(record(b"", host=host) for host in hosts), NO_FACTS, NO_FACTS)
    reason = f"{PHRASES.format(f'{alike:.0%}', '60%')}."
    assert verdict == Verdict(relation, pytest.approx(score), reason)
    assert verdict.doubtful, "by signatures alone"


OTHERS = "many of their numbers differ"


@pytest.mark.parametrize(
    ("found", "relation", "score", "reason"),
    [
        # what was misread is not held against them
        (replace(LONG, resemblance=0.3, damage=0.5), "duplicate", 0.5 + 0.5 * 0.03 / 0.53, ""),
        (replace(LONG, resemblance=0.9, damage=0.5), "duplicate", 1.0, ""),
        # the same words in other sentences
        (replace(LONG, resemblance=0.4, words=0.9), "duplicate", 0.5 + 0.25 * 0.9, ""),
        (replace(LONG, resemblance=0.95, words=0.9), "duplicate", 0.5 + 0.5 * 0.48 / 0.53, ""),
        # a quotation, the facts of copies, of similar texts and of others
        (replace(LONG, containment=1.0, sizes=(100, 9)), "near", 0.2499, ""),
        (replace(MANY_DIFFER, resemblance=0.6), "near", 0.25 * 0.6 * 0.9, f", but {OTHERS}"),
        (replace(MANY_DIFFER, resemblance=0.3), "near", 0.25 * 0.3 / 0.47, f", and {OTHERS}"),
        (replace(MANY_DIFFER, resemblance=0.1), "different", 0.25 * 0.1 / 0.47, ""),
        # phrases do not decide on short texts, and an equal headline needs no title
        (SHORT, "near", 0.2499, ""),
        (replace(SHORT, resemblance=0.1), "different", 0.25 * 0.1 / 0.47, ""),
        (replace(SHORT, length=4, words=1.0, titles=0.0), "duplicate", 0.75, ""),
    ],
)
def test_relation_and_score_by_the_facts_of_texts(
    agreeing: Callable[..., Resemblance], found: Agreement, relation: Relation, score: float, reason: str
) -> None:
    judge = agreeing(found)
    verdict = judge.by_texts(record(b""), record(b""), NO_FACTS, NO_FACTS)
    assert verdict == Verdict(relation, pytest.approx(score), f"{found.reason}{reason}.")
    assert verdict.doubtful, "by signatures alone"


def test_what_is_measured_of_texts(agreeing: Callable[..., Resemblance]) -> None:
    here, elsewhere = record(b"", host="a"), record(b"", host="b")

    def measured(found: Agreement, other: Record) -> list[tuple[float, float]]:
        signals = agreeing(found).signals_of_texts(here, other, NO_FACTS, NO_FACTS)
        return [(one.value, pytest.approx(one.threshold)) for one in signals if one.parameter]

    part = replace(LONG, resemblance=0.3, sizes=(100, 40))
    assert measured(part, elsewhere) == [(0.3, 0.47), (0.6, 0.75), (0.4, 0.25)]
    assert measured(part, here) == [(0.3, 0.52), (0.6, 0.8), (0.4, 0.25)]
    assert measured(replace(SHORT, sizes=(1, 1)), here) == [(1.0, 0.25)], "phrases do not decide"
    assert measured(replace(SHORT, sizes=(0, 0)), here) == [(0.0, 0.25)]


def test_how_many_figures_may_differ_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Record("a", "a", "a", MinHash()(Content(DAILY.format(*range(8)))))
    for common, same, allowed in ((40, 37, 4), (10, 9, 2)):
        monkeypatch.setattr(module, "agreement", lambda *_, both=(common, same): both)
        numerals = Resemblance(figures=0.89).signals(report, report)[3]
        assert (numerals.value, numerals.threshold) == (common - same, allowed)
    _, covered, *_ = Resemblance(containment=1.0).signals(report, report)
    assert covered.threshold == 1.0, "also on one host"


def test_half_of_a_text_is_an_excerpt_of_it_by_signatures() -> None:
    half = ENGLISH[: len(ENGLISH) // 2]
    whole, part = (Record(text, text, "", MinHash()(Content(text))) for text in (ENGLISH, half))
    verdict = DEFAULT(part, whole)
    assert (verdict.relation, verdict.reason) == ("contained", f"{PHRASES.format('34%', '100%')}.")


def test_texts_without_features_are_too_short() -> None:
    check_too_short(Resemblance(), Record("a", "a", "", MinHash()(Content(ENGLISH))))
