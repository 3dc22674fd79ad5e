"""The search page: dates, order, help when nothing is found, and the feed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import Site, serving_documents
from browser.stories import bare, document, stories
from dupgroups.model import Copy, Hit, Query, Results
from dupgroups.web.feed import atom

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    winter = [
        document(f"w{n}", f"w{n}", "Bay News", f"Winter ferry {n}", "Snow.", date=f"2025-12-{n + 10}")
        for n in range(3)
    ]
    with serving_documents([*stories(), bare(), *winter]) as site:
        yield site


def links(page: str, label: str) -> list[str]:
    """Where the links whose text matches lead to."""
    return [html.unescape(link) for link in re.findall(rf'<a [^>]*href="([^"]*)"[^>]*>{label}', page)]


def test_a_bar_of_the_chart_leads_to_its_period(site: Site) -> None:
    page = site.get("/?q=ferry").text
    bars = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)"><title>([^<]*)</title>', page)
    assert [label for _, label, _ in bars] == ["December 2025: 3 documents", "March 2026: 6 documents"]
    assert all(label == title for _, label, title in bars)
    link = html.unescape(bars[0][0])
    assert link == "/?q=ferry&since=2025-12-01&until=2025-12-31"
    narrowed = site.get(link).text
    assert "3 stories in 3 documents" in narrowed
    assert "December 2025 <span" in narrowed
    assert "/?q=ferry" in links(narrowed, "December 2025")
    assert narrowed.count('class="bar"') == 3  # by day now


def test_dates_can_be_typed_without_a_script(site: Site) -> None:
    page = site.get("/?q=ferry&site=Bay+News&since=2025-12-10&sort=date").text
    form = page[page.index('<form action="/" method="get">') :]
    form = form[: form.index("</form>")]
    assert re.findall(r'name="([^"]*)" value="([^"]*)"', form) == [
        ("q", "ferry"), ("site", "Bay News"), ("sort", "date"), ("since", "2025-12-10"), ("until", ""),
    ]  # fmt: skip
    assert '<button type="submit">' in form
    assert site.get("/?q=ferry&since=&until=").status == 200  # what the empty form sends
    assert 'name="since" value="2025-12-10"' in page.partition("</header>")[0]  # a new search keeps the dates


def entries(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter(f"{ATOM}entry"))


def test_a_feed_is_complete_in_every_entry(site: Site) -> None:
    found = entries(site.get("/feed?mode=all").text)
    assert len(found) > 10
    for entry in found:
        assert entry.findtext(f"{ATOM}title")
        assert entry.findtext(f"{ATOM}id", "").startswith("urn:dup-groups:")
        link = entry.find(f"{ATOM}link[@rel='alternate']")
        assert link is not None
        assert link.get("href", "").startswith(("http://", "https://"))
        assert re.fullmatch(r"[\d-]{10}T[\d:]{8}(Z|[+-]\d\d:\d\d)", entry.findtext(f"{ATOM}updated", ""))


@given(*[st.text()] * 4)
def test_any_text_gives_a_well_formed_feed(title: str, snippet: str, group: str, address: str) -> None:
    shown = Copy("x", title, f"https://example.org/{address}", title, title, "en")
    results = Results((Hit(group, shown, 2, snippet=snippet),), 1, 1)
    made = atom(Query(title), results, {}, "http://localhost", "http://localhost/feed")
    (entry,) = entries(made.encode().decode())
    assert entry.findtext(f"{ATOM}id") == f"urn:dup-groups:{quote(group, safe='')}"
