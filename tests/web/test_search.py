"""The search page: dates, order, the feed, what was printed most, tables, and what explains the API."""

import csv
import html
import re
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import Site, serving, serving_documents
from browser.stories import bare, document, stories
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Copy, Hit, Query, Results
from dupgroups.web.feed import atom
from web.test_web import visible

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def winter() -> Iterator[Site]:
    snow = [
        document(f"w{n}", f"w{n}", "Bay News", f"Winter ferry {n}", "Snow.", date=f"2025-12-{n + 10}")
        for n in range(3)
    ]
    with serving_documents([*stories(), bare(), *snow]) as site:
        yield site


def links(page: str, label: str) -> list[str]:
    """Where the links whose text matches lead to."""
    return [html.unescape(link) for link in re.findall(rf'<a [^>]*href="([^"]*)"[^>]*>{label}', page)]


def test_a_bar_of_the_chart_leads_to_its_period(winter: Site) -> None:
    page = winter.get("/?q=ferry").text
    bars = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)"><title>([^<]*)</title>', page)
    assert [label for _, label, _ in bars] == ["December 2025: 3 documents", "March 2026: 6 documents"]
    assert all(label == title for _, label, title in bars)
    link = html.unescape(bars[0][0])
    assert link == "/?q=ferry&since=2025-12-01&until=2025-12-31"
    narrowed = winter.get(link).text
    assert "3 stories in 3 documents" in narrowed
    assert "December 2025 <span" in narrowed
    assert "/?q=ferry" in links(narrowed, "December 2025")
    assert narrowed.count('class="bar"') == 3  # by day now


def test_dates_can_be_typed_without_a_script(winter: Site) -> None:
    page = winter.get("/?q=ferry&site=Bay+News&since=2025-12-10&sort=date").text
    form = page[page.index('<form action="/" method="get">') :]
    form = form[: form.index("</form>")]
    assert re.findall(r'name="([^"]*)" value="([^"]*)"', form) == [
        ("q", "ferry"), ("site", "Bay News"), ("sort", "date"), ("since", "2025-12-10"), ("until", ""),
    ]  # fmt: skip
    assert '<button type="submit">' in form
    assert winter.get("/?q=ferry&since=&until=").status == 200  # what the empty form sends
    assert 'name="since" value="2025-12-10"' in page.partition("</header>")[0]  # a new search keeps the dates


def entries(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter(f"{ATOM}entry"))


def test_a_feed_is_complete_in_every_entry(winter: Site) -> None:
    found = entries(winter.get("/feed?mode=all").text)
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


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """`stories`, of which the ferry has four copies on 4 March and one on the 5th; and a text of 2999."""
    later = document("z1", "z1", "Bay News", "=1+1", "A text from the future.", date="2999-03-06")
    with serving_documents([*stories(), later]) as site:
        yield site


def rows(site: Site, path: str) -> list[dict[str, str]]:
    answer = site.get(path)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(answer.text.splitlines()))


def test_the_overview_says_what_was_printed_most_until_the_last_day_that_has_passed(site: Site) -> None:
    page = site.get("/overview").text
    text = visible(page)
    assert "5 March 2026, the last day with documents: 1 story in 1 document" in text
    assert "Most printed on that day No story has two copies then." in text
    [week] = re.findall(r"Most printed in the seven days until then (.*) All of them", text)
    assert week.startswith("5 copies Two missing after ferry strikes barge in fog Westbridge")
    assert re.findall(r"(\d) copies", week) == ["5", "2"]
    assert 'href="/?since=2026-02-27&amp;until=2026-03-05&amp;sort=copies"' in page
    assert "4 March 2026: 8 documents" in page
    assert "2999" not in text


def test_an_index_without_a_date_has_an_empty_overview() -> None:
    with serving(SQLiteEngine()) as site:
        assert "No document has a date yet." in site.get("/overview").text


def test_stories_by_their_copies_say_how_many_of_them_match(site: Site) -> None:
    page = visible(site.get("/?sort=copies&until=2026-03-04").text)
    assert "4 other copies 4 of 5 copies match" in page
    assert "copies match" not in visible(site.get("/?until=2026-03-04").text)
    assert "Most copies first" not in visible(site.get("/?q=ferry&mode=all").text)
    assert site.get("/?q=ferry&mode=all&sort=copies").status == 400


def test_a_result_is_a_table_too(site: Site) -> None:
    found = rows(site, "/api/search?sort=copies&format=csv")
    assert [(row["group"], row["size"], row["matching"]) for row in found[:2]] == [
        ("a1", "5", "5"),
        ("b1", "2", "2"),
    ]
    assert (len(found), found[1]["language"]) == (6, "zh")
    link = re.findall(r'href="([^"]*)" hx-boost="false">CSV', site.get("/?q=ferry&limit=1&offset=1").text)
    assert link == ["/api/search?q=ferry&amp;format=csv"]
    assert len(rows(site, "/api/search?q=ferry&format=csv")) == 2
    refused = site.get("/api/search?format=xml")
    assert refused.json == {"error": "unknown format 'xml': use json, csv"}


def test_stories_are_listed_by_their_figures(site: Site) -> None:
    found = site.get("/api/stories?since=2026-03-05").json["stories"]
    assert [(row["group"], row["copies"], row["title"]) for row in found] == [
        ("a1", 5, "Two missing after ferry strikes barge in fog")
    ]
    assert found[0]["last_published"][:10] == "2026-03-05"
    table = rows(site, "/api/stories?order=sites&format=csv")
    assert [row["copies"] for row in table] == ["5", "2"]
    assert (found[0]["languages"], table[0]["languages"]) == (["en"], "en")
    assert site.get("/api/stories?since=March").status == 400
    assert site.get("/api/stories?order=size").status == 400


def test_no_cell_is_a_formula(site: Site) -> None:
    [row] = rows(site, "/api/search?q=future&format=csv")
    assert row["title"] == "'=1+1"


def test_the_copies_of_a_story_are_a_table(site: Site) -> None:
    link = re.findall(r'href="([^"]*)" hx-boost="false">CSV', site.get("/groups/a1").text)
    found = rows(site, link[0])
    assert [row["id"] for row in found] == ["a1", "a2", "a3", "a4", "a5"]
    assert (found[2]["cut"], found[2]["title"]) == ("0", "Fog blamed as Lady Amberly hits barge")


def test_the_api_explains_itself(site: Site) -> None:
    told = site.get("/api").json
    assert [*told["parameters of a search"]][:3] == ["q", "mode", "limit"]
    examples = [path for path in told["addresses"] if not re.search("ID|GROUP|POST", path)]
    assert "/api/search?sort=copies&format=csv" in examples
    assert {site.get(path).status for path in examples} == {200}
