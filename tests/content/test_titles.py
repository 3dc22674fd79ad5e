"""Titles lose the name of their site, and nothing of a headline."""

from __future__ import annotations

import pytest

from dupgroups import Page
from dupgroups.content import extract
from dupgroups.content.titles import without_site

HEADLINE = "Ferry hits pier in fog"


@pytest.mark.parametrize(
    "title",
    [
        f"{HEADLINE} | The Courier",
        f"The Courier | {HEADLINE}",
        f"{HEADLINE} - The Courier",
        f"The Courier: {HEADLINE}",
        f"The Courier – {HEADLINE}",
        f"{HEADLINE} :: THE COURIER",
        HEADLINE,
    ],
)
def test_the_name_of_the_site_is_cut_off(title: str) -> None:
    assert without_site(title, "The Courier") == HEADLINE
    html = f"<title>{title}</title><meta property=og:site_name content='The Courier'><b>{HEADLINE}</b>"
    assert extract(Page(html=html)).title == HEADLINE
    assert extract(Page(title=title, html=html)).title == HEADLINE, "as in a feed"


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("中國評論新聞：福州某醫院送火車票", "福州某醫院送火車票"),
        ("北京抽检出14种不合格食品 满记上榜-《财经网》", "北京抽检出14种不合格食品 满记上榜"),
        ("京港澳高速堵车持续 乘客看完电影-高速-国内国际", "京港澳高速堵车持续 乘客看完电影"),
        ("中新视频-崔永元缺席中国慈善年会-新闻", "崔永元缺席中国慈善年会"),
        ('당규 개정 왜 밀어붙이나 "불발"-정치ㅣ한국일보', '당규 개정 왜 밀어붙이나 "불발"'),
        ("Post: Ferry hits pier: 41 hurt", "Ferry hits pier: 41 hurt"),
    ],
)
def test_what_readers_see_is_the_headline(title: str, line: str) -> None:
    assert without_site(title, None, ["Menu", line]) == line


@pytest.mark.parametrize(
    ("title", "site", "lines"),
    [
        ("Ferries: what to know", "The Courier", ["Ferries"]),
        ("The Courier: a history", "The Courier", ["The Courier: a history"]),
        ("Best ferries for 2026-2030", None, ["Best ferries for 2026"]),
        ("Well-known ferry sinks - at last", None, ["known ferry sinks"]),
        ("The Courier", "The Courier", ["The Courier"]),
        ("The Courier -", "The Courier", []),
        ("Ferry hits pier - report", "The Courier", []),
        ("", "The Courier", []),
        ("ferry - " * 100 + "The Courier", "The Courier", []),
    ],
)
def test_headlines_stay_whole(title: str, site: str | None, lines: list[str]) -> None:
    assert without_site(title, site, lines) == title
