"""The search page: dates, order, help when nothing is found, and the feed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import Site, serving_documents
from browser.stories import HOSTILE_TITLE, document, odd, stories
from dupgroups.engines.dates import PREFIX, Unit, histogram, is_day, next_day, unit_of
from dupgroups.model import Copy, Hit, Query, Results
from dupgroups.web.chart import HEIGHT, bars
from dupgroups.web.feed import Feed, atom

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    winter = [
        document(f"w{n}", f"w{n}", "Bay News", f"Winter ferry {n}", "Snow.", date=f"2025-12-{n + 10}")
        for n in range(3)
    ]
    with serving_documents([*stories(), *odd(), *winter]) as site:
        yield site


def links(page: str, label: str) -> list[str]:
    """Where the links whose text matches lead to."""
    return [html.unescape(link) for link in re.findall(rf'<a [^>]*href="([^"]*)"[^>]*>{label}', page)]


# -- dates


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


def test_the_chart_has_a_place_for_every_period_between() -> None:
    periods = histogram({"2026-02-27": 1, "2026-03-02": 8}, "day")
    assert [(bar.label, bar.height) for bar in bars(periods)] == [
        ("27 February 2026", 5), ("28 February 2026", 0), ("1 March 2026", 0), ("2 March 2026", HEIGHT),
    ]  # fmt: skip
    assert [bar.label for bar in bars(histogram({"1990": 1, "1992": 1}, "year"))] == ["1990", "1991", "1992"]
    assert len(bars(histogram({"0001": 1, "2026": 1}, "year"))) == 2
    assert bars(histogram({"2026": 1}, "year")) == bars(()) == []
    assert bars(histogram({"9998": 1, "9999": 1}, "year"))[-1].label == "9999"


@given(st.dates(), st.dates())
def test_days_are_counted_in_few_periods(one: object, other: object) -> None:
    first, last = sorted((str(one), str(other)))
    unit: Unit = unit_of(first, last)
    (period, *_) = histogram({last[: PREFIX[unit]]: 1}, unit)
    assert period.since <= last <= period.until
    assert is_day(period.since)
    assert is_day(period.until)
    shown = bars(histogram({first[: PREFIX[unit]]: 1, last[: PREFIX[unit]]: 1}, unit))
    assert len(shown) <= 121
    after = next_day(last)
    assert after is None or after > last


# -- an empty result


def test_what_cannot_be_parsed_keeps_its_text_in_the_form(site: Site) -> None:
    page = site.get("/?" + urlencode({"q": "OR night <b>"}))
    assert page.status == 400
    assert "OR needs a wanted word" in page.text
    assert 'value="OR night &lt;b&gt;"' in page.text


# -- the feeds


def entries(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter(f"{ATOM}entry"))


def field(entry: ElementTree.Element, name: str) -> str:
    return entry.findtext(ATOM + name) or ""


def test_a_feed_is_complete_in_every_entry(site: Site) -> None:
    found = entries(site.get("/feed?mode=all").text)
    assert len(found) > 10
    for entry in found:
        assert field(entry, "title")
        assert field(entry, "id").startswith("urn:dup-groups:")
        link = entry.find(f"{ATOM}link[@rel='alternate']")
        assert link is not None
        assert (link.get("href") or "").startswith(("http://", "https://"))
        assert re.fullmatch(r"[\d-]{10}T[\d:]{8}(Z|[+-]\d\d:\d\d)", field(entry, "updated"))


def test_a_hostile_document_is_plain_text_in_the_feed(site: Site) -> None:
    (entry,) = entries(site.get("/feed?q=attack").text)
    title = entry.find(f"{ATOM}title")
    assert title is not None
    assert (title.text, title.get("type")) == (HOSTILE_TITLE, "text")


@given(*[st.text()] * 4)
def test_any_text_gives_a_well_formed_feed(title: str, snippet: str, group: str, address: str) -> None:
    shown = Copy("x", title, f"https://example.org/{address}", title, title, "en")
    results = Results((Hit(group, shown, 2, snippet=snippet),), 1, 1)
    made = Feed.of(Query(title), results, {}, "http://localhost", "http://localhost/feed")
    (entry,) = entries(atom(made).encode().decode())
    assert field(entry, "id") == f"urn:dup-groups:{quote(group, safe='')}"
