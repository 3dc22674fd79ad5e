"""What pages declare about themselves, well and badly."""

from __future__ import annotations

import pytest

from dupgroups.content.blocks import divide
from dupgroups.content.metadata import metadata


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Ferry hits pier | The Courier</title>", "Ferry hits pier"),
        ("<title>渡轮撞上码头_新闻中心_林港网</title>", "渡轮撞上码头"),
        (
            "<title>Ferry - pier - fog: what to know - CN</title><h1>Ferry - pier - fog: what to know</h1>",
            "Ferry - pier - fog: what to know",
        ),
        ("<title>x</title><meta property=og:title content='Ferry hits pier'>", "Ferry hits pier"),
        ("<title>Ferry hits pier - Courier</title><h1>Courier</h1>", "Ferry hits pier"),
        ("<h1> Ferry\n hits pier </h1>", "Ferry hits pier"),
        ("<p>nothing</p>", ""),
    ],
)
def test_title(html: str, title: str) -> None:
    assert metadata(divide(html)).title == title


JSON = '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "%s"}</script>'


@pytest.mark.parametrize(
    ("html", "url", "date"),
    [
        (JSON % "2024-11-07T08:30:00+01:00", None, "2024-11-07T08:30:00+01:00"),
        (JSON % "2024-11-07T08:30:00.123+0100", None, "2024-11-07T08:30:00+01:00"),
        (JSON % "2024-11-07T08:30Z", None, "2024-11-07T08:30:00Z"),
        (JSON % "November 2024", "https://a.example/2024/11/06/x", "2024-11-06"),
        (JSON % "2024-13-45", None, None),
        ("<meta property=article:published_time content=2024-11-07>", None, "2024-11-07"),
        ("<meta name=pubdate content=20241107>", None, "2024-11-07"),
        ("<meta name=PubDate content='2024/11/7 08:30:15'>", None, "2024-11-07T08:30:15"),
        ("<time datetime=2024-11-07T08:30>Thursday</time>", None, "2024-11-07T08:30:00"),
        ("", "https://a.example/news/20241107/ferry.html", "2024-11-07"),
        ("", "https://a.example/news/99999999/ferry.html", None),
        ("", None, None),
    ],
)
def test_date(html: str, url: str | None, date: str | None) -> None:
    assert metadata(divide(html), url).date == date


HEAD = """<html lang="en-GB"><head><link rel=stylesheet href=x.css><link rel=canonical href="/ferry">
<meta property="og:site_name" content="The  Courier"><meta property="og:type" content="Article">"""


def test_canonical_site_language_and_kind() -> None:
    found = metadata(divide(HEAD))
    assert (found.canonical, found.site, found.language) == ("/ferry", "The Courier", "en-GB")
    assert found.is_article
    for html in ("<meta property=og:type content=website>", '<script>"@type": "NewsArticle"</script>'):
        assert not metadata(divide(html)).is_article
