"""Which words are rules, and what each finds in a story."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import ConfigError
from dupgroups.flow.alerts.alert_rules import is_reached, parse_rule
from dupgroups.flow.alerts.alerted_story import MAX_SOURCED_PAGES, AlertedStory
from dupgroups.model import DAY_MICROSECONDS, Document
from engines.documents import document

HOUR = DAY_MICROSECONDS // 24
DAY = 20_000 * DAY_MICROSECONDS
REUTERS, AP = "VELMAR (Reuters) - Two were missing.", "VELMAR, March 4 (AP) - Two were missing."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("sites >= 5 within 24h", "sites >= 5 within 24h"),
        ("  Sites>=05  within 24 Hours", "sites >= 5 within 24h"),
        ("publishers >= 2 within 90 minutes", "publishers >= 2 within 90m"),
        ("sources >= 2 within 7d", "sources >= 2 within 7d"),
        ("copies >= 10", "copies >= 10"),
        ("New  source", "new source"),
        ("figure changed", "figure changed"),
        ("copied from www.Westbridge-Courier.example", "copied from westbridge-courier.example"),
    ],
)
def test_a_rule_has_one_spelling_which_is_a_rule(words: str, text: str) -> None:
    assert parse_rule(words).text == text
    assert parse_rule(text) == parse_rule(words)


@pytest.mark.parametrize(
    "words",
    [
        *("", "sites", "sites > 5", "sites >= 1", "words >= 5", "sites >= 5 within", "sites >= 5 within 2w"),
        *("copied from", "copied from Courier", "new sources", "sites >= 5 within 24h or copies >= 2"),
    ],
)
def test_other_words_are_refused_in_a_sentence_that_teaches(words: str) -> None:
    with pytest.raises(ConfigError, match=r"'sites >= 5 within 24h'|matches every story"):
        parse_rule(words)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from("abcdef")), max_size=9).map(sorted),
    st.integers(2, 5),
    st.none() | st.integers(0, 12),
)
def test_a_window_that_slides_finds_what_trying_all_finds(
    times: list[tuple[int, str]], least: int, minutes: int | None
) -> None:
    tried = any(
        len({name for _, name in some}) == least
        and (minutes is None or max(some)[0] - min(some)[0] <= minutes)
        for some in combinations(times, least)
    )
    assert is_reached(times, least, minutes) == tried


def page(id_: str, host: str, hour: float = 0, text: str = "Two were missing.", **values: Any) -> Document:
    """A page of the story p0 that says when it was published, found in the order of ids."""
    at = DAY + round(hour * HOUR)
    seen = DAY + 2 * DAY_MICROSECONDS + int(id_[1:])
    made = document(id_, "p0", host=host, seen=seen, text=text, published=at // 60_000_000, **values)
    return replace(made, content=replace(made.content, url=f"https://{host}/{id_}", title="Fog"))


def found(rule: str, *pages: Document) -> list[tuple[str, bool]]:
    """The keys that a rule finds in a story of these pages, and which of them are news."""
    with closing(SQLiteEngine()) as engine:
        engine.put(pages)
        return find(rule, engine)


def find(rule: str, engine: Any) -> list[tuple[str, bool]]:
    """The same of a story as it is; its figures alone said that it has to be read for what was found."""
    members, parsed = engine.members(["p0"])["p0"], parse_rule(rule)
    story = AlertedStory(engine, "p0", members)
    keys = [(one.key, one.is_news) for one in parsed.find(story)]
    assert not keys or parsed.may_find(len(members), story.sites)
    return keys


FIVE = [
    page("p0", "a.com"),
    page("p1", "amp.a.com", 1),
    page("p2", "b.com", 20),
    page("p3", "b.com", 21),
    page("p4", "c.com", 26),
]


@pytest.mark.parametrize(
    ("rule", "reached"),
    [
        ("copies >= 5", True),
        ("copies >= 6", False),
        ("sites >= 4", True),
        ("sites >= 5", False),
        ("publishers >= 3", True),
        ("publishers >= 4", False),
        ("publishers >= 3 within 26h", True),
        ("publishers >= 3 within 24h", False),
        ("sites >= 3 within 1d", True),
        ("copies >= 3 within 6h", True),
        ("copies >= 3 within 5h", False),
    ],
)
def test_copies_sites_and_publishers_are_counted_by_when_they_published(rule: str, reached: bool) -> None:
    assert found(rule, *FIVE) == [("", True)] * reached


HOUSE = [page("p0", "a.com", owner="Kessel Media"), page("p1", "b.com", 1, owner="KESSEL Media")]


def test_sites_of_one_owner_are_one_publisher_which_does_not_copy_itself() -> None:
    pages = [*HOUSE, page("p2", "c.com", 2), page("p3", "d.com", 3)]
    assert found("publishers >= 3", *pages)
    assert not found("publishers >= 4", *pages)
    assert not found("publishers >= 2", *HOUSE)
    assert found("sites >= 2", *HOUSE)
    assert found("copied from a.com", *pages) == [("c.com", True), ("d.com", True)]


def test_an_alert_counts_publishers_as_its_rule_does() -> None:
    with closing(SQLiteEngine()) as engine:
        engine.put([*HOUSE, page("p2", "", 2), page("p3", "c.com", 3)])
        story = AlertedStory(engine, "p0", engine.members(["p0"])["p0"])
        assert (story.describe()["publishers"], story.describe()["sites"]) == (2, 3), "none is known of p2"


def test_a_page_of_a_file_counts_under_the_site_that_it_names() -> None:
    pages = [page("p0", "", site="A"), page("p1", "", site="a"), page("p2", "", site="B"), page("p3", "")]
    assert found("sites >= 2", *pages)
    assert not found("sites >= 3", *pages)


def test_a_source_beside_the_first_one_is_news_whichever_is_larger() -> None:
    first, second = page("p0", "a.com", text=REUTERS), page("p1", "b.com", text=AP)
    more = [page(f"p{number}", f"n{number}.com", text=AP) for number in range(2, 5)]
    assert found("new source", first, page("p1", "b.com", text=REUTERS)) == []
    assert found("new source", first, second, *more) == [("reuters", False), ("ap", True)]
    assert found("sources >= 2", first, second)
    assert not found("sources >= 3", first, second, *more)


def test_a_credit_of_two_agencies_is_no_other_source_than_either() -> None:
    first, both = (
        page("p0", "a.com", text=REUTERS),
        page("p1", "b.com", text=f"{FERRY}\nWith material from AP and Reuters."),
    )
    assert [key for key, is_news in found("new source", first, both) if is_news] == []
    for order in ((first, both), (both, first)):
        with closing(SQLiteEngine()) as engine:
            for one in order:
                engine.put([one])
            assert engine.stories()[0].sources == 1


def test_the_sources_of_a_large_story_are_those_of_its_first_and_last_pages() -> None:
    many = [page(f"p{number}", "a.com", text=REUTERS) for number in range(2 * MAX_SOURCED_PAGES + 5)]
    assert found("new source", *many, page(f"p{len(many)}", "b.com", text=AP))[1:] == [("ap", True)]


FERRY = "Two boats met in fog.\n{} people were missing on Wednesday night.\nDivers searched until dark."


def test_a_figure_that_was_changed_is_found_in_its_page_and_against_the_first_one() -> None:
    old, new = FERRY.format(12), FERRY.format(14)
    with open_engine("memory://") as engine:
        engine.put([page("p0", "a.com", text=old), page("p1", "b.com", 1, text=old)])
        assert find("figure changed", engine) == []
        engine.put([page("p1", "b.com", 1, text=new, last_seen=DAY + 3 * DAY_MICROSECONDS)])
        assert find("figure changed", engine) == [("12 14", True)] * 2
        engine.put([page("p0", "a.com", text=new, last_seen=DAY + 3 * DAY_MICROSECONDS)])
        assert find("figure changed", engine) == [("12 14", True)] * 2, "both pages were changed"
    assert found("figure changed", page("p0", "a.com", text=old), page("p1", "b.com", 1, text=new))


def test_pages_are_not_compared_with_one_another_when_the_first_one_has_gone_meanwhile() -> None:
    with open_engine("memory://") as engine:
        engine.put([page(f"p{at}", f"n{at}.com", at, text=FERRY.format(12 + at)) for at in range(3)])
        story = AlertedStory(engine, "p0", engine.members(["p0"])["p0"])
        engine.delete(["p0"])
        assert [*parse_rule("figure changed").find(story)] == []
        gone = {"id": "p0", "site": "", "title": "", "url": None, "date": None}
        assert story.describe_page("p0") == gone


def test_a_story_is_described_by_its_main_copy_its_numbers_and_its_first_pages() -> None:
    early, late = page("p1", "amp.a.com", 1), page("p0", "a.com", 5)
    undated = page("p2", "", site="C")
    later = undated.record.first_seen + HOUR
    undated = replace(undated, record=replace(undated.record, published=None, first_seen=later))
    with closing(SQLiteEngine()) as engine:
        engine.put([late, early, undated], heads={"p0": "p1"})
        described = AlertedStory(engine, "p0", engine.members(["p0"])["p0"]).describe()
    assert [(one["id"], one["site"], one["url"]) for one in described.pop("pages")] == [
        ("p1", "amp.a.com", "https://amp.a.com/p1"),
        ("p0", "a.com", "https://a.com/p0"),
        ("p2", "C", "https:///p2"),
    ]
    assert described == {
        "group": "p0", "title": "Fog", "url": "https://amp.a.com/p1",
        "copies": 3, "sites": 3, "publishers": 2,
        "first_published": "2024-10-04T01:00:00+00:00", "last_published": "2024-10-04T05:00:00+00:00",
        "first_seen": "2024-10-06T00:00:00+00:00", "last_seen": "2024-10-06T01:00:00+00:00",
    }  # fmt: skip


def test_a_story_whose_main_copy_is_not_there_is_described_by_its_oldest_page() -> None:
    with closing(SQLiteEngine()) as engine:
        engine.put([page("p0", "a.com"), page("p1", "b.com")], heads={"p0": "gone"})
        described = AlertedStory(engine, "p0", engine.members(["p0"])["p0"]).describe()
    assert described["url"] == "https://a.com/p0"


def test_a_story_that_is_merged_while_it_is_looked_at_keeps_its_titles() -> None:
    with open_engine("memory://") as engine:
        engine.put([page("p0", "", site="A"), page("p1", "b.com")])
        story = AlertedStory(engine, "p0", engine.members(["p0"])["p0"])
        engine.put([document("n0")], moves={"p0": "n0"})
        assert (story.sites, story.describe()["title"]) == (2, "Fog")


OWN = page("p1", "news.own.com", 5)


@pytest.mark.parametrize(
    ("pages", "copiers"),
    [
        ([page("p0", "b.com", 6), OWN, page("p2", "c.com", 7)], ["b.com", "c.com"]),
        ([page("p0", "b.com", 4), OWN, page("p2", "c.com", 7)], ["c.com"]),
        ([OWN, page("p2", "own.com", 7), page("p3", "c.com", 8), page("p4", "m.c.com", 9)], ["c.com"]),
        ([page("p1", "notown.com", 5), page("p2", "c.com", 7)], []),
        ([page("p1", "own.com", 5, text=REUTERS), page("p2", "c.com", 7)], []),
    ],
    ids=["copied", "had it later", "own pages and one publisher twice", "another site", "of an agency"],
)  # fmt: skip
def test_who_copies_is_each_other_publisher_that_has_the_text_later(
    pages: Sequence[Document], copiers: list[str]
) -> None:
    pages = [replace(one, record=replace(one.record, group="p0")) for one in pages]
    assert found("copied from own.com", *pages) == [(one, True) for one in copiers]
