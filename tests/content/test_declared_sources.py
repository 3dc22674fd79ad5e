"""Whose text a page declares to be reprinting, to readers of its markup."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dupgroups import extract
from dupgroups.content.declared_sources import MAX_SOURCE_CHARS
from dupgroups.model import Page

URL = "https://www.bay-news.com/local/fog"
FOG = "The harbour of Velmar was closed on Monday because of fog, and forty ships waited outside. " * 5


def source(head: str = "", node: dict[str, Any] | None = None, url: str | None = URL) -> str:
    data = {"@type": "NewsArticle", "headline": "Fog closes harbour", **(node or {})}
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    html = (
        f"<html><head><title>Fog closes harbour</title>{head}{script}</head><body><h1>Fog closes harbour</h1>"
    )
    return extract(Page(url=url, html=f"{html}<p>{FOG}</p></body></html>", site="Bay News")).source


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


@pytest.mark.parametrize(
    ("head", "node", "expected"),
    [
        (canonical("https://apnews.com/article/fog-1"), {}, "apnews.com"),
        ('<meta property="og:url" content="https://www.kessel.co.uk/fog">', {}, "kessel.co.uk"),
        ('<meta name="syndication-source" content="https://kessel.co.uk/fog">', {}, "kessel.co.uk"),
        ('<meta name="original-source" content="Kessel Herald">', {}, "Kessel Herald"),
        ("", {"sourceOrganization": {"name": " Associated \n Press"}}, "Associated Press"),
        ("", {"provider": [{"name": "dpa"}]}, "dpa"),
        ("", {"provider": {"name": "AP"}}, "AP"),
        ("", {"provider": "x" * MAX_SOURCE_CHARS}, "x" * MAX_SOURCE_CHARS),
        ("", {"sourceOrganization": {"url": "https://kessel.co.uk/about"}}, "kessel.co.uk"),
        ("", {"isBasedOn": "https://kessel.co.uk/fog"}, "kessel.co.uk"),
        ("", {"isBasedOn": {"@id": "https://kessel.co.uk/fog"}}, "kessel.co.uk"),
        (canonical("https://kessel.co.uk/fog"), {"provider": {"name": "dpa"}}, "kessel.co.uk"),
    ],
)  # fmt: skip
def test_a_page_declares_another_publisher(head: str, node: dict[str, Any], expected: str) -> None:
    assert source(head, node) == expected


@pytest.mark.parametrize(
    ("head", "node"),
    [
        (canonical("https://apnews.com/"), {}),
        (canonical("https://amp.bay-news.com/local/fog"), {}),
        (canonical("https://bay-news.co.uk/local/fog"), {}),
        (canonical("/local/fog"), {}),
        (canonical("https://[broken"), {}),
        ("", {"provider": {"name": "Bay News"}, "sourceOrganization": {"url": "https://bay-news.com/about"}}),
        ("", {"provider": {"name": ["x"]}, "sourceOrganization": [[1]], "isBasedOn": {"name": {}}}),
        ("", {"provider": "x" * (MAX_SOURCE_CHARS + 1), "isBasedOn": "#story"}),
        ("", {"isBasedOn": "../2026/fog"}),
    ],
)
def test_its_own_publisher_front_pages_and_nonsense_are_no_source(head: str, node: dict[str, Any]) -> None:
    assert source(head, node) == ""


def test_a_site_that_is_named_otherwise_than_its_address_is_no_other_publisher() -> None:
    head = '<meta property="og:site_name" content="The Sydney Morning Herald">'
    node = {"provider": {"name": "The Sydney Morning Herald"}}
    assert source(head, node, url="https://www.smh.com.au/fog") == ""


@pytest.mark.parametrize(
    "url",
    [
        None,
        *(f"http://{host}/fog" for host in ("127.0.0.1:8091", "localhost:8000", "news.localhost", "[::1]")),
    ],
)
def test_a_page_of_unknown_address_or_of_this_machine_declares_none(url: str | None) -> None:
    assert source(canonical("https://apnews.com/article/fog-1"), url=url) == ""


def test_the_site_that_the_caller_names_is_no_other_publisher() -> None:
    url = "https://www.velmar-today.com/fog"
    assert source(node={"provider": {"name": "BAY News"}}, url=url) == ""
    assert source(node={"provider": {"name": "Kessel Herald"}}, url=url) == "Kessel Herald"


def test_the_source_that_comes_with_a_page_takes_precedence() -> None:
    html = f"<html><head>{canonical('https://apnews.com/article/fog-1')}</head><p>{FOG}</p></html>"
    assert extract(Page(url=URL, html=html, source="Kessel Herald")).source == "Kessel Herald"
    assert extract(Page(url=URL, text=FOG, source="x" * 200)).source == "x" * MAX_SOURCE_CHARS
