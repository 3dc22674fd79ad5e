"""The search page over HTTP: what it shows, counts and refuses, and that nothing hostile gets out."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import Site, serving, serving_documents
from browser.stories import HOSTILE_TITLE, PICTURE, document, many, odd, stories, widespread
from dupgroups.engines import open_engine
from dupgroups.engines.common import check_query, to_cursor
from dupgroups.engines.paging import pages
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Copy, Hit, Query, Results, SearchMode, Sort
from dupgroups.web.addresses import host_of, web_address
from dupgroups.web.dates import day, moment
from dupgroups.web.parameters import from_parameters, group_url, kept, page_url, search_url
from dupgroups.web.render import highlighted, render
from dupgroups.web.story import read_story

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
MARKUP = ["<", ">", '"', "'", "&", "\ue000", "\ue001", "<script>", "</mark>", "javascript:", "a", "\0"]
HOSTILE = st.lists(st.sampled_from(MARKUP)).map("".join) | TEXT
TEN = tuple(Hit("g", Copy("g", "t", None, "s", None, "en"), 1) for _ in range(10))


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """The search page over the ten documents of `stories`."""
    with serving_documents(stories()) as site:
        yield site


@pytest.fixture(scope="module")
def crowd() -> Iterator[Site]:
    """A story with twelve copies on one site and one on twenty-one others; and odd documents."""
    with serving_documents([*widespread(), *odd()]) as site:
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


def shown(query: Query, results: Results) -> str:
    return render("search.html", query=query, results=results)


# -- what the page shows


EMPTY = "Search in every language, on every site, by every author"
SHOWN = {
    "a story is one hit, and its copies are counted": ("/?q=ferry", "2 stories in 6 documents for “ferry”"),
    "head mode counts stories": ("/?mode=head", "5 stories"),
    "words are found in their language": ("/?q=春茶", "1 story in 2 documents for “春茶”"),
    "an author is a filter": ("/?author=李明", "2 stories in 2 documents"),
    "fewer words find more": (
        "/?q=unheardof",
        "Every word must occur in the title or the text: try fewer words",
    ),
    "other words": (
        "/?q=unheardof&any_word=1",
        "One word must occur in the title or the text: try other words",
    ),
    "fewer filters find more": ("/?language=xx", EMPTY),
    "the end": ("/?offset=500", "No more results"),
}


@pytest.mark.parametrize(("path", "sentence"), SHOWN.values(), ids=SHOWN)
def test_a_page_says_what_was_found_or_what_to_do(site: Site, path: str, sentence: str) -> None:
    page = site.get(quote(path, safe="/?&=")).text
    assert sentence in visible(page)
    found = re.match(r"\d+", sentence)
    assert page.count("<article") == (int(found[0]) if found else 0)


def test_a_hit_names_other_sites_and_marks_the_words(site: Site) -> None:
    page = site.get("/?q=ferry").text
    assert re.search(r"Also from: (?:[^,]+, ){2}[A-Z][\w ]+ and 1 more 5 copies", visible(page))
    assert "<mark>ferry</mark>" in page


@pytest.mark.parametrize(
    ("mode", "all_sorted", "total"),
    [
        ("collapse", True, "at least 7,800 stories in 12,000 documents"),
        ("collapse", False, "at least 7,800 stories in more than 12,000 documents"),
        ("all", True, "12,000 documents in at least 7,800 stories"),
        ("head", True, "7,800 stories"),
    ],
)
def test_what_was_not_counted_or_sorted_is_said(mode: SearchMode, all_sorted: bool, total: str) -> None:
    results = Results((), 7_800, 12_000, exact=mode == "head", complete=False, all_sorted=all_sorted)
    page = shown(Query(mode=mode), results)
    assert f'role="status">{total}<' in page
    assert "Sites, languages and dates are those of the first 10,000 documents." in page
    assert ("Only the 10,000 documents that were stored last are sorted." in page) != all_sorted


def test_filters_are_links_and_are_taken_off_again(site: Site) -> None:
    page = site.get("/").text
    assert 'href="/?language=zh"><bdi>中文</bdi> <span class="count">1</span>' in page
    narrowed = site.get("/?language=zh&author=" + quote("李明")).text
    assert 'class="chosen" href="/?language=zh"' in narrowed
    assert '<input type="hidden" name="author" value="李明">' in narrowed
    jo = '<a href="/?q=collision&amp;author=Jo+Brandt" title="Only this author"><bdi>Jo Brandt</bdi></a>, <a '
    assert jo in site.get("/?q=collision").text


def test_an_empty_page_offers_the_stories_with_any_of_the_words(site: Site) -> None:
    page = site.get("/?q=clock+unheardof+" + quote("春茶")).text
    link = re.search(r'<a href="([^"]*)">Show 2 stories with any of these words</a>', page)
    assert link
    loose = site.get(html.unescape(link[1])).text
    assert "2 stories in 3 documents with any word of “" in loose
    assert "any_word=1" in html.unescape(loose)  # the filters beside the hits go on with it
    assert 'name="any_word"' not in loose  # a new search asks for every word again


# -- a story on many sites, and many times on one


def test_also_from_counts_sites_not_copies(crowd: Site) -> None:
    page = visible(crowd.get("/?q=bridge&site=Paper+00").text)
    assert "Also from: Kessel Herald and 20 more 33 copies" in page  # 33 copies on 22 sites
    assert "Also from 21 other sites 33 copies" in visible(crowd.get("/?q=bridge&mode=head").text)
    with serving_documents(widespread()[:12]) as site:
        assert "Published more than once on this site 12 copies" in visible(site.get("/").text)


def test_htmx_gets_the_bare_list_with_the_copies_of_a_site_on_one_line(crowd: Site) -> None:
    part = crowd.get("/groups/w00", {"HX-Request": "true"})
    assert "HX-Request" in part.headers["vary"]
    assert tags(part.text)[0] == "ul"
    assert part.text.count("<li>") == 22
    assert part.text.count("kessel-herald.example</span>") == 1
    assert re.search(r"4 March 2026, 00:05 UTC 4 March 2026, 01:05 UTC .*11:05 UTC", visible(part.text))
    links = [given["href"] or "" for tag, given in Elements(part.text).found if tag == "a"]
    assert sum("update" in link for link in links) == 13  # the title, and each of the twelve copies
    assert tags(crowd.get("/groups/w00", {"HX-Request": "true", "HX-Boosted": "true"}).text)[0] == "html"


def test_the_page_of_a_story_lists_every_copy_by_site_with_time_and_path(crowd: Site) -> None:
    page = crowd.get("/groups/w00?q=bridge").text
    text = visible(page)
    assert "33 copies on 22 sites, first seen 4 March 2026, 10:05 UTC" in text
    assert 'href="/?q=bridge">← Back to the results</a>' in page
    assert page.count("kessel-herald.example</span>") == 1  # the host once, and the path of each copy
    for hour in range(12):
        assert f"4 March 2026, {hour:02}:05 UTC /storm/update-{hour}.html seen 4 March 2026, " in text
    assert page.count("<h2><bdi>Paper ") == 21
    assert '<link rel="canonical" href="/groups/w00">' in page
    assert "named after the copy of Kessel Herald: it was seen first, 20 minutes before the next one." in text
    assert text.count("First copy ") == text.count("First copy 4 March 2026, 00:05 UTC") == 1


@pytest.mark.parametrize(
    ("ages", "reason"),
    [
        ([5, 5, 9], "of the copies that were seen first, its id comes first"),
        ([5, 4], "it was the first copy when the story got its name"),
        ([0, 90_000_000], "it was seen first, 1 minute before the next one"),
    ],
)
def test_the_reason_is_true_for_every_order(ages: list[int], reason: str) -> None:
    """The head is "a0"; the members were first seen at `ages`, in microseconds."""
    engine = SQLiteEngine()
    made = [document(f"a{n}", "a0", "Halvern Wire", "t", "x") for n in range(len(ages))]
    seen = zip(made, ages, strict=True)
    engine.put([replace(one, record=replace(one.record, first_seen=age)) for one, age in seen])
    found = read_story(engine, "a0")
    assert found
    assert found.reason == reason


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
    with serving_documents(
        replace(made, record=replace(made.record, group="n00000")) for made in many(stored)
    ) as site:
        page = site.get("/groups/n00000").text
        assert ("More than 200 copies on at least 1 site" in visible(page)) is more
        assert ("Only the first 200 copies are listed." in page) is more
        part = site.get("/groups/n00000", {"HX-Request": "true"}).text
        assert ("Only the first 200 copies are listed." in part) is more
        assert len(site.get("/api/groups/n00000").json["copies"]) == 200


def test_a_former_name_redirects_to_the_story_and_is_listed_there() -> None:
    odd_name = "x/y?z#%2F'\"<"
    odd_story = document(odd_name, odd_name, "Halvern Wire", "Odd", "A text")
    with serving_documents([*stories(), odd_story], moves={"d1": "a1", odd_name: "a1"}) as site:
        page = site.get("/groups/a1?q=ferry").text
        for name in ("d1", odd_name):
            moved = site.get(group_url(name, Query(text="ferry")))
            assert (moved.status, moved.headers["location"]) == (307, "/groups/a1?q=ferry")
            assert site.get(group_url(name, Query()), {"HX-Request": "true"}).status == 307
            assert f'href="{html.escape(group_url(name, Query(text="ferry")))}"' in page
        assert "Former names" not in site.get("/groups/b1").text
        answer = site.get("/api/groups/d1").json
        assert (answer["group"], answer["former_names"]) == ("a1", ["d1", odd_name])
        assert answer["copies"][0]["first_seen"].startswith("1970-01-01T00:")


# -- paging


LOW = Results(TEN, 19, 50, exact=False)  # an estimate: a full page means that there may be more
UNCOUNTED = Results(TEN, 25, 12_000, exact=False, complete=False)


@pytest.mark.parametrize(
    ("query", "results", "place", "following"),
    [
        (Query("a"), Results(TEN, 25, 25), "Page 1 of 3", 10),
        (Query("a", offset=10), LOW, "Page 2 of about 3", 20),
        (Query("a", offset=9_980), Results(TEN, 50_000, 50_000), "Page 999 of 1,000", 9_990),
        (Query("a", offset=9_990), Results(TEN, 50_000, 50_000), "Page 1,000 of 1,000", "window"),
        (Query("a", offset=20), replace(UNCOUNTED, hits=TEN[:5]), "Page 3 of 3", "window"),
        (Query("a", mode="all"), replace(LOW, cursor="x"), "Page 1 of 5", "x"),  # only stories are estimated
        (Query("a", mode="head", cursor="x"), replace(LOW, cursor="y"), "", "y"),
        (Query("a", offset=500), Results((), 9, 9), "", None),
    ],
)
def test_a_page_says_where_it_is_and_what_follows(
    query: Query, results: Results, place: str, following: int | str | None
) -> None:
    around, page = pages(query, results), shown(query, results)
    assert place in visible(page) if place else "Page" not in visible(page)
    onward = around.next and (around.next.cursor or around.next.offset)
    assert onward == (None if following == "window" else following)
    assert ('rel="next"' in page) == (onward is not None)
    assert around.at_window == (following == "window")
    assert 'href="/?q=a&amp;mode=head"' in page or not around.at_window


MODES = st.sampled_from(get_args(SearchMode))
LIMITED = st.builds(Query, mode=MODES, limit=st.integers(1, 100), offset=st.integers(0, 9_900))


@given(LIMITED, st.integers(0, 30_000), st.booleans())
def test_every_page_that_is_offered_is_answered(query: Query, stories: int, exact: bool) -> None:
    hits = (TEN[0],) * min(query.limit, max(0, stories - query.offset))
    cursor = None if query.mode == "collapse" else "x"
    around = pages(query, Results(hits, stories=stories, documents=stories, exact=exact, cursor=cursor))
    for offered in filter(None, (around.first, around.previous, around.next)):
        check_query(offered)
        assert from_parameters(dict(parse_qsl(page_url(offered)[2:]))) == offered


# -- hostile input


@pytest.mark.parametrize(("path", "harmless"), [("/?q=attack", "/?q=ferry"), ("/groups/c1", "/groups/a1")])
def test_a_hostile_document_stays_text(site: Site, path: str, harmless: str) -> None:
    page = site.get(path).text
    assert HOSTILE_TITLE in html.unescape(page)
    assert set(tags(page)) <= set(tags(site.get(harmless).text))
    assert "script" not in tags(page)[tags(page).index("body") :]
    assert "javascript:" not in page


@given(HOSTILE)
def test_a_snippet_gives_only_balanced_marks_and_loses_nothing_but_its_markers(snippet: str) -> None:
    found = tags(highlighted(snippet))
    assert found == ["mark", "/mark"] * (len(found) // 2)
    text = html.unescape(re.sub("</?mark>", "", highlighted(snippet)))
    assert text == re.sub("[\ue000\ue001]", "", snippet)


@given(st.tuples(*[HOSTILE] * 6), HOSTILE.map("https://a.example/{}".format))
def test_no_field_of_a_hit_becomes_an_element(fields: tuple[str, ...], image: str) -> None:
    def shown(copy: Copy) -> set[str]:
        hit = Hit(copy.site, copy, 2, (copy,))
        return set(tags(render("hit.html", query=Query(), hit=hit)))

    harmless = Copy("a", "t", "https://example.org", "s", "2026-03-04", "en", "A. Lee", "https://a.example/")
    assert shown(Copy("a", *fields, image)) <= shown(harmless)


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
     "data:text/html,x", "//evil.example/", "/local", "https:", "http:///path", "https://[bad", None],
)  # fmt: skip
def test_only_web_addresses_become_links(url: str | None) -> None:
    assert web_address(url) is None
    assert host_of(url) == ""
    assert web_address("https://www.example.org/a?b#c") == "https://www.example.org/a?b#c"
    assert host_of("https://www.example.org/a") == "example.org"


PATHS = ("/", "/?q=ferry", "/?mode=none", "/nope", "/groups/a1", "/explain", "/api/groups/a", "/healthz")


@pytest.mark.parametrize("path", [*PATHS, "/static/style.css"])
def test_every_answer_carries_the_headers_and_neither_inline_scripts_nor_styles(
    site: Site, path: str
) -> None:
    answer = site.get(path)
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    for tag, attributes in Elements(answer.text).found:
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
    "query",
    ["mode=all&cursor=" + quote(to_cursor([1, [[]], 1, ""])), "mode=head&cursor=zzz", "cursor=x",
     "mode=best", "sort=best", "offset=-1", "offset=x", "offset=10000", "offset=%D9%A3",
     "offset=" + "9" * 5000, "limit=1e3", "limit=1000", "q=" + "a" * 501, "any_word=true",
     "since=x", "until=2026-02-30", "since=2026-02-02&until=2026-02-01"],
)  # fmt: skip
def test_a_query_that_cannot_be_is_refused_in_a_sentence(site: Site, query: str) -> None:
    page, answer = site.get(f"/?{query}"), site.get(f"/api/search?{query}")
    assert (page.status, answer.status) == (400, 400)
    assert 'role="alert"' in page.text
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
    credited = {(copy["author"], copy["image"]) for copy in (hit["shown"], *hit["copies"])}
    assert credited == {("", None), ("Jo Brandt, 李明", PICTURE)}


def test_the_api_names_the_parameters_that_it_takes(site: Site) -> None:
    answer = site.get("/api/search?q=ferry&langauge=en")
    assert answer.status == 400
    known = "q, mode, limit, offset, copies, language, site, author, cursor, any_word, since, until, sort"
    sentence = f"unknown parameter 'langauge' (did you mean 'language'?); known: {known}"
    assert answer.json == {"error": sentence}
    assert site.get("/api/search?" + urlencode(dict.fromkeys(known.split(", "), ""))).status == 200
    sentence = "unknown parameter 'q'; this address takes none"
    assert site.get("/api/groups/a1?q=ferry").json == {"error": sentence}
    assert site.get("/?q=ferry&utm_source=x").status == 200


# -- URLs and words

WORD = st.none() | TEXT.filter(bool)
QUERIES = st.builds(
    Query,
    text=TEXT.map(str.strip).filter(lambda text: len(text) <= 100),
    mode=MODES,
    limit=st.integers(0, 100),
    offset=st.integers(0, 10_000),
    copies=st.integers(0, 100),
    any_word=st.booleans(),
    sort=st.sampled_from(get_args(Sort)),
    **dict.fromkeys(("language", "site", "author", "cursor", "since", "until"), WORD),
)


@given(QUERIES)
def test_a_query_survives_its_url(query: Query) -> None:
    assert from_parameters(kept(query)) == query


def test_a_changed_search_starts_at_its_first_page() -> None:
    query = Query(text="a b", offset=30, language="en")
    assert search_url(query, language=None) == "/?q=a+b"
    assert search_url(Query(mode="head", cursor="x"), site="S & T") == "/?mode=head&site=S+%26+T"


@pytest.mark.parametrize(
    ("value", "date", "time"),
    [
        ("2026-03-04", "4 March 2026", ""),
        ("2026-03-04T10:05+02:00", "4 March 2026", ", 10:05 +02:00"),
        ("soon", "", ""),
        (None, "", ""),
    ],
)
def test_a_moment_is_a_day_with_its_time(value: str | None, date: str, time: str) -> None:
    assert day(value) == date
    assert moment(value) == date + time
