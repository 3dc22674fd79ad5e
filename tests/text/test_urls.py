"""URLs: one form per page, hosts, publishers, and what names a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.urls import canonical, host_of, identity


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (None, None),
        ("a.html", None),
        ("javascript:alert(1)", None),
        ("http://", None),
        ("http://example.org:port/", None),
        ("http://example.org", "http://example.org/"),
        (" https://example.org/a#top \n", "https://example.org/a"),
        ("HTTPS://WWW.Example.ORG/A", "https://www.example.org/A"),
        ("https://example.org/a?b=2&a=1", "https://example.org/a?a=1&b=2"),
        ("https://example.org/a?utm_source=x", "https://example.org/a"),
        ("https://example.org/a?id=1&id=2", "https://example.org/a?id=1&id=2"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:443/a", "http://example.org:443/a"),
        ("https://example.org/a:443/b", "https://example.org/a:443/b"),
        ("https://example.org/北京", "https://example.org/%E5%8C%97%E4%BA%AC"),
        ("https://例え.jp/a", "https://xn--r8jz45g.jp/a"),
    ],
)
def test_canonical(url: str | None, expected: str | None) -> None:
    assert canonical(url) == expected


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
        (PAGE, "javascript:void(0)", "https://www.example.org/news/1"),
        (None, "https://example.org/1", "https://example.org/1"),
        (None, None, None),
    ],
)
def test_identity(url: str | None, declared: str | None, expected: str | None) -> None:
    assert identity(url, declared) == expected


def test_a_tenant_of_a_shared_host_speaks_for_itself_only() -> None:
    evil, victim = "https://evil.github.io/x", "https://victim.github.io/2024/05/12/story.html"
    assert identity(evil, victim) == evil
    assert identity(victim, "https://victim.github.io/story.html") == "https://victim.github.io/story.html"
