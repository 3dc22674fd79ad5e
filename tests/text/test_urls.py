"""URLs: one form per page, hosts, publishers, what names a page, and what a link leads to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.links import link_target
from dupgroups.text.urls import canonical, host_of, identity, page_address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (None, None),
        ("a.html", None),
        ("javascript:alert(1)", None),
        ("http://example.org:port/", None),
        (" https://example.org/a#top \n", "https://example.org/a"),
        ("HTTPS://WWW.Example.ORG/A", "https://www.example.org/A"),
        ("https://example.org/a?b=2&a=1", "https://example.org/a?a=1&b=2"),
        ("https://example.org/a?id=1&id=2", "https://example.org/a?id=1&id=2"),
        ("http://example.org:443/a", "http://example.org:443/a"),
        ("https://example.org/a:443/b", "https://example.org/a:443/b"),
        ("https://example.org/a/../b", "https://example.org/b"),
        ("https://example.org/北京", "https://example.org/%E5%8C%97%E4%BA%AC"),
        ("https://例え.jp/a", "https://xn--r8jz45g.jp/a"),
    ],
)
def test_canonical(url: str | None, expected: str | None) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("/news/1;jsessionid=E460A97852?p=2", "/news/1?p=2"),
        ("/(S(lit3py55t21z5v55))/news/1", "/news/1"),
        ("/news/1?PHPSESSID=9c2&p=2&CFTOKEN=1", "/news/1?p=2"),
        ("/news/1?sid=abc123def456", "/news/1"),
        ("/news/1?sid=20417", "/news/1?sid=20417"),
        ("/news?UTM_Source=x&utm_source_platform=y&mtm_kwd=z&Fbclid=w&id=1", "/news?id=1"),
        ("/news?id=1&amp;utm_medium=x", "/news?id=1"),
        ("/news?elqTrackId=4a&replytocom=12&rdt_cid=7&id=1&unlocked_article_code=x", "/news?id=1"),
        ("/news/ferry-hits-pier?from=timeline&gift=4x", "/news/ferry-hits-pier"),
        ("/news/two-ferries?ref=home&mod=hp_lead&CID=mail&feature=x", "/news/two-ferries"),
        ("/news/two-ferries?cid=417", "/news/two-ferries?cid=417"),
        ("/news?source=agency&mod=view", "/news?mod=view&source=agency"),
        ("/story-5.php?mod=view", "/story-5.php?mod=view"),
        ("/news?utmost=1&amplitude=2&reference=3", "/news?amplitude=2&reference=3&utmost=1"),
    ],
)
def test_what_does_not_change_the_page_is_no_part_of_its_address(url: str, page: str) -> None:
    assert canonical(f"https://e.example{url}") == f"https://e.example{page}"


@pytest.mark.parametrize(
    "other",
    [
        "http://e.example/a/1",
        "https://www.e.example/a/1",
        "https://e.example/a/1/",
        "https://e.example//a//1",
    ],
)
def test_one_page_has_one_address_for_its_id_and_keeps_that_of_its_links(other: str) -> None:
    assert page_address(other) == page_address("https://e.example/a/1") == "https://e.example/a/1"
    assert canonical(other) == other
    assert canonical("https://e.example./a/1") == "https://e.example/a/1"
    for another in ("https://e.example/a/1?p=2", "https://m.e.example/a/1", "https://e.example/A/1"):
        assert page_address(another) != page_address(other)


HOSTS = ["example.org", "WWW.Example.co.uk", "127.0.0.1", "[::1]", "例え.jp", "user:pw@example.org", ""]
urls = st.builds(
    "{}://{}{}/{}{}".format,
    st.sampled_from(["http", "HTTPS", "ftp", ""]),
    st.sampled_from(HOSTS),
    st.sampled_from(["", ":80", ":443", ":8080", ":x", ":99999"]),
    st.text(max_size=8),
    st.sampled_from(["", "?", "?b=1&a=2", "?utm_source=x", "?a=1&utm_id=2#f", "#f"]),
)


@given(urls | st.text())
def test_canonical_is_final_and_never_raises(url: str) -> None:
    once = canonical(url)
    assert canonical(once) == once
    assert host_of(once) == host_of(url)
    assert identity(url, None) == once


PAGE = "https://www.example.org/news/1?utm_source=x"


@pytest.mark.parametrize(
    ("url", "declared", "expected"),
    [
        (PAGE, None, "https://www.example.org/news/1"),
        (PAGE, "/news/one", "https://www.example.org/news/one"),
        ("https://amp.example.org/1", "https://www.example.org/1", "https://www.example.org/1"),
        (PAGE, "https://agency.example.com/1", "https://www.example.org/news/1"),
        (PAGE, "https://www.example.org/", "https://www.example.org/news/1"),
        (PAGE, "http://[broken", "https://www.example.org/news/1"),
        (None, "https://example.org/1", "https://example.org/1"),
    ],
)
def test_identity(url: str | None, declared: str | None, expected: str | None) -> None:
    assert identity(url, declared) == expected


def test_a_tenant_of_a_shared_host_speaks_for_itself_only() -> None:
    evil, victim = "https://evil.github.io/x", "https://victim.github.io/2024/05/12/story.html"
    assert identity(evil, victim) == evil
    assert identity(victim, "https://victim.github.io/story.html") == "https://victim.github.io/story.html"


@pytest.mark.parametrize("url", ["/archive/2019", "/news/2019-04-15", "/a?date=2019-04-15", "/2019/apr/15/"])
def test_dates_and_years_are_not_numbers(url: str) -> None:
    assert not link_target(url).number


def test_names_of_months_make_a_date_and_words_that_begin_like_them_do_not() -> None:
    assert link_target("/world/2019/apr/15/ferry-sinks").date
    assert link_target("/2019/september/ferry-sinks").date
    assert not link_target("/2019/decision-on-ferries").date
