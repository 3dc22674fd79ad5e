"""The search page: dates, order, help when nothing is found, and the feed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import closing
from email.utils import parsedate_to_datetime
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import Site, serving
from browser.stories import HOSTILE_TITLE, document, odd, stories
from dupgroups.engines import open_engine
from dupgroups.engines.dates import PREFIX, Unit, day_of, histogram, is_day, next_day, unit_of
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Copy, Hit, Query, Results
from dupgroups.web.chart import HEIGHT, bars
from dupgroups.web.dates import days
from dupgroups.web.feed import Feed, atom, rss
from dupgroups.web.suggestions import Suggestions, suggest

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with closing(open_engine(f"sqlite:///{tmp_path_factory.mktemp('web') / 'news.db'}")) as engine:
        winter = [
            document(f"w{n}", f"w{n}", "Bay News", f"Winter ferry {n}", "Snow.", date=f"2025-12-{n + 10}")
            for n in range(3)
        ]
        engine.put([*stories(), *odd(), *winter])
        with serving(engine) as site:
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


@pytest.mark.parametrize(
    "path", ["since=x", "until=2026-02-30", "since=2026-02-02&until=2026-02-01", "sort=best"]
)
def test_dates_and_orders_that_cannot_be_are_refused(site: Site, path: str) -> None:
    assert site.get(f"/?{path}").status == 400
    answer = site.get(f"/api/search?{path}")
    assert (answer.status, list(answer.json)) == (400, ["error"])


def test_a_result_of_one_day_needs_no_chart(site: Site) -> None:
    assert "<svg" not in site.get("/?q=snow&since=2025-12-10&until=2025-12-10").text
    assert "<svg" not in site.get("/?q=unheardof").text


def test_the_api_has_the_histogram(site: Site) -> None:
    answer = site.get("/api/search?q=ferry&since=2025-12-11&sort=date").json
    assert answer["query"]["since"] == "2025-12-11"
    assert answer["histogram"] == [
        {"since": "2025-12-01", "until": "2025-12-31", "count": 2},
        {"since": "2026-03-01", "until": "2026-03-31", "count": 6},
    ]


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


@given(st.text())
def test_any_text_is_a_date_or_not(text: str) -> None:
    day = day_of(text)
    assert day is None or is_day(day)
    assert is_day(text) == (day == text)


def test_ranges_in_words() -> None:
    assert days("2026-03-04", None) == "since 4 March 2026"
    assert days("2026-12-01", "2026-12-31") == "December 2026"
    assert days("9999-12-01", "9999-12-31") == "1 December 9999 to 31 December 9999"


# -- order


def test_the_order_is_a_choice(site: Site) -> None:
    page = site.get("/?q=ferry").text
    assert links(page, "Newest first") == ["/?q=ferry&sort=date"]
    assert 'aria-current="true">Best first' in page
    newest = site.get("/?q=ferry&sort=date").text
    assert links(newest, "Best first") == ["/?q=ferry"]
    dates = re.findall(r'<time datetime="(\d{4}-\d\d-\d\d)">', newest[newest.index('class="hits"') :])
    assert dates[0] == max(dates)
    assert "Newest first" not in site.get("/").text  # there is no other order


# -- an empty result


def test_the_closest_words_of_a_mistyped_query(site: Site) -> None:
    page = site.get("/?" + urlencode({"q": '"fery" colision -river'})).text
    assert "No document has “<bdi>fery</bdi>”. Closest: " in page
    assert links(page, "<bdi>ferry</bdi>") == ["/?" + urlencode({"q": '"ferry" collision -river'})]
    assert links(page, "<bdi>collision</bdi>") == links(page, "<bdi>ferry</bdi>")
    assert "<article" in site.get(links(page, "<bdi>ferry</bdi>")[0]).text
    assert "Closest" not in site.get("/?q=ferry+clock+missing").text


def test_an_empty_result_names_what_was_searched(site: Site) -> None:
    page = site.get("/?" + urlencode({"q": "春茶 ferry"})).text
    assert "No story has all of “<bdi>春茶 ferry</bdi>”" in page
    assert "Search in every language" in site.get("/?q=ferry&since=2030-01-01").text


def test_a_search_of_or_has_no_looser_one() -> None:
    engine = SQLiteEngine()
    engine.put(stories())
    assert suggest(engine, Query("xyzzy OR plugh")) == Suggestions()
    assert suggest(engine, Query("ferry clock")).with_any_word == 3
    assert suggest(engine, Query("ferry -ferry clock")) != Suggestions()


def test_what_cannot_be_parsed_keeps_its_text_in_the_form(site: Site) -> None:
    page = site.get("/?" + urlencode({"q": '"night <b>'}))
    assert page.status == 400
    assert "a quotation mark is missing" in page.text
    assert 'value="&#34;night &lt;b&gt;"' in page.text


# -- the feed


def entries(text: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(text).findall(f"{ATOM}entry")


FEED = "?q=ferry&site=Bay+News"


@pytest.mark.parametrize(
    ("path", "kind", "title", "label"),
    [("/feed", "atom", "Newest results", "Atom"), ("/rss", "rss", "Newest results (RSS)", "RSS")],
)
def test_the_page_leads_to_the_feed_of_its_query(
    site: Site, path: str, kind: str, title: str, label: str
) -> None:
    page = site.get("/?q=ferry&site=Bay+News&sort=date&offset=10&limit=5").text
    link = f'type="application/{kind}+xml" title="{title}" href="{html.escape(path + FEED)}">'
    assert f'<link rel="alternate" {link}' in page
    assert links(page, label) == [path + FEED]
    answer = site.get(path + FEED)
    assert answer.headers["content-type"] == f"application/{kind}+xml; charset=utf-8"
    root = ElementTree.fromstring(answer.text)
    found = [entry.findtext(f"{ATOM}title") or entry.findtext("title") for entry in in_feed(root)]
    assert found == ["Winter ferry 2", "Winter ferry 1", "Winter ferry 0"]
    itself = next(link for link in root.iter(f"{ATOM}link") if link.get("rel") == "self")
    assert itself.get("href") == site.url + path + FEED


def in_feed(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [*root.iter(f"{ATOM}entry"), *root.iter("item")]


def test_atom_says_where_its_page_is_and_when_it_changed(site: Site) -> None:
    root = ElementTree.fromstring(site.get("/feed" + FEED).text)
    assert in_feed(root)[0].findtext(f"{ATOM}updated") == "2025-12-12T00:00:00Z"
    assert root.findtext(f"{ATOM}updated") == "2025-12-12T00:00:00Z"
    pages = [link.get("href") for link in root.findall(f"{ATOM}link[@rel='alternate']")]
    assert pages == [f"{site.url}/?q=ferry&site=Bay+News&sort=date"]


def test_rss_says_what_it_is_and_where_its_page_is(site: Site) -> None:
    root = ElementTree.fromstring(site.get("/rss" + FEED).text)
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    [channel] = root
    assert channel.findtext("title") == "ferry · dup-groups"
    assert channel.findtext("link") == f"{site.url}/?q=ferry&site=Bay+News&sort=date"
    assert channel.findtext("description")


def test_a_feed_is_complete_in_every_entry(site: Site) -> None:
    for entry in entries(site.get("/feed?mode=all").text):
        assert entry.findtext(f"{ATOM}title")
        assert (entry.findtext(f"{ATOM}id") or "").startswith("urn:dup-groups:")
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", entry.findtext(f"{ATOM}updated") or ""
        )
        link = entry.find(f"{ATOM}link[@rel='alternate']")
        assert link is not None
        assert (link.get("href") or "").startswith(("http://", "https://"))


@pytest.mark.parametrize("path", ["/feed", "/rss"])
def test_a_feed_of_nothing_is_a_feed(site: Site, path: str) -> None:
    root = ElementTree.fromstring(site.get(f"{path}?q=unheardof").text)
    assert in_feed(root) == []
    assert site.get(f"{path}?q=%22x").status == 400


def test_an_item_of_rss_is_complete(site: Site) -> None:
    items = list(ElementTree.fromstring(site.get("/rss?mode=all").text).iter("item"))
    assert len(items) > 10
    for item in items:
        assert item.findtext("title")
        assert (item.findtext("link") or "").startswith(("http://", "https://"))
        assert parsedate_to_datetime(item.findtext("pubDate") or "").tzinfo
        guid = item.find("guid")
        assert guid is not None
        assert (guid.get("isPermaLink"), (guid.text or "")[:15]) == ("false", "urn:dup-groups:")
        assert "All copies</a></p>" in (item.findtext("description") or "")


def test_a_hostile_document_stays_text_in_rss_even_if_it_is_taken_for_html(site: Site) -> None:
    (item,) = ElementTree.fromstring(site.get("/rss?q=attack").text).iter("item")
    assert "<" not in (item.findtext("title") or "")
    tags = re.findall(r"<(/?\w+)", item.findtext("description") or "")
    assert set(tags) == {"p", "/p", "a", "/a"}


def test_a_hostile_document_is_plain_text_in_the_feed(site: Site) -> None:
    answer = site.get("/feed?q=attack")
    assert "<script" not in answer.text
    assert "<img" not in answer.text
    (entry,) = entries(answer.text)
    title = entry.find(f"{ATOM}title")
    assert title is not None
    assert (title.text, title.get("type")) == (HOSTILE_TITLE, "text")


@given(*[st.text()] * 4)
def test_any_text_gives_a_well_formed_feed(title: str, snippet: str, group: str, address: str) -> None:
    shown = Copy("x", title, f"https://example.org/{address}", title, title, "en")
    results = Results((Hit(group, shown, 2, snippet=snippet),), 1, 1)
    made = Feed.of(Query(title), results, {}, "http://localhost", "http://localhost/feed")
    (entry,) = entries(atom(made).encode().decode())
    assert entry.findtext(f"{ATOM}id") == f"urn:dup-groups:{quote(group, safe='')}"
    (item,) = ElementTree.fromstring(rss(made).encode().decode()).iter("item")
    assert item.findtext("guid") == f"urn:dup-groups:{quote(group, safe='')}"
