"""What pages declare about themselves, well and badly; titles lose the name of their site and no more."""

import pytest

from dupgroups import Page
from dupgroups.content import extract
from dupgroups.content.blocks import divide
from dupgroups.content.headlines import without_site
from dupgroups.content.metadata import metadata


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Ferry hits pier | The Courier</title>", "Ferry hits pier"),
        ("<title>渡轮撞上码头_新闻中心_林港网</title>", "渡轮撞上码头"),
        (
            "<title>Ferry - fog: what to know - CN</title><h1>Ferry - fog: what to know</h1>",
            "Ferry - fog: what to know",
        ),
        ("<title>x</title><meta property=og:title content='Ferry hits pier'>", "Ferry hits pier"),
        ("<title>Fog: ferry hits pier | CN</title><h1>Ferry hits the pier</h1>", "Ferry hits the pier"),
        ("<title>Fog: ferry hits pier | CN</title><h1>The Courier</h1>", "Fog: ferry hits pier"),
        ("<title>Log: Ferry sinks</title><h1><a href=/>Log</a></h1><h1>Ferry sinks</h1>", "Ferry sinks"),
        ("<title>Ferry hits pier - CN</title><h1>Ferry hits pier By Jo Brandt</h1>", "Ferry hits pier"),
        ("<title>Ferry hits pier</title><h1>You are here: Ferry hits pier</h1>", "Ferry hits pier"),
        ("<title>Kalmar – a ferry without a captain | CN</title>", "Kalmar – a ferry without a captain"),
        (
            "<title>Ferry hits pier</title><h1><span>News</span><span>Ferry hits pier</span></h1>",
            "Ferry hits pier",
        ),
        (
            "<title>News: Ferry hits pier</title><h1><span>News</span><span>Ferry hits pier</span></h1>",
            "News: Ferry hits pier",
        ),
        ("<title>FERRY HITS PIER</title><h1>Ferry hits pier</h1>", "Ferry hits pier"),
        (
            "<title>Diario de Lindhaven</title><script type=application/ld+json>"
            '{"@type": "NewsArticle", "headline": "Un ferry choca con el muelle de Lindhaven"}</script>',
            "Un ferry choca con el muelle de Lindhaven",
        ),
    ],
)
def test_title(html: str, title: str) -> None:
    assert metadata(divide(html)).title == title


JSON = '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "%s"}</script>'


@pytest.mark.parametrize(
    ("html", "url", "date"),
    [
        (JSON % "2024-11-07T08:30:00+01:00", None, "2024-11-07T08:30:00+01:00"),
        (JSON % "November 2024", "https://a.example/2024/11/06/x", "2024-11-06"),
        (JSON % "2024-13-45", None, None),
        ("<meta property=article:published_time content=2024-11-07>", None, "2024-11-07"),
        ("<meta name=PubDate content='2024/11/7 08:30:15'>", None, "2024-11-07T08:30:15"),
        ("", "https://a.example/news/20241107/ferry.html", "2024-11-07"),
        ("", "https://a.example/ferry_2024_11_07/", "2024-11-07"),
        ("", "https://a.example/27/11/2024/ferry", "2024-11-27"),
        ("", "https://a.example/11-27-2024-ferry.html", "2024-11-27"),
        ("", "https://a.example/27-11/2024/ferry", None),
        ("", "https://a.example/the-storm-of-27-11-2024", None),
        ("", None, None),
    ],
)
def test_date(html: str, url: str | None, date: str | None) -> None:
    assert extract(Page(url, f"<html>{html}")).date == date


def test_numbers_in_a_url_are_read_in_the_order_of_the_language() -> None:
    for locale, date in (("de", "2024-11-07"), ("en-GB", "2024-11-07"), ("en", None), ("", None)):
        page = Page("https://a.example/07-11-2024/ferry", f"<html lang='{locale}'><p>Fog.")
        assert extract(page).date == date


HEAD = """<html lang="en-GB"><head><link rel=stylesheet href=x.css><link rel=canonical href="/ferry">
<meta property="og:site_name" content="The  Courier"><meta property="og:type" content="Article">"""


def test_canonical_site_language_and_kind() -> None:
    found = metadata(divide(HEAD))
    assert (found.canonical, found.site, found.language) == ("/ferry", "The Courier", "en-GB")
    assert found.is_article
    for html in ("<meta property=og:type content=website>", '<script>"@type": "NewsArticle"</script>'):
        assert not metadata(divide(html)).is_article


HEADLINE = "Ferry hits pier in fog"


@pytest.mark.parametrize(
    ("head", "site"),
    [
        ("<meta property=og:site_name content='The Kessel Herald'>", "The Kessel Herald"),
        ("<title>Ferry hits pier | Kessel Herald</title>", "Kessel Herald"),
        ("<title>Kessel Herald</title><meta property=og:title content='Kessel Herald'>", None),  # of the page
        (
            "<meta property=og:site_name content='A Podcast'><title>Ferry - KesselHerald</title>",
            "KesselHerald",
        ),
        ("<meta property=og:site_name content='Harbour Press'><title>Ferry | News</title>", "Harbour Press"),
        ("<meta property=og:site_name content='kesselherald.com'>", None),
        (
            '<script type="application/ld+json">{"publisher": {"name": "Kessel Herald – 1880"}}</script>',
            "Kessel Herald",
        ),
    ],
)
def test_the_name_of_the_site_spells_its_domain_if_one_does(head: str, site: str | None) -> None:
    assert metadata(divide(head), "https://news.kesselherald.com/ferry").site == site


@pytest.mark.parametrize(
    "title",
    [
        f"{HEADLINE} | The Courier",
        f"The Courier | {HEADLINE}",
        f"The Courier: {HEADLINE}",
        f"{HEADLINE} :: THE COURIER",
        HEADLINE,
    ],
)
def test_the_name_of_the_site_is_cut_off(title: str) -> None:
    assert without_site(title, "The Courier") == HEADLINE
    page = f"<title>{title}</title><meta property=og:site_name content='The Courier'><b>{HEADLINE}</b>"
    assert extract(Page(html=page)).title == extract(Page(title=title, html=page)).title == HEADLINE


@pytest.mark.parametrize(
    ("title", "site", "line", "headline"),
    [
        # what readers see is the headline
        ("中國評論新聞：福州某醫院送火車票", None, "福州某醫院送火車票", "福州某醫院送火車票"),
        (
            '당규 개정 왜 밀어붙이나 "불발"-정치ㅣ한국일보',
            None,
            '당규 개정 왜 밀어붙이나 "불발"',
            '당규 개정 왜 밀어붙이나 "불발"',
        ),
        ("Post: Ferry hits pier: 41 hurt", None, "Ferry hits pier: 41 hurt", "Ferry hits pier: 41 hurt"),
        # and stays whole
        ("Ferries: what to know", "The Courier", "Ferries", ""),
        ("The Courier: a history", "The Courier", "The Courier: a history", ""),
        ("Best ferries for 2026-2030", None, "Best ferries for 2026", ""),
        ("The Courier", "The Courier", "The Courier", ""),
        ("", "The Courier", "Menu", ""),
        ("ferry - " * 100 + "The Courier", "The Courier", "Menu", ""),
    ],
)
def test_the_headline_of_a_title(title: str, site: str | None, line: str, headline: str) -> None:
    assert without_site(title, site, ["Menu", line]) == (headline or title)
