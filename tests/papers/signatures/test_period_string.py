"""The feature string, and keys that find whatever the overlap factors accept."""

from __future__ import annotations

import pytest

from dupgroups_papers.signatures.period_string import feature_string


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("", ""),
        ("他来了。她走了。", "了了"),
        ("他说：“好。”股价涨了5%。GDP。完毕。", "好毕"),
        ("三人受伤。\n記者報導。", "伤导"),
        ("雨です。ハンバーガー。ｱｲﾇ。大阪。ㇰ。", "阪"),
        ("ไทย。ລາວ。ខ្មែរ。မြန်မာ。한국。Ελλάδα。泰国。", "国"),
        ("㐀。豈。䷀。\U00020000。〇。", "㐀岂"),
    ],
)
def test_only_chinese_characters_right_before_full_stops_count(text: str, feature: str) -> None:
    assert feature_string(text) == feature
