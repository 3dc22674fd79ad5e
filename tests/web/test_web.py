"""The search page over HTTP: what it shows, counts and refuses, and that nothing hostile gets out."""

import html
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import Site, serving, serving_documents
from browser.stories import PICTURE, bare, document, stories, widespread
from dupgroups.engines import open_engine
from dupgroups.engines.paging import pages
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Copy, Document, Hit, Query, Results
from dupgroups.presentation.date_formats import day, moment
from dupgroups.web.parameters import changed_parameters, from_parameters, group_url, host_of, web_address
from dupgroups.web.render import highlight, render
from watched import Watched

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
    """A story with twelve copies on one site and one on twenty-one others; and a document without a site."""
    with serving_documents([*widespread(), bare()]) as site:
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


SHOWN = {
    "/?q=ferry": "2 stories in 6 documents for “ferry”",
    "/?mode=head": "5 stories",
    "/?author=李明": "2 stories in 2 documents",
    "/?q=feryr": "Nothing found Did you mean: ferry",
    "/?q=unheardof": "Every word must occur in the title or the text: try fewer words",
    "/?q=unheardof&any_word=1": "One word must occur in the title or the text: try other words",
    "/?language=xx": "Search in every language, on every site, by every author",
    "/?offset=500": "No more results",
}


@pytest.mark.parametrize(("path", "sentence"), SHOWN.items())
def test_a_page_says_what_was_found_or_what_to_do(site: Site, path: str, sentence: str) -> None:
    page = site.get(quote(path, safe="/?&=")).text
    assert sentence in visible(page)
    found = re.match(r"\d+", sentence)
    assert page.count("<article") == (int(found[0]) if found else 0)


def test_two_hosts_of_one_name_are_told_apart_and_one_language_is_not_said() -> None:
    twins = [
        document("a1", "a1", "The Post", "Fog", "Fog.", url="https://one.example/a"),
        replace_host(document("b1", "b1", "The Post", "Sun", "Sun."), "two.example"),
    ]
    with serving_documents(twins) as site:
        page = visible(site.get("/").text)
    assert "The Post the-post.example 1 The Post two.example 1" in page
    assert "English" not in page


def replace_host(story: Document, host: str) -> Document:
    return replace(story, record=replace(story.record, host=host))


def test_a_headline_leads_to_the_story_and_a_site_to_its_page(site: Site) -> None:
    [hit] = re.findall(r"(?s)<article.*?</article>", site.get("/?q=collide").text)
    found = [given for tag, given in Elements(hit).found if tag == "a"]
    assert found[0]["href"] == "https://the-ashvale-post.example/news/a2.html"
    assert found[1]["href"] == "/groups/a1?q=collide"
    assert 'hx-vals=\'{"without": "a2"}\'' in hit


def test_a_hit_names_other_sites_not_copies_and_marks_the_words(site: Site, crowd: Site) -> None:
    page = site.get("/?q=ferry").text
    assert re.search(r"Also from: (?:[^,]+, ){2}[A-Z][\w ]+ and 1 more 4 other copies", visible(page))
    assert "<mark>ferry</mark>" in page
    page = visible(crowd.get("/?q=bridge&site=Paper+00").text)
    assert "Also from: Kessel Herald and 20 more 32 other copies" in page  # 33 on 22 sites
    assert "Also from 21 other sites 32 other copies" in visible(crowd.get("/?q=bridge&mode=head").text)


def test_filters_are_links_and_are_taken_off_again(site: Site) -> None:
    page = site.get("/").text
    assert 'href="/?language=zh"><span><bdi>中文</bdi></span> <span class="count">1</span>' in page
    assert 'class="host"' not in page  # a name says enough
    narrowed = site.get("/?language=zh&author=" + quote("李明")).text
    assert 'class="chosen" href="/?language=zh"' in narrowed
    assert '<input type="hidden" name="author" value="李明">' in narrowed
    jo = '<a href="/?q=collision&amp;author=Jo+Brandt" title="Only this author"><bdi>Jo Brandt</bdi></a>, <a '
    assert jo in site.get("/?q=collision&author=" + quote("李明")).text


# -- a story on many sites, and many times on one


def test_htmx_gets_the_bare_list_of_the_other_copies(crowd: Site) -> None:
    part = crowd.get("/groups/w00?without=w00", {"HX-Request": "true"})
    assert "HX-Request" in part.headers["vary"]
    assert tags(part.text)[0] == "ul"
    assert part.text.count("<li ") == 32
    assert "Kessel Herald ↗ 4 March 2026, 01:05 UTC Bridge closed after storm" in visible(part.text)
    links = [given["href"] or "" for tag, given in Elements(part.text).found if tag == "a"]
    assert not any("update-0." in link for link in links), "the copy that is shown already"
    assert tags(crowd.get("/groups/w00", {"HX-Request": "true", "HX-Boosted": "true"}).text)[0] == "html"


def test_the_page_of_a_story_has_a_row_for_every_copy_and_says_first_only_of_its_publication(
    crowd: Site,
) -> None:
    page = crowd.get("/groups/w00?q=bridge").text
    text = visible(page)
    assert "33 copies on 22 sites, in the index since 4 March 2026, 10:05 UTC" in text
    assert 'href="/?q=bridge">← Back to the results</a>' in page
    rows = [visible(row) for row in page.split('<tr id="copy-')[1:]]
    assert len(rows) == 33
    for hour in range(12):
        main = " main" if hour == 0 else ""
        shown = f"{hour + 1} Kessel Herald{main} Bridge closed after storm 4 Mar 2026, {hour:02}:05 UTC"
        assert shown in rows[hour]
        assert f"Id w{hour:02} https://kessel-herald.example/storm/update-{hour}.html" in rows[hour]
    assert '<link rel="canonical" href="/groups/w00">' in page
    assert "The main copy is that of Kessel Herald: it was found" in text
    assert "it was found 20 minutes before the next one." in text
    assert len(re.findall(r"\bfirst\b(?! 12)", text, re.IGNORECASE)) == 1, text


def test_a_huge_story_lists_the_first_copies_and_says_so() -> None:
    """Its head may be beyond these."""
    copies = [document(f"n{at:05}", "n00000", "Halvern Wire", "Report", "Calm today.") for at in range(203)]
    with closing(SQLiteEngine()) as engine:
        engine.put(copies, heads={"n00000": "n00202"})
        with serving(engine) as site:
            text = visible(site.get("/groups/n00000").text)
            part = site.get("/groups/n00000", {"HX-Request": "true"}).text
            told = site.get("/api/groups/n00000").json
    assert "More than 200 copies on at least 1 site" in text
    assert "The main copy is that of Halvern Wire." in text
    assert "Only the first 200 copies are listed." in part
    assert (len(told["copies"]), told["head"]) == (200, "n00202")


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
        (Query("a", offset=20), replace(UNCOUNTED, hits=TEN[:5]), "Page 3 of 3", "window"),
        (Query("a", mode="all"), replace(LOW, cursor="x"), "Page 1 of 5", "x"),  # only stories are estimated
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


# -- hostile input


@given(HOSTILE)
def test_a_snippet_gives_only_balanced_marks_and_loses_nothing_but_its_markers(snippet: str) -> None:
    found = tags(highlight(snippet))
    assert found == ["mark", "/mark"] * (len(found) // 2)
    text = html.unescape(re.sub("</?mark>", "", highlight(snippet)))
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


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("/?q=ferry", 200), ("/?mode=none", 400), ("/nope", 404), ("/groups/a1", 200)),
        *(("/groups/nope", 404), ("/api/groups/nope", 404), ("/healthz", 200), ("/static/style.css", 200)),
    ],
)
def test_every_answer_carries_the_headers_and_neither_inline_scripts_nor_styles(
    site: Site, path: str, status: int
) -> None:
    answer = site.get(path)
    assert answer.status == status
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
    ["mode=head&cursor=zzz", "mode=best", "sort=best", "offset=x", "offset=%D9%A3", "offset=" + "9" * 5000,
     "limit=1000", "q=" + "a" * 501, "any_word=true", "since=x"],
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


def test_a_bug_shows_no_details() -> None:
    def broken(query: Query) -> Results:
        raise ZeroDivisionError("secret detail")

    with closing(SQLiteEngine()) as engine, serving(Watched(engine, search=broken)) as site:  # type: ignore[arg-type]
        page = site.get("/")
    assert page.status == 500
    assert "secret" not in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]


# -- the JSON API


def test_the_api_gives_what_the_page_shows(site: Site) -> None:
    answer = site.get("/api/search?q=ferry&limit=1&copies=10").json
    assert (answer["stories"], answer["documents"], answer["exact"], answer["cursor"]) == (2, 6, True, None)
    [hit] = answer["hits"]
    assert (hit["group"], hit["size"], len(hit["copies"]), len(hit["sources"])) == ("a1", 5, 4, 4)
    assert (hit["sites"], hit["more_sites"]) == (5, 0)
    assert "\ue000ferry\ue001" in hit["snippet"]
    assert answer["facets"]["language"] == [{"value": "en", "count": 2, "name": ""}]
    credited = {(copy["author"], copy["image"]) for copy in (hit["shown"], *hit["copies"])}
    assert credited == {("", None), ("Jo Brandt, 李明", PICTURE)}


def test_the_api_names_the_parameters_that_it_takes(site: Site) -> None:
    answer = site.get("/api/search?q=ferry&langauge=en")
    assert answer.status == 400
    known = (
        "q, mode, limit, offset, copies, language, site, author, cursor, any_word, since, until, sort, format"
    )
    sentence = f"unknown parameter 'langauge' (did you mean 'language'?); known: {known}"
    assert answer.json == {"error": sentence}
    assert site.get("/api/search?" + urlencode(dict.fromkeys(known.split(", "), ""))).status == 200
    assert site.get("/?q=ferry&utm_source=x").status == 200


# -- URLs and words


def test_a_query_survives_its_url() -> None:
    narrowed = Query("a b", "all", 5, 30, 2, language="zh", site="S & T", author="李明", sort="date")
    paged = Query("a", mode="head", cursor="x=&", any_word=True, since="2026-01-01", until="2026-02-01")
    for query in (Query(), narrowed, paged):
        assert from_parameters(changed_parameters(query)) == query


def test_a_moment_is_a_day_with_its_time() -> None:
    given = ("2026-03-04", "2026-03-04T10:05+02:00", "soon", None)
    assert [day(value) for value in given] == ["4 March 2026", "4 March 2026", "", ""]
    assert [moment(value) for value in given] == ["4 March 2026", "4 March 2026, 10:05 +02:00", "", ""]
