"""Resemblance, containment and figures, on texts edited as newsrooms edit them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dupgroups import compare
from dupgroups.errors import ConfigError
from dupgroups.model import Content, Page, Record, Relation, Signature
from dupgroups.signatures.minhash import MinHash
from dupgroups.verdicts import resemblance as module
from dupgroups.verdicts.resemblance import Resemblance
from stories import HAN, chinese_story, story
from verdicts.records import check_too_short, judged, refused

ENGLISH, CHINESE = story("harbour", 400), chinese_story("港口", 24)

DAILY = """The Greywater reservoir stood at {} per cent of its capacity at {} in the morning, a bulletin said.
The level at the dam was {} metres above the sea, and {} cubic metres a second were flowing in from the river.
The smaller reservoir at High Marrick was {} per cent full, after {} millimetres of rain at the upper gauge.
Consumption in Ashvale was {} thousand cubic metres, and the raw water had a temperature of {} degrees.
The bulletin is published every day and its figures may be corrected when the monthly report appears."""
ZH_DAILY = """截至{}时，全省累计报告确诊病例{}例，其中重症病例{}例。当日新增确诊病例{}例，新增出院病例{}例。
尚在接受医学观察的密切接触者有{}人，当日解除医学观察{}人。省卫生健康委员会提醒市民继续做好个人防护。"""


def one_word(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) // 3, len(text) // 2)
    return text[:at] + ("字" if "。" in text else " another ") + text[at + 1 :]


def many_words(text: str, rng: random.Random) -> str:
    """Every twelfth word, or every twenty-fifth character, is another one."""
    if "。" in text:
        return "".join(rng.choice(HAN) if at % 25 == 9 else character for at, character in enumerate(text))
    return " ".join("other" if at % 12 == 5 else word for at, word in enumerate(text.split(" ")))


def leaked(text: str, rng: random.Random) -> str:
    links = (
        ["相关阅读", "港口新闻 图片 视频"]
        if "。" in text
        else ["Related", "Sport Weather Video", "More from us"]
    )
    return "\n".join([text, *links])


EDITS = {
    "whitespace": lambda text, rng: text.replace("\n", "\n\n "),
    "one word": one_word,
    "dateline": lambda text, rng: (
        ("本报三月三日讯 记者王明 " if "。" in text else "HALVERN, March 3 (Wire) - ") + text
    ),
    "source line": lambda text, rng: (
        text + ("\n来源：新华社。" if "。" in text else "\nCopyright the Wire. All rights reserved.")
    ),
    "related links": leaked,
    "last paragraph cut": lambda text, rng: text.rsplit("\n", 1)[0],
    "many words": many_words,
    "paragraphs swapped": lambda text, rng: "\n".join(reversed(text.split("\n"))),
}


@pytest.mark.parametrize("original", [ENGLISH, CHINESE], ids=["en", "zh"])
@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_copy_is_a_duplicate(original: str, edit: str) -> None:
    changed = EDITS[edit](original, random.Random(3))
    verdict = compare(original, changed)
    assert (verdict.relation, verdict.score >= 0.5) == ("duplicate", True)


@pytest.mark.parametrize("original", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_an_excerpt_is_contained_and_a_quotation_only_near(original: str) -> None:
    paragraphs = original.split("\n")
    third, line = (
        "\n".join(paragraphs[: round(len(paragraphs) / 3)]),
        paragraphs[0][: len(original) // 8] + ".",
    )
    assert compare(original, third).relation == "contains"
    assert compare(third, original).relation == "contained"
    assert 0.25 <= compare(third, original).score < 0.5
    assert compare(line + "。", original).relation in ("near", "too_short")


@pytest.mark.parametrize("text", [DAILY, ZH_DAILY], ids=["en", "zh"])
def test_two_days_of_a_daily_report_are_not_one_story(text: str) -> None:
    blanks = text.count("{}")
    monday, tuesday = (text.format(*range(first, first + 3 * blanks, 3)) for first in (11, 52))
    verdict = compare(monday, tuesday)
    assert verdict.relation == "near"
    assert verdict.score < 0.25
    assert f"{blanks} of {blanks} numerals" in verdict.reason
    assert compare(monday, monday).relation == "duplicate"


@pytest.mark.parametrize("text", [DAILY, ZH_DAILY], ids=["en", "zh"])
def test_a_copy_may_correct_a_figure(text: str) -> None:
    figures = list(range(11, 11 + text.count("{}")))
    corrected = [90, *figures[1:]]
    assert compare(text.format(*figures), text.format(*corrected)).relation == "duplicate"


def test_more_is_asked_for_on_one_host() -> None:
    shared = story("template", 350)
    one, two = shared + "\n" + story("one", 180), shared + "\n" + story("two", 180)
    texts = [Page(url="http://a.example/1", text=one), Page(url="http://a.example/2", text=two)]
    elsewhere = Page(url="http://b.example/2", text=two)
    assert compare(texts[0], elsewhere).relation == "duplicate"
    assert compare(*texts).relation == "near"


def test_sketches_of_another_kind_are_refused_in_a_sentence() -> None:
    strange = Record("a", "a", "", Signature("period_string.1", ("key",), b"abcde"))
    with pytest.raises(ConfigError, match="reads signatures of minhash"):
        Resemblance()(strange, strange)


def test_a_body_without_figures_is_read() -> None:
    made = MinHash(figures=0)(Content(DAILY.format(*range(8))))
    one = Record("a", "a", "", made)
    assert Resemblance()(one, one).relation == "duplicate"


THRESHOLDS = "near must be above 0 and at most threshold, epsilon above 0, and threshold + epsilon below 1"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"threshold": 1.0}, THRESHOLDS),
        ({"threshold": 0.1}, THRESHOLDS),
        ({"threshold": 0.95}, THRESHOLDS),
        ({"epsilon": 0.0}, THRESHOLDS),
        ({"near": 0.0}, THRESHOLDS),
        ({"containment": 1.5}, "containment must be between 0 and 1"),
        ({"epsilon": 0.7}, THRESHOLDS),
        ({"figures": -1.0}, "figures must be between 0 and 1"),
        ({"slack": -1}, "slack must be at least 0"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    refused(lambda: Resemblance(**parameters), sentence)


def test_the_bounds_themselves_are_allowed() -> None:
    assert Resemblance(near=0.47, slack=0, figures=0, proportion=0, containment=0)
    assert Resemblance(near=0.01, slack=9, figures=1, proportion=1, containment=1)


def test_sketches_of_two_kinds_or_lengths_are_refused() -> None:
    kinds: list[MinHash] = [MinHash(), MinHash(sketch="one_permutation"), MinHash(bits=1568)]
    bitmap, minima, longer = (Record("a", "a", "", signer(Content(ENGLISH))) for signer in kinds)
    for pair in ((bitmap, minima), (minima, bitmap)):
        refused(
            lambda pair=pair: Resemblance()(*pair),
            "a bitmap and minima cannot be compared: run `dup-groups backfill`",
        )  # type: ignore[misc]
    assert judged(Resemblance(), minima, minima).relation == "duplicate"
    refused(lambda: Resemblance()(bitmap, longer), "bitmaps of 1512 and 1568 bits cannot be compared")


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
    monkeypatch: pytest.MonkeyPatch, alike: float, common: int, same: int, relation: Relation, score: float
) -> None:
    monkeypatch.setattr(module, "resemblance", lambda *sizes: alike)
    monkeypatch.setattr(module, "containment", lambda *sizes: 0.6)
    monkeypatch.setattr(module, "agreement", lambda *figures: (common, same))
    one = Record("a", "a", "", MinHash()(Content(ENGLISH)))
    verdict = Resemblance()(one, one)
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))
    unlike = f", but {common - same} of {common} numerals in the same context differ" if score < 0.5 else ""
    unlike = unlike if alike == 0.8 else ""
    assert verdict.reason == (
        f"{alike:.0%} of their phrases are common to both, 60% of those of the shorter text{unlike}."
    )


def test_relations_are_the_five_that_a_judge_may_give() -> None:
    known: set[Relation] = {"duplicate", "contains", "contained", "near", "different"}
    texts = [ENGLISH, ENGLISH[: len(ENGLISH) // 3], ENGLISH[: len(ENGLISH) // 10], story("b", 300), CHINESE]
    assert {compare(one, two).relation for one in texts for two in texts} <= known


def test_texts_without_features_are_too_short() -> None:
    check_too_short(Resemblance(), Record("a", "a", "", MinHash()(Content(ENGLISH))))


def test_the_score_of_an_excerpt_follows_what_is_covered() -> None:
    verdict = Resemblance()._relation(0.3, 0.8, 100.0, 30.0, 0.0)
    assert verdict == ("contains", pytest.approx(0.25 + 0.2499 * 0.8))
    assert Resemblance()._relation(0.3, 0.8, 30.0, 100.0, 0.0) == ("contained", verdict[1])
    assert Resemblance()._relation(0.2, 0.8, 100.0, 24.0, 0.0) == ("near", verdict[1])  # too small a part
    assert Resemblance()._relation(0.2, 0.8, 100.0, 25.0, 0.0)[0] == "contains"
    assert Resemblance()._relation(0.3, 0.75, 100.0, 30.0, 0.0)[0] == "contains"
    assert Resemblance()._relation(0.3, 0.75, 100.0, 30.0, 0.05) == ("near", pytest.approx(0.075 / 0.52))
    assert Resemblance()._relation(0.3, 0.8, 100.0, 100.0, 0.0) == ("near", pytest.approx(0.075 / 0.47))
    assert Resemblance(containment=1.0)._relation(0.3, 1.0, 100.0, 30.0, 0.05)[0] == "contains"


@pytest.mark.parametrize(
    ("alike", "more", "relation", "score"),
    [
        (1.0, 0.0, "duplicate", 1.0),
        (0.47, 0.0, "duplicate", 0.5),
        (0.47, 0.05, "near", 0.25 * 0.47 / 0.52),
        (0.6, 0.05, "duplicate", 0.5 + 0.5 * 0.08 / 0.48),
        (0.2, 0.0, "near", 0.05 / 0.47),
        (0.19, 0.0, "different", 0.25 * 0.19 / 0.47),
    ],
)
def test_the_score_of_what_is_alike(alike: float, more: float, relation: Relation, score: float) -> None:
    assert Resemblance()._relation(alike, 0.5, 100.0, 100.0, more) == (relation, pytest.approx(score))


@pytest.mark.parametrize(
    ("alike", "covered", "sizes", "more", "relation", "score"),
    [
        (1.0, 1.0, (100, 100), 0.0, "duplicate", 1.0),
        (0.47, 1.0, (100, 47), 0.0, "duplicate", 0.5),
        (0.735, 0.9, (100, 100), 0.0, "duplicate", 0.75),
        (0.47, 0.6, (100, 100), 0.05, "near", 0.25 * 0.47 / 0.52),
        (0.46, 0.6, (100, 100), 0.0, "near", 0.25 * 0.46 / 0.47),
        (0.2, 0.3, (100, 100), 0.0, "near", 0.25 * 0.2 / 0.47),
        (0.19, 0.3, (100, 100), 0.0, "different", 0.25 * 0.19 / 0.47),
        (0.4, 1.0, (100, 40), 0.0, "contains", 0.4999),
        (0.4, 1.0, (40, 100), 0.0, "contained", 0.4999),
        (0.3, 0.75, (100, 40), 0.0, "contains", 0.25 + 0.2499 * 0.75),
        (0.3, 0.75, (100, 40), 0.05, "near", 0.25 * 0.3 / 0.52),  # more is asked for on one host
        (0.3, 0.8, (100, 40), 0.05, "contains", 0.25 + 0.2499 * 0.8),
        (0.3, 0.74, (100, 40), 0.0, "near", 0.25 * 0.3 / 0.47),
        (0.25, 1.0, (100, 25), 0.0, "contains", 0.4999),
        (0.24, 1.0, (100, 24), 0.0, "near", 0.4999),  # a quotation, and ranked as what is covered
        (0.05, 1.0, (100, 5), 0.0, "near", 0.4999),
        (0.45, 0.9, (100, 100), 0.0, "near", 0.25 * 0.45 / 0.47),  # of one size neither contains the other
    ],
)
def test_relation_and_score_by_the_words_alone(
    alike: float, covered: float, sizes: tuple[int, int], more: float, relation: Relation, score: float
) -> None:
    verdict = Resemblance()._relation(alike, covered, *sizes, more)
    assert verdict == (relation, pytest.approx(score))


@pytest.mark.parametrize("original", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_score_of_an_excerpt_tells_how_much_of_it_is_covered(original: str) -> None:
    paragraphs = original.split("\n")
    third = "\n".join(paragraphs[: round(len(paragraphs) / 3)])
    whole, part, other = (
        Record("x", "x", "", MinHash()(Content(text)))
        for text in (original, third, third + "\n" + story("more", 20))
    )
    all_of_it, most_of_it = Resemblance()(whole, part), Resemblance()(whole, other)
    assert all_of_it.relation == most_of_it.relation == "contains"
    assert 0.25 + 0.2499 * 0.75 <= most_of_it.score < all_of_it.score <= 0.4999
    assert Resemblance()(part, whole).score == all_of_it.score
