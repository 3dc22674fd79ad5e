"""The feature string, and keys that find whatever the overlap factors accept."""

from __future__ import annotations

import random

import pytest

from dupgroups.model import Content, Record
from dupgroups_papers.signatures.period_string import PeriodString, feature_string
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors

COMMON = "的了说人事中会来年上日明天家行元点里地动员后面期间作业量化"


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("", ""),
        ("没有句号，也没有", ""),
        ("他来了。她走了。", "了了"),
        ("他说：“好。”股价涨了5%。GDP。完毕。", "好毕"),
        ("三人受伤。\n記者報導。", "伤导"),
        ("半角｡全角。", "角角"),
        ("雨です。ハンバーガー。ｱｲﾇ。大阪。ㇰ。", "阪"),
        ("ไทย。ລາວ。ខ្មែរ。မြန်မာ。한국。Ελλάδα。泰国。", "国"),
        ("㐀。豈。䷀。\U00020000。〇。", "㐀岂"),
    ],
)
def test_only_chinese_characters_right_before_full_stops_count(text: str, feature: str) -> None:
    assert feature_string(text) == feature


def test_keys_find_what_the_overlap_factors_accept() -> None:
    """Made strings, as edited as the factors allow; at least 0.99 of the accepted pairs share a key."""
    rng = random.Random(7)
    signer, judge = PeriodString(), OverlapFactors()
    accepted = found = 0
    for _ in range(1500):
        original = [rng.choice(COMMON) for _ in range(rng.randint(6, 40))]
        one, two = (signer(Content(page(text))) for text in (original, edited(original, rng)))
        if judge(Record("a", "a", "x", one), Record("b", "b", "y", two)).relation == "duplicate":
            accepted += 1
            found += bool(set(one.keys) & set(two.keys))
    assert accepted > 500
    assert found / accepted >= 0.99


def page(characters: list[str]) -> str:
    return "".join(f"字{character}。" for character in characters)


def edited(characters: list[str], rng: random.Random) -> list[str]:
    made = list(characters)
    for _ in range(rng.randint(0, len(made) // 5)):
        at = rng.randrange(len(made))
        made[at : at + rng.randint(0, 1)] = rng.choices(COMMON, k=rng.randint(0, 1))
    return made
