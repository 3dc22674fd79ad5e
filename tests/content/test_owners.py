"""Which company owns a site, by the legal notices of its pages, and whose text a page declares to reprint."""

import json
from typing import Any

import pytest

from dupgroups import extract
from dupgroups.content.declared_sources import MAX_SOURCE_CHARS
from dupgroups.content.owners import MAX_OWNER_CHARS
from dupgroups.model import Content, Page

URL = "https://www.bay-news.com/local/fog"
FOG = "The harbour of Velmar was closed on Monday because of fog, and forty ships waited outside. " * 5


def read(
    notice: str = "", head: str = "", node: dict[str, Any] | None = None, url: str | None = URL
) -> Content:
    """What is read from a page with this notice, this head and this JSON-LD."""
    data = {"@type": "NewsArticle", "headline": "Fog closes harbour", **(node or {})}
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    html = (
        f"<head><title>Fog closes harbour</title>{head}{script}</head><h1>Fog closes harbour</h1><p>{FOG}</p>"
    )
    return extract(Page(url=url, html=f"{html}<footer><p>{notice}</p></footer>", site="Bay News"))


def owner(notice: str, head: str = "", node: dict[str, Any] | None = None, url: str = URL) -> str:
    return read(notice, head, node, url).owner


@pytest.mark.parametrize(
    ("notice", "expected"),
    [
        ("© 2026 Postmedia Network Inc. All rights reserved. Unauthorized distribution", "Postmedia Network"),
        ("Copyright © 1996 - 2026, Dow Jones & Company, Inc. All Rights Reserved.", "Dow Jones & Company"),
        ("Terms | Privacy | Copyright 2026 by The Hearst Newspapers, LLC", "Hearst Newspapers"),
        ("Eine Webseite der FUNKE Mediengruppe © 2026 Funke Mediengruppe", "Funke Mediengruppe"),
        ("© 2026 Springer Nature Limited. Use of this site constitutes acceptance", "Springer Nature"),
        ("© 2026 Polskapresse Sp. z o.o. Wszelkie prawa zastrzeżone", "Polskapresse"),
        ("(c) 2026 Gannett Co., Inc.", "Gannett"),
        ("Funke Mediengruppe © 2026", "Funke Mediengruppe"),
        ("© 2026 XO Group Inc., | Terms of Use", "XO Group"),
        ("© 2026 XO Group.", "XO Group"),
        ("© VG AS", "VG"),
        (f"© 2026 {'X' * MAX_OWNER_CHARS} Inc.", "X" * MAX_OWNER_CHARS),
        ("Copyright 2026 Newsquest (Media Group) Limited", "Newsquest (Media Group)"),
        ("ⓒ 2026 iNews Holding", "iNews Holding"),
        ("版权所有：北京云溪传媒有限公司 未经许可不得转载", "北京云溪传媒有限公司"),
        ("Copyright © 2026 云溪传媒集团版权所有", "云溪传媒集团"),
    ],
)
def test_a_notice_names_the_company(notice: str, expected: str) -> None:
    assert owner(notice) == expected


@pytest.mark.parametrize(
    "notice",
    [
        *("© 2026 Bay News. All rights reserved.", "© Bay-News.com 2026", "All rights reserved."),
        *("© 2026 Tüm Hakları Saklıdır", "版权所有 未经许可不得转载使用", "© 2026. All Rights Reserved"),
        *("Copyright Policy", "© 2026 Theme by Someone"),
        *("Forum software by XenForo® © 2010-2026 XenForo Ltd.", "© Getty Images"),
        *("Our copyright claims are none of theirs", "© 2026 Privacy Policy", "© Wikimedia Commons"),
        *("Fog (© Lucasfilm Ltd.)</p><p>© 2026 Bay News", "© 2026 Home", "© Jane Doe"),
        *("© The Author(s) 2026", "© 2026 Your Company Name", "© 2026 Media Group", "Copyright Complaints"),
        *("© 2026 Sportradar AG", "Design © Agentur Muster GmbH, Webdesign", "© 2026 Derechos reservados"),
        *("版权所有 侵权必究", "技术支持：云溪科技有限公司 © 2026 技术支持"),
        f"© 2026 {'X' * (MAX_OWNER_CHARS + 1)} Inc.",
        *("© Jane Doe.", "Copyright laws protect what is published by this group"),
    ],
)
def test_the_site_itself_and_what_is_no_company_own_nothing(notice: str) -> None:
    assert owner(notice) == ""


def test_a_company_that_is_named_as_its_site_is_not_an_owner_of_several() -> None:
    assert owner("© 2026 NPR, Inc.", url="https://www.npr.org/fog") == ""
    assert owner("© 2026 The Slate Group LLC. All rights reserved.", url="https://slate.com/fog") == ""


def test_a_short_name_of_a_site_may_be_a_part_of_that_of_its_owner() -> None:
    html = f"<title>Fog</title><p>{FOG}</p><p>© 2026 Advance Local Media LLC</p>"
    assert extract(Page(url="https://www.al.com/fog", html=html, site="AL")).owner == "Advance Local Media"


def test_what_is_declared_counts_more_than_what_is_shown() -> None:
    notice, meta = "© 2026 Lee Enterprises", '<meta name="copyright" content="Archant Ltd">'
    node = {"publisher": {"name": "Bay News", "parentOrganization": {"name": "Vox Media, LLC"}}}
    assert owner(notice, meta, {"copyrightHolder": [{"name": "Axel Springer SE"}], **node}) == "Axel Springer"
    assert owner(notice, meta, node) == "Vox Media"
    assert owner(notice, meta) == "Archant"
    organization = {"@type": "Organization", "name": "Condé Nast"}
    assert owner(notice, meta, {"copyrightHolder": organization}) == "Condé Nast"
    assert owner(notice, meta, {"publisher": {"parentOrganization": organization}}) == "Condé Nast"
    person = {"@type": "Person", "name": "Jane Doe"}
    assert owner(notice, "", {"copyrightHolder": person}) == "Lee Enterprises"
    assert owner(notice, "", {"copyrightHolder": "Public domain"}) == "Lee Enterprises"
    assert (
        owner(notice, meta, {"copyrightHolder": [[1]], "publisher": {"parentOrganization": 7}}) == "Archant"
    )


def test_the_site_that_the_caller_names_owns_itself() -> None:
    for notice, owner in {"© 2026 BAY News Ltd": "", "© 2026 Kessel Media Ltd": "Kessel Media"}.items():
        html = f"<html><body><h1>Fog</h1><p>{notice}. All rights reserved.</p></body></html>"
        assert (
            extract(Page(url="https://www.velmar-today.com/fog", html=html, site="Bay News")).owner == owner
        )


# -- whose text a page declares to be reprinting


def source(head: str = "", node: dict[str, Any] | None = None, url: str | None = URL) -> str:
    return read("", head, node, url).source


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
