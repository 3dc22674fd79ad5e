"""What was printed most, tables for spreadsheets, and the page that explains the API."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from browser.serving import Site, serving, serving_documents
from browser.stories import document, stories
from dupgroups.engines.sqlite import SQLiteEngine
from web.test_web import visible


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
    assert week.startswith("5 copies Ferry and barge collide in fog The Ashvale Post. Also from: Westbridge")
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


def test_json_can_be_read_by_people(site: Site) -> None:
    text = site.get("/api/search?q=" + quote("春茶")).text
    assert '\n "stories": 1,\n' in text
    assert "\\ue000春茶\\ue001" in text


def test_the_api_explains_itself(site: Site) -> None:
    told = site.get("/api").json
    assert [*told["parameters of a search"]][:3] == ["q", "mode", "limit"]
    examples = [path for path in told["addresses"] if not re.search("ID|GROUP|POST", path)]
    assert "/api/search?sort=copies&format=csv" in examples
    assert {site.get(path).status for path in examples} == {200}


def test_a_page_that_is_not_there_says_so_once(site: Site) -> None:
    [alert] = re.findall(r'(?s)role="alert">.*?</div>', site.get("/apis").text)
    assert visible(alert).count("There is no such page") == 1
