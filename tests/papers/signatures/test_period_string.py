"""The feature string, and keys that find whatever the overlap factors accept."""

from __future__ import annotations

import pytest

from dupgroups.model import Content
from dupgroups_papers.signatures.period_string import PeriodString, feature_codes


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("", ""),
        ("他来了。她走了。", "了了"),
        ("他说：“好。”股价涨了5%。GDP。完毕。", "好毕"),
        ("三人受伤。\n記者報導。", "伤导"),
        ("雨です。ハンバーガー。ｱｲﾇ。大阪。ㇰ。", "阪"),
        ("ไทย。ລາວ。ខ្មែរ。မြန်မာ。한국。Ελλάδα。泰国。", "国"),
        ("㐀。豈。䷀。\U00020000。一九二〇。", "㐀岂〇"),
    ],
)
def test_only_chinese_characters_right_before_full_stops_count(text: str, feature: str) -> None:
    assert feature_codes(text).tolist() == list(map(ord, feature))


def test_short_strings_are_signed_if_asked_for_and_other_marks_count_where_there_is_no_full_stop() -> None:
    assert not PeriodString()(Content("他来了。"))
    assert (
        PeriodString(least=1)(Content("他来了。")).keys == PeriodString(least=1)(Content("了。")).keys != ()
    )
    plain, marks = PeriodString(), PeriodString(otherwise="，；！？")
    without, with_stops = "他来了，她走了；真的吗？好！", "他来了。她走了。真的吗。好。他，"
    assert not plain(Content(without))
    assert marks(Content(without)).body == plain(Content(with_stops)).body == marks(Content(with_stops)).body
