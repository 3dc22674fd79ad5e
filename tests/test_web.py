"""The search page over HTTP: what it shows, counts and refuses, and that nothing hostile gets out."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from typing import get_args
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import Site, serving
from browser.stories import HOSTILE_TITLE, PICTURE, document, many, odd, stories, widespread
from dupgroups.engines import open_engine
from dupgroups.engines.common import check_query, to_cursor
from dupgroups.engines.paging import pages
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import InputError
from dupgroups.model import Copy, Hit, Query, Results, SearchMode, Sort
from dupgroups.web.addresses import host_of, web_address
from dupgroups.web.dates import day, instant, moment
from dupgroups.web.parameters import from_parameters, group_url, kept, page_url, search_url
from dupgroups.web.render import highlighted, render
from dupgroups.web.story import SiteCopies, read_story
from dupgroups.web.suggestions import Suggestions

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
FORGED = [  # values that a cursor of no engine holds
    *(
        [1, "\ud800", 1, ""],
        [1, "", 10**30, ""],
        [-(10**30), "", 1, ""],
        [1e999, "", 1, ""],
        [1, [[]], 1, ""],
    ),
    *(
        [float("nan"), "", 1, ""],
        [1, ["a"], 1, ""],
        [1, "", True, ""],
        [[[]]] * 4,
        [1, "", 1, None],
        {"a": 1},
    ),
]
HOSTILE = (
    st.lists(
        st.sampled_from(
            ["<", ">", '"', "'", "&", "\ue000", "\ue001", "<script>", "</mark>", "javascript:", "a", "\0"]
        )
    ).map("".join)
    | TEXT
)


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The search page over the ten documents of `stories`."""
    file = tmp_path_factory.mktemp("web") / "news.db"
    url = "memory://" if request.param == "memory" else f"sqlite:///{file}"
    with closing(open_engine(url)) as engine:
        engine.put(stories())
        with serving(engine) as site:
            yield site


class Elements(HTMLParser):
    """The elements of a page, in order, and the attributes of each; "/name" is an end."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}", {}))


def tags(text: str) -> list[str]:
    return [tag for tag, _ in Elements(text).found]


def visible(text: str) -> str:
    """The text of a page on one line, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split())


# -- what the page shows


def test_a_story_is_one_hit_with_its_other_sites_and_the_number_of_copies(site: Site) -> None:
    page = visible(site.get("/?q=ferry").text)
    assert "2 stories in 6 documents for “ferry”" in page
    assert "5 copies" in page
    assert re.search(r"Also from: (?:[^,]+, ){2}[A-Z][\w ]+ and 1 more 5 copies", page)


def test_the_words_found_are_marked(site: Site) -> None:
    assert "<mark>ferry</mark>" in site.get("/?q=ferry").text


def test_chinese_words_are_found_and_marked_in_their_language(site: Site) -> None:
    page = site.get("/?" + urlencode({"q": "春茶"})).text
    assert "1 story in 2 documents" in page
    assert "<mark>春茶</mark>" in page
    assert 'lang="zh"' in page


def test_without_words_the_newest_stories_come_first(site: Site) -> None:
    page = site.get("/").text
    assert "5 stories in 10 documents" in page
    page = page[page.index('class="hits"') :]
    assert page.index("5 March 2026") < page.index("4 March 2026")


@pytest.mark.parametrize(
    ("mode", "total"),
    [("collapse", "5 stories in 10 documents"), ("head", "5 stories"), ("all", "10 documents in 5 stories")],
)
def test_each_mode_counts_under_its_own_names(site: Site, mode: str, total: str) -> None:
    page = site.get(f"/?mode={mode}").text
    assert f'role="status">{total}<' in page
    assert page.count('<article class="hit') == int(total.split()[0])


def test_an_estimate_is_called_about() -> None:
    results = Results((), stories=1200, documents=4000, exact=False)
    assert "about 1,200 stories in 4,000 documents" in render("search.html", query=Query(), results=results)


@pytest.mark.parametrize(
    ("mode", "all_sorted", "total"),
    [
        ("collapse", True, "at least 7,800 stories in 12,000 documents"),
        ("collapse", False, "at least 7,800 stories in more than 12,000 documents"),
        ("all", True, "12,000 documents in at least 7,800 stories"),
        ("head", True, "7,800 stories"),
    ],
)
def test_what_was_not_counted_or_sorted_is_said(mode: str, all_sorted: bool, total: str) -> None:
    results = Results((), 7_800, 12_000, exact=mode == "head", complete=False, all_sorted=all_sorted)
    page = shown(Query(mode=mode), results)  # type: ignore[arg-type]
    assert f'role="status">{total}<' in page
    assert "Sites, languages and dates are those of the first 10,000 documents." in page
    assert ("Only the 10,000 documents that were stored last are sorted." in page) != all_sorted


def test_stories_with_any_word_that_were_not_all_counted_are_more() -> None:
    values = {"query": Query("a b"), "results": Results((), 0, 0)}
    page = render("search.html", **values, suggestions=Suggestions(7_800, complete=False))
    assert "Show at least 7,800 stories with any of these words" in page


def test_a_facet_narrows_and_is_taken_off_again(site: Site) -> None:
    page = site.get("/").text
    assert 'href="/?language=zh"><bdi>中文</bdi> <span class="count">1</span>' in page
    narrowed = site.get("/?language=zh&site=" + "%E4%B8%9C%E6%B9%96%E6%99%9A%E6%8A%A5").text
    assert "1 story in 1 document" in narrowed
    assert 'class="chosen" href="/?language=zh"' in narrowed


def test_an_author_is_a_filter(site: Site) -> None:
    page = site.get("/?q=collision").text
    jo = '<a href="/?q=collision&amp;author=Jo+Brandt" title="Only this author"><bdi>Jo Brandt</bdi></a>, <a '
    assert jo in page
    narrowed = site.get("/?" + urlencode({"author": "李明"})).text
    assert "2 stories in 2 documents" in narrowed
    assert 'class="chosen" href="/"' in narrowed
    assert '<input type="hidden" name="author" value="李明">' in narrowed


def test_many_authors_are_the_first_ones_and_others() -> None:
    copy = Copy("a", "t", None, "s", None, "en", "A, B, C, D")
    assert "A, B, C and others" in visible(render("list.html", query=Query(), copies=[copy]))


def test_pictures_are_shown_only_where_the_server_says_so() -> None:
    engine = SQLiteEngine()
    engine.put(stories())
    with serving(engine) as without, serving(engine, pictures=True) as site:
        pictures = [given for tag, given in Elements(site.get("/?mode=all").text).found if tag == "img"]
        assert [picture["src"] for picture in pictures] == ["/static/logo.svg", PICTURE]  # and no javascript:
        assert (pictures[1]["referrerpolicy"], pictures[1]["loading"]) == ("no-referrer", "lazy")
        assert site.get("/").headers["content-security-policy"].endswith("; img-src 'self' https: http:")
        assert "script-src" not in site.get("/").headers["content-security-policy"]
        assert PICTURE not in without.get("/?mode=all").text
        assert "img-src" not in without.get("/").headers["content-security-policy"]


def test_a_group_lists_all_its_copies_oldest_first(site: Site) -> None:
    page = site.get("/groups/a1?q=ferry").text
    names = ["Westbridge Courier", "The Ashvale Post", "Kessel Herald", "Halvern Wire", "Morning Ledger"]
    places = [page.index(f"<h2><bdi>{name}") for name in names]
    assert places == sorted(places)
    assert 'href="/?q=ferry">← Back' in page


def test_htmx_gets_the_bare_list_of_copies(site: Site) -> None:
    part = site.get("/groups/a1", {"HX-Request": "true"})
    assert tags(part.text)[0] == "ul"
    assert part.text.count("<li>") == 5
    assert part.headers["vary"].startswith("HX-Request")
    assert tags(site.get("/groups/a1", {"HX-Request": "true", "HX-Boosted": "true"}).text)[0] == "html"


def test_a_group_that_was_merged_away_is_followed() -> None:
    engine = SQLiteEngine()
    engine.put(stories())
    engine.put([], moves={"d1": "a1"})
    with serving(engine) as site:
        assert len(site.get("/api/groups/d1").json["copies"]) == 6
        assert site.get("/api/groups/d1").json["group"] == "a1"


def test_a_group_id_of_any_characters_has_a_page() -> None:
    engine = SQLiteEngine()
    odd = "a/b?c#d e%2F'\"<"
    engine.put([document(odd, odd, "Halvern Wire", "Odd name", "A text")])
    with serving(engine) as site:
        assert "Odd name" in site.get(group_url(odd, Query())).text


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/?q=unheardof", "Every word must occur in the title or the text: try fewer words"),
        ("/?q=unheardof&any_word=1", "One word must occur in the title or the text: try other words"),
        ("/?q=ferry&language=zh", "Search in every language, on every site, by every author"),
        ("/?language=xx", "Search in every language, on every site, by every author"),
        ("/?offset=500", "No more results"),
    ],
)
def test_an_empty_page_says_what_to_do(site: Site, path: str, sentence: str) -> None:
    assert sentence in site.get(path).text


def test_an_empty_page_offers_the_stories_with_any_of_the_words(site: Site) -> None:
    page = site.get("/?q=clock+春茶+unheardof".replace("春茶", quote("春茶"))).text
    assert "0 stories in 0 documents" in page
    link = re.search(r'<a href="([^"]*)">Show 2 stories with any of these words</a>', page)
    assert link
    loose = site.get(html.unescape(link[1])).text
    assert "2 stories in 3 documents with any word of “" in loose
    assert loose.count("<article") == 2
    assert "any_word=1" in html.unescape(loose)  # the filters beside the hits go on with it
    assert 'name="any_word"' not in loose  # a new search asks for every word again


@pytest.mark.parametrize("text", ["unheardof", "unheardof nowhere", "?!"])
def test_any_of_the_words_is_offered_only_where_it_finds_something(site: Site, text: str) -> None:
    page = site.get("/?" + urlencode({"q": text})).text
    assert "Nothing found" in page
    assert "any of these words" not in page


def test_an_empty_page_of_a_filter_offers_both(site: Site) -> None:
    page = site.get("/?q=ferry+clock&language=zh").text
    assert "any of these words" not in page  # in Chinese there is none
    page = site.get("/?q=ferry+clock&language=en").text
    assert "Show 3 stories with any of these words" in page
    assert "Search in every language" in page


def test_an_empty_index_says_so() -> None:
    with serving(SQLiteEngine()) as site:
        assert "No documents yet" in site.get("/").text


# -- a story on many sites, and many times on one


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def crowd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A story with twelve copies on one site and one on twenty-one others; and odd documents."""
    file = tmp_path_factory.mktemp("web") / "news.db"
    with closing(open_engine("memory://" if request.param == "memory" else f"sqlite:///{file}")) as engine:
        engine.put([*widespread(), *odd()])
        with serving(engine) as site:
            yield site


def test_also_from_counts_sites_not_copies(crowd: Site) -> None:
    page = visible(crowd.get("/?q=bridge&site=Paper+00").text)
    assert "Also from: Kessel Herald and 20 more 33 copies" in page  # 33 copies on 22 sites


def test_a_story_whose_first_copies_are_all_here_says_on_how_many_sites_it_is(crowd: Site) -> None:
    page = visible(crowd.get("/?q=bridge&mode=head").text)
    assert "Also from 21 other sites 33 copies" in page


def test_a_story_of_one_site_is_from_nowhere_else() -> None:
    engine = SQLiteEngine()
    engine.put(widespread()[:12])
    with serving(engine) as site:
        assert "Published more than once on this site 12 copies" in visible(site.get("/").text)


def test_every_hit_has_a_link_to_the_page_of_its_story(crowd: Site) -> None:
    for path in ("/?mode=head", "/?mode=all&limit=100", "/?q=bridge"):
        page = crowd.get(path).text
        links = re.findall(r'<a class="permalink" href="([^"]*)"', page)
        assert len(links) == page.count("<article") > 0
        for link in set(links):
            assert crowd.get(html.unescape(link)).status == 200


def test_what_htmx_replaces_does_not_hold_the_link_to_all_copies(crowd: Site) -> None:
    page = crowd.get("/?q=bridge").text
    replaced = page[page.index("<div hx-get") : page.index("</ul>", page.index("<div hx-get"))]
    assert "All 33 copies" not in replaced
    assert 'href="/groups/w00?q=bridge">All 33 copies on a page</a>' in page


def test_the_copies_of_one_site_are_one_line_with_their_times(crowd: Site) -> None:
    part = crowd.get("/groups/w00", {"HX-Request": "true"}).text
    assert part.count("<li>") == 22
    assert part.count("kessel-herald.example</span>") == 1
    assert re.search(r"4 March 2026, 00:05 UTC 01:05 UTC 02:05 UTC.*11:05 UTC", visible(part))
    hours = [given for tag, given in Elements(part).found if tag == "a" and "update" in (given["href"] or "")]
    assert len(hours) == 13  # the title, and each of the twelve copies


def named(*copies: tuple[str | None, str | None]) -> list[str]:
    """The labels of copies with these dates and URLs."""
    return SiteCopies("s", tuple(Copy("a", "t", url, "s", date, "en") for date, url in copies)).labels


def test_copies_of_one_site_are_told_apart_by_time_path_or_number() -> None:
    a, b = "https://a.example/x/%E6%98%A5?p=1", "https://a.example/x/b"
    assert named(("2026-03-04", a), ("2026-03-05", b)) == ["4 March 2026", "5 March 2026"]
    same = ("2026-03-04T10:05:00", a), ("2026-03-04T11:00:00", a)
    assert named(*same) == ["4 March 2026, 10:05", "11:00"]
    assert named(("2026-03-04", a), ("2026-03-04", b)) == ["/x/春?p=1", "/x/b"]
    assert named((None, b), (None, b.replace("https", "http"))) == [b, b.replace("https", "http")]
    assert named((None, None), ("2026-03-04", None)) == ["1", "2"]


def test_the_page_of_a_story_lists_every_copy_by_site_with_time_and_path(
    crowd: Site,
) -> None:
    page = crowd.get("/groups/w00?q=bridge").text
    text = visible(page)
    assert "33 copies on 22 sites, first seen 4 March 2026, 10:05 UTC" in text
    assert 'href="/?q=bridge">← Back to the results</a>' in page
    assert page.count("kessel-herald.example</span>") == 1  # the host once, and the path of each copy
    for hour in range(12):
        assert f"4 March 2026, {hour:02}:05 UTC /storm/update-{hour}.html seen 4 March 2026, " in text
    assert page.count("<h2><bdi>Paper ") == 21
    assert '<link rel="canonical" href="/groups/w00">' in page


def test_the_page_of_a_story_says_which_copy_is_the_first_and_why(crowd: Site) -> None:
    text = visible(crowd.get("/groups/w00").text)
    assert "named after the copy of Kessel Herald: it was seen first, 20 minutes before the next one." in text
    assert text.count("First copy ") == 1
    assert "First copy 4 March 2026, 00:05 UTC" in text
    assert "named after the copy marked below: it is the only copy." in visible(crowd.get("/groups/t1").text)


def aged(*ages: int) -> str:
    """What the page says of the head "a0" of a group whose members were first seen then."""
    engine = SQLiteEngine()
    documents = [document(f"a{n}", "a0", "Halvern Wire", "t", "x") for n in range(len(ages))]
    engine.put(
        [
            replace(made, record=replace(made.record, first_seen=age))
            for made, age in zip(documents, ages, strict=True)
        ]
    )
    found = read_story(engine, "a0")
    assert found
    return found.reason


def test_the_reason_is_true_for_every_order() -> None:
    assert aged(5) == "it is the only copy"
    assert aged(5, 5, 9) == "of the copies that were seen first, its id comes first"
    assert aged(5, 4) == "it was the first copy when the story got its name"
    assert aged(0, 90_000_000) == "it was seen first, 1 minute before the next one"
    assert aged(0, 900) == "it was seen first, less than a second before the next one"


def test_a_story_whose_first_copy_was_deleted_says_so() -> None:
    engine = SQLiteEngine()
    engine.put(stories())
    engine.delete(["a1"])
    with serving(engine) as site:
        text = visible(site.get("/groups/a1").text)
        assert "4 copies on 4 sites" in text
        assert "The copy after which the story is named is not among those below" in text
        assert "First copy" not in text


@pytest.mark.parametrize(("stored", "more"), [(200, False), (201, True)])
def test_a_huge_story_lists_the_first_copies_and_says_so(stored: int, more: bool) -> None:
    engine = SQLiteEngine()
    engine.put([replace(made, record=replace(made.record, group="n00000")) for made in many(stored)])
    with serving(engine) as site:
        page = site.get("/groups/n00000").text
        assert ("More than 200 copies on at least 1 site" in visible(page)) is more
        assert page.count("<h2>") == 1
        assert ("Only the first 200 copies are listed." in page) is more
        part = site.get("/groups/n00000", {"HX-Request": "true"}).text
        assert ("Only the first 200 copies are listed." in part) is more
        assert len(site.get("/api/groups/n00000").json["copies"]) == 200


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_former_name_redirects_to_the_story_and_is_listed_there(kind: str, tmp_path: Path) -> None:
    odd_name = "x/y?z#%2F'\"<"
    with closing(
        open_engine("memory://" if kind == "memory" else f"sqlite:///{tmp_path / 'n.db'}")
    ) as engine:
        engine.put([*stories(), document(odd_name, odd_name, "Halvern Wire", "Odd", "A text")])
        engine.put([], moves={"d1": "a1", odd_name: "a1"})
        with serving(engine) as site:
            for name in ("d1", odd_name):
                moved = site.get(group_url(name, Query(text="ferry")))
                assert (moved.status, moved.headers["location"]) == (307, "/groups/a1?q=ferry")
                assert site.get(group_url(name, Query()), {"HX-Request": "true"}).status == 307
            page = site.get("/groups/a1?q=ferry").text
            assert "Former names" in page
            for name in ("d1", odd_name):
                assert f'href="{html.escape(group_url(name, Query(text="ferry")))}"' in page
            assert "Former names" not in site.get("/groups/b1").text
            answer = site.get("/api/groups/d1").json
            assert (answer["group"], answer["former_names"]) == ("a1", ["d1", odd_name])
            assert answer["copies"][0]["first_seen"].startswith("1970-01-01T00:")


def test_the_page_of_a_hostile_story_has_only_our_elements(site: Site) -> None:
    page = site.get("/groups/c1").text
    assert "javascript:" not in page
    assert set(tags(page)) <= set(tags(site.get("/groups/a1").text))
    assert "script" not in tags(page)[tags(page).index("body") :]


def test_titles_and_snippets_find_their_own_direction(crowd: Site) -> None:
    page, story = crowd.get("/?mode=head").text, crowd.get("/groups/h1").text
    assert page.count('<h2 dir="auto">') == page.count("<article") == 4
    assert '<p class="snippet" lang="he" dir="auto">' in page
    assert '<h1 class="story" dir="auto"><span lang="he">' in story
    assert '<span class="title" dir="auto">' in story


def test_what_is_not_known_leaves_no_separator(crowd: Site) -> None:
    page = crowd.get("/groups/t1", {"HX-Request": "true"}).text
    assert visible(page) == "Without a title"
    assert tags(page) == ["ul", "li", "span", "span", "/span", "/span", "span", "/span", "/li", "/ul"]


@pytest.mark.parametrize(
    ("site", "url", "hosts"),
    [
        ("Kessel Herald", "https://www.kessel.example/a", ["kessel.example"]),
        ("Kessel.example", "https://www.kessel.example/a", []),
        ("www.kessel.example", "https://kessel.example/a", []),
    ],
)
def test_a_host_is_not_named_twice(site: str, url: str, hosts: list[str]) -> None:
    page = render("list.html", query=Query(), copies=[Copy("a", "t", url, site, None, "en")] * 12)
    assert re.findall('<span class="host">([^<]*)', page) == hosts


def test_the_foot_names_the_version_and_leads_to_the_same_results_as_json(crowd: Site) -> None:
    page = crowd.get("/?q=bridge&mode=head&limit=1").text
    assert f"dup-groups {version('dup-groups')}<" in page
    api = re.search(r'<a href="(/api[^"]*)" hx-boost="false"', page)
    assert api
    answer = crowd.get(html.unescape(api[1])).json
    assert (answer["query"]["text"], answer["query"]["mode"], answer["stories"]) == ("bridge", "head", 1)
    assert 'href="/api/groups/w00" hx-boost="false"' in crowd.get("/groups/w00?q=bridge").text
    assert 'href="/api/search" hx-boost="false"' in crowd.get("/nope").text


# -- paging


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/?q=harbour", "Page 1 of 3"),
        ("/?q=harbour&offset=10", "Page 2 of 3"),
        ("/?q=harbour&offset=20&limit=5", "Page 5 of 5"),
        ("/?q=harbour&mode=head", "Page 1 of 3"),
        ("/?q=harbour&mode=all&offset=20", "Page"),  # the last one, without links to others
    ],
)
def test_a_page_has_a_number(path: str, sentence: str) -> None:
    engine = SQLiteEngine()
    engine.put(many(25))
    with serving(engine) as site:
        assert (sentence in visible(site.get(path).text)) is (sentence != "Page")


def test_the_number_of_pages_is_that_of_what_can_be_reached() -> None:
    results = Results((), stories=50_000, documents=70_000)
    assert (pages(Query(offset=20), results).number, pages(Query(offset=20), results).count) == (3, 1000)
    assert pages(Query(mode="head"), results).count == 5000
    assert pages(Query(mode="all", limit=100), results).count == 700
    assert pages(Query(mode="all", cursor="x"), results).number is None
    assert pages(Query(limit=0), results).number is None


def test_an_estimated_number_of_pages_is_called_about() -> None:
    hits = tuple(Hit("g", Copy("g", "t", None, "s", None, "en"), 1) for _ in range(10))
    too_low = Results(hits, stories=19, documents=50, exact=False)
    assert "Page 2 of about 3" in shown(Query(offset=10), too_low)  # a full page means that there may be more
    documents = replace(too_low, cursor="x")  # an estimate only of stories
    assert "Page 1 of 5" in shown(Query(mode="all"), documents)
    assert "Page" not in visible(shown(Query(offset=500), Results((), stories=9, documents=9)))


@pytest.mark.parametrize("mode", get_args(SearchMode))
def test_the_next_links_lead_through_every_story_once(mode: str) -> None:
    engine = SQLiteEngine()
    engine.put(many(25))
    shown: list[str] = []
    with serving(engine) as site:
        path: str | None = f"/?q=harbour&mode={mode}"
        while path:
            page = site.get(path).text
            shown += re.findall(r"Harbour report (n\d+)", page)
            onward = re.search(r'href="([^"]*)" rel="next"', page)
            path = html.unescape(onward[1]) if onward else None
    assert len(shown) == 25
    assert len(set(shown)) == 25


def shown(query: Query, results: Results) -> str:
    return render("search.html", query=query, results=results)


LIMITED = st.builds(
    Query,
    mode=st.sampled_from(get_args(SearchMode)),
    limit=st.integers(1, 100),
    offset=st.integers(0, 9_900),
)


@given(LIMITED, st.integers(0, 30_000), st.booleans())
def test_every_page_that_is_offered_is_answered(query: Query, stories: int, exact: bool) -> None:
    left = max(0, stories - query.offset)
    hits = (Hit("g", Copy("g", "t", None, "s", None, "en"), 1),) * min(query.limit, left)
    cursor = None if query.mode == "collapse" else "x"
    around = pages(query, Results(hits, stories=stories, documents=stories, exact=exact, cursor=cursor))
    for offered in filter(None, (around.first, around.previous, around.next)):
        check_query(offered)
        assert from_parameters(dict(parse_qsl(page_url(offered)[2:]))) == offered


def test_the_previous_link_leads_back() -> None:
    results = Results((), stories=100, documents=100)
    assert pages(Query(text="a", offset=20), results).previous == Query(text="a", offset=10)
    assert pages(Query(offset=5), results).previous == Query()
    assert 'href="/?q=a&amp;offset=10" rel="prev"' in shown(Query(text="a", offset=20), results)
    assert pages(Query(), results).previous is None


def test_pages_end_at_the_window_and_say_where_to_go_on() -> None:
    hits = tuple(Hit("g", Copy("g", "t", None, "s", None, "en"), 1) for _ in range(10))
    results = Results(hits, stories=50_000, documents=50_000, exact=False)
    query = Query(text="a", offset=9_990)
    around = pages(query, results)
    assert around.next is None
    assert around.at_window
    assert "/?q=a&amp;mode=head" in shown(query, results)


def test_pages_end_with_the_counted_stories_and_say_where_to_go_on() -> None:
    hits = tuple(Hit("g", Copy("g", "t", None, "s", None, "en"), 1) for _ in range(10))
    results = Results(hits, stories=25, documents=12_000, exact=False, complete=False)
    assert "Page 1 of 3" in shown(Query(text="a"), results)
    assert pages(Query(text="a", offset=10), results).next == Query(text="a", offset=20)
    last = replace(results, hits=hits[:5])
    around = pages(Query(text="a", offset=20), last)
    assert (around.next, around.at_window) == (None, True)
    assert "/?q=a&amp;mode=head" in shown(Query(text="a", offset=20), last)


def test_an_estimate_does_not_end_the_pages() -> None:
    hits = tuple(Hit("g", Copy("g", "t", None, "s", None, "en"), 1) for _ in range(10))
    too_low = Results(hits, stories=9, documents=50, exact=False)
    assert pages(Query(), too_low).next == Query(offset=10)
    assert 'href="/?offset=10" rel="next"' in shown(Query(), too_low)
    assert pages(Query(), replace(too_low, exact=True)).next is None


# -- hostile input


def test_a_hostile_document_stays_text(site: Site) -> None:
    page = site.get("/?q=attack").text
    assert html.escape(HOSTILE_TITLE, quote=True) in page.replace("&#34;", "&quot;").replace(
        "&#39;", "&#x27;"
    )
    assert "script" not in tags(page)[tags(page).index("body") :]
    assert "javascript:" not in page


@given(HOSTILE)
def test_a_snippet_gives_only_balanced_marks(snippet: str) -> None:
    found = tags(highlighted(snippet))
    assert found == ["mark", "/mark"] * (len(found) // 2)


@given(HOSTILE)
def test_a_snippet_loses_nothing_but_its_markers(snippet: str) -> None:
    text = html.unescape(re.sub("</?mark>", "", highlighted(snippet)))
    assert text == re.sub("[\ue000\ue001]", "", snippet)


@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE.map("https://a.example/{}".format))
def test_no_field_of_a_hit_becomes_an_element(
    title: str, url: str, name: str, date: str, language: str, author: str, image: str
) -> None:
    def shown(copy: Copy) -> list[str]:
        hit = Hit(copy.site, copy, 2, (copy,))
        return tags(render("hit.html", query=Query(), hit=hit, pictures=True))

    harmless = Copy("a", "t", "https://example.org", "s", "2026-03-04", "en", "A. Lee", "https://a.example/")
    assert set(shown(Copy("a", title, url, name, date, language, author, image))) <= set(shown(harmless))


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
     "data:text/html,x", "vbscript:x", "//evil.example/", "/local", "https:", "http:///path", "https://[bad",
     "", None],
)  # fmt: skip
def test_only_web_addresses_become_links(url: str | None) -> None:
    assert web_address(url) is None
    assert host_of(url) == ""


def test_a_web_address_is_kept() -> None:
    assert web_address("https://www.example.org/a?b#c") == "https://www.example.org/a?b#c"
    assert host_of("https://www.example.org/a") == "example.org"


def test_every_answer_carries_the_headers(site: Site) -> None:
    for path in ("/", "/?mode=none", "/nope", "/groups/a1", "/api/search", "/healthz", "/static/style.css"):
        headers = site.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_pages_hold_neither_inline_scripts_nor_inline_styles(site: Site) -> None:
    for path in ("/?q=ferry", "/groups/a1", "/nope"):
        for tag, attributes in Elements(site.get(path).text).found:
            assert tag != "style"
            assert tag != "script" or (attributes["src"] or "").startswith("/static/")
            assert not [name for name in attributes if name == "style" or re.fullmatch(r"(?:hx-)?on.*", name)]


def test_only_known_hosts_are_answered() -> None:
    with serving(SQLiteEngine(), hosts=("localhost", "127.0.0.1", "::1")) as site:
        for host in ("localhost", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST:80"):
            assert site.get("/healthz", {"Host": host}).status == 200, host
        for host in ("rebound.example", "localhost.evil.example", "[::2]", ""):
            assert site.get("/healthz", {"Host": host}).status == 400, host


# -- errors


@pytest.mark.parametrize(
    "path",
    [*(f"/?mode={mode}&cursor={quote(to_cursor(values))}" for mode in ("head", "all") for values in FORGED),
     "/?mode=best", "/?offset=-1", "/?offset=x", "/?limit=1e3", "/?limit=1000", "/?offset=10000",
     "/?cursor=zzz&mode=head",
     "/?offset=%D9%A3", "/?offset=" + "9" * 5000, "/?cursor=x", "/?q=" + "a" * 501,
     "/?any_word=2", "/?any_word=true"],
)  # fmt: skip
def test_a_query_that_cannot_be_is_refused_in_a_sentence(site: Site, path: str) -> None:
    page = site.get(path)
    assert page.status == 400
    assert 'role="alert"' in page.text
    answer = site.get("/api/search" + path[1:])
    assert answer.status == 400
    assert list(answer.json) == ["error"]


def test_an_engine_that_is_gone_is_a_503_and_the_search_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'news.db'}")
    engine.close()
    with serving(engine) as site:
        page = site.get("/?q=ferry")
        assert page.status == 503
        assert "The index does not answer" in page.text
        assert 'value="ferry"' in page.text
        assert site.get("/healthz").status == 503
        assert "server log" in site.get("/api/groups/a1").json["error"]
    assert str(tmp_path) not in page.text  # what it says of itself is for the log
    assert f"{engine.name}: it is already closed" in caplog.text


def test_what_is_not_there_is_a_404(site: Site) -> None:
    assert site.get("/nope").status == 404
    assert "There is no such story" in site.get("/groups/nope").text
    assert site.get("/api/groups/nope").status == 404


class Broken(SQLiteEngine):
    """An engine with a bug."""

    def search(self, query: Query) -> Results:
        raise ZeroDivisionError("secret detail")


@pytest.mark.parametrize(
    "path", ["/", "/groups/a1", "/api/search", "/api/groups/a1", "/healthz", "/static/style.css"]
)
def test_another_method_is_answered_with_those_that_are_allowed(site: Site, path: str) -> None:
    answer = site.get(path, method="DELETE")
    assert answer.status == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_a_bug_shows_no_details() -> None:
    with serving(Broken()) as site:
        page = site.get("/")
        assert page.status == 500
        assert "secret" not in page.text
        assert "default-src 'self'" in page.headers["content-security-policy"]


class Slow(SQLiteEngine):
    """An engine whose searches wait until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go = threading.Event(), threading.Event()

    def search(self, query: Query) -> Results:
        self.asked.set()
        assert self.go.wait(30)
        return super().search(query)


def test_a_slow_search_holds_up_nobody_else() -> None:
    engine = Slow()
    with serving(engine) as site:
        waiting = threading.Thread(target=site.get, args=("/",))
        waiting.start()
        assert engine.asked.wait(30)
        assert site.get("/healthz").status == 200
        engine.go.set()
        waiting.join()


# -- the JSON API


def test_the_api_gives_what_the_page_shows(site: Site) -> None:
    answer = site.get("/api/search?q=ferry&limit=1&copies=10").json
    assert (answer["stories"], answer["documents"], answer["exact"], answer["cursor"]) == (2, 6, True, None)
    [hit] = answer["hits"]
    assert (hit["group"], hit["size"], len(hit["copies"]), len(hit["sources"])) == ("a1", 5, 4, 4)
    assert (hit["sites"], hit["more_sites"]) == (5, 0)
    assert "\ue000ferry\ue001" in hit["snippet"]
    assert answer["facets"]["language"] == [{"value": "en", "count": 2}]
    assert answer["query"]["text"] == "ferry"
    credited = {(copy["author"], copy["image"]) for copy in (hit["shown"], *hit["copies"])}
    assert credited == {("", None), ("Jo Brandt, 李明", PICTURE)}


def test_the_api_names_the_parameters_that_it_takes(site: Site) -> None:
    answer = site.get("/api/search?q=ferry&langauge=en")
    assert answer.status == 400
    known = "q, mode, limit, offset, copies, language, site, author, cursor, any_word, since, until, sort"
    sentence = f"unknown parameter 'langauge' (did you mean 'language'?); known: {known}"
    assert answer.json == {"error": sentence}
    assert site.get("/api/search?" + urlencode(dict.fromkeys(known.split(", "), ""))).status == 200
    assert "unknown parameter 'text'" in site.get("/api/search?text=ferry").json["error"]
    assert site.get("/api/groups/a1?q=ferry").json == {
        "error": "unknown parameter 'q'; this address takes none"
    }
    assert site.get("/?q=ferry&utm_source=x").status == 200


def test_the_api_pages_by_cursor(site: Site) -> None:
    first = site.get("/api/search?mode=all&limit=6").json
    second = site.get("/api/search?" + urlencode({"mode": "all", "limit": 6, "cursor": first["cursor"]})).json
    ids = [hit["shown"]["id"] for hit in first["hits"] + second["hits"]]
    assert sorted(ids) == sorted(story.record.id for story in stories())
    assert second["cursor"] is None


# -- URLs and words

QUERIES = st.builds(
    Query,
    text=TEXT.map(str.strip).filter(lambda text: len(text) <= 100),
    mode=st.sampled_from(get_args(SearchMode)),
    limit=st.integers(0, 100),
    offset=st.integers(0, 10_000),
    copies=st.integers(0, 100),
    language=st.none() | TEXT.filter(bool),
    site=st.none() | TEXT.filter(bool),
    author=st.none() | TEXT.filter(bool),
    cursor=st.none() | TEXT.filter(bool),
    any_word=st.booleans(),
    since=st.none() | TEXT.filter(bool),
    until=st.none() | TEXT.filter(bool),
    sort=st.sampled_from(get_args(Sort)),
)


@given(QUERIES)
def test_a_query_survives_its_url(query: Query) -> None:
    assert from_parameters(kept(query)) == query


def test_parameters_of_others_are_passed_over() -> None:
    assert from_parameters({"utm_source": "x", "limit": ""}) == Query()
    with pytest.raises(InputError, match="mode"):
        from_parameters({"mode": "x"})


def test_a_changed_search_starts_at_its_first_page() -> None:
    query = Query(text="a b", offset=30, language="en")
    assert search_url(query, language=None) == "/?q=a+b"
    assert search_url(Query(mode="head", cursor="x"), site="S & T") == "/?mode=head&site=S+%26+T"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("2026-03-04", "4 March 2026"),
        ("2026-03-04T10:00:00Z", "4 March 2026"),
        ("soon", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_a_date_is_shown_as_a_day(value: str | None, shown: str) -> None:
    assert day(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("2026-03-04", "4 March 2026"),
        ("2026-03-04T10:05:00", "4 March 2026, 10:05"),
        ("2026-03-04T10:05:00Z", "4 March 2026, 10:05 UTC"),
        ("2026-03-04T10:05:00.123+00:00", "4 March 2026, 10:05 UTC"),
        ("2026-03-04T10:05+02:00", "4 March 2026, 10:05 +02:00"),
        ("2026-03-04Tnoon", "4 March 2026"),
        ("99T10:05:00", ""),
        (None, ""),
    ],
)
def test_a_moment_is_a_day_with_its_time(value: str | None, shown: str) -> None:
    assert moment(value) == shown


def test_an_instant_outside_of_the_calendar_is_none() -> None:
    assert instant(1_772_618_700_000_000) == "2026-03-04T10:05:00Z"
    assert [instant(far) for far in (2**63 - 1, -(2**63), -(10**17) * 7)] == [None] * 3
