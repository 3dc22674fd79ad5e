"""The contract of `Engine.search`, on every engine."""

from contextlib import suppress
from itertools import product

import pytest

from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.model import Facet, Query, Results, SearchMode
from engines.documents import document, found, search

MODES: tuple[SearchMode, ...] = ("collapse", "head", "all")


def shown(results: Results) -> list[tuple[str, int]]:
    return [(hit.shown.id, hit.size) for hit in results.hits]


@pytest.fixture
def newsroom(engine: Engine) -> Engine:
    """Two stories about a flood (three and one copies), one about a fire."""
    rows = [  # id, group, title, text, site, language
        ("a1", "a1", "Flood in the valley", "Water rose.", "Alpha", "en"),
        ("a2", "a1", "Water", "The flood came at night.", "Beta", "en"),
        ("a3", "a1", "Flut", "Die Flut, the flood.", "Gamma", "de"),
        ("b1", "b1", "River", "A flood of letters reached us.", "Beta", "en"),
        ("c1", "c1", "Fire", "Smoke over town.", None, "en"),
    ]
    fields = ("title", "text", "site", "language")
    for n, (id_, group, *values) in enumerate(rows, start=1):
        rest = dict(zip(fields, values, strict=True))
        host = f"{rest['site'] or 'delta'}.org".lower()
        engine.put([document(id_, group, seen=n, host=host, date=f"2026-01-0{n}", **rest)])  # type: ignore[arg-type]
    return engine


# -- modes


def test_what_each_mode_shows(newsroom: Engine) -> None:
    for mode, flood, night, documents in (
        ("collapse", "a1 b1", "a2", 4),  # whichever member it is that matches
        ("head", "a1 b1", "", 2),  # the oldest members only
        ("all", "a1 a2 a3 b1", "a2", 4),
    ):
        results = search(newsroom, "flood", mode=mode)
        assert sorted(shown(results)) == [(id_, 3 if id_[0] == "a" else 1) for id_ in flood.split()]
        assert (results.stories, results.documents, results.cursor) == (2, documents, None)
        assert results.exact or mode != "head"
        assert found(newsroom, "night", mode=mode) == night.split()
        none = search(newsroom, "flood", mode=mode, limit=0)
        assert (none.hits, none.stories, none.documents) == ((), 2, documents)
    assert found(newsroom, "Flut OR flood", mode="collapse") == ["a1", "b1"]  # though a3 fits best
    assert found(newsroom, "flood", mode="collapse", sort="date") == ["b1", "a3"]


def test_a_hit_brings_its_copies_oldest_first(newsroom: Engine) -> None:
    (hit,) = search(newsroom, "night").hits
    assert (hit.group, hit.shown.id, [copy.id for copy in hit.copies]) == ("a1", "a2", ["a1", "a3"])
    assert hit.sources == ("Alpha", "Gamma")
    assert [copy.id for copy in search(newsroom, "night", copies=1).hits[0].copies] == ["a1"]
    assert [copy.id for copy in search(newsroom, "valley", copies=1).hits[0].copies] == ["a2"]
    assert search(newsroom, "night", copies=0).hits[0].copies == ()
    (hit,) = search(newsroom, "flood", language="de").hits
    assert (hit.shown.id, hit.size, [copy.id for copy in hit.copies]) == ("a3", 3, ["a1", "a2"])


def test_a_hit_counts_the_sites_of_its_group_not_the_copies(engine: Engine) -> None:
    sites = ["Alpha", *["Beta"] * 12, *(f"site{n}" for n in range(20)), None, ""]
    hosts = {None: "delta.org"}  # a site without a name goes by its host; one has neither
    named = [(f"d{n:02}", n, site) for n, site in enumerate(sites)]
    engine.put([document(id_, "d00", seen=n, site=site, host=hosts.get(site, "")) for id_, n, site in named])
    (hit,) = search(engine, mode="head").hits
    assert (hit.size, hit.sites, hit.sources, hit.more_sites) == (35, 23, ("Beta",), 21)
    (hit,) = search(engine, mode="head", copies=100).hits
    assert (len(hit.sources), hit.more_sites) == (22, 0)


def test_a_word_that_no_document_has_is_like_one_that_some_have(newsroom: Engine) -> None:
    newsroom.refresh()
    alike = {
        "flodo": "flood",
        "flod": "flood",
        "lettres": "letters",
        "letrets": "letters",
        "valeyy": "valley",
    }
    others = dict.fromkeys(("flood", "lfood", "flo", "weather"))
    assert {word: newsroom.similar_word(word) for word in alike | others} == alike | others


# -- order


def test_newest_is_by_date_then_last_seen_then_id(engine: Engine) -> None:
    order = {
        "second": (1, "2026-03-01T08:00:00"),
        "day": (1, "2026-03-01"),
        "twin-a": (2, "2026-02-01"),
        "twin-b": (2, "2026-02-01"),
        "earlier-seen-later": (3, "2026-01-31"),
        "none-new": (9, None),
        "none-old": (1, None),
    }
    engine.put([document(id_, seen=seen, date=date) for id_, (seen, date) in reversed(order.items())])
    assert found(engine) == found(engine, " ", mode="head") == [*order]


def test_what_weighs_more(engine: Engine) -> None:
    """A word in the title, a rare word that is frequent here, and more of the words."""
    engine.put([document(f"other{n}", title="Nothing new", text="word " * 31) for n in range(9)])
    for query, options, better, worse in (
        ("flood", {}, ("Flood in town", "the rise of water"), ("Weather in town", "the flood of water")),
        ("flood word", {}, ("", "flood " * 10 + "word " * 21), ("", "flood " + "word " * 30)),
        ("flood storm", {"any_word": True}, ("", "flood storm word word"), ("", "flood word word word")),
    ):
        named = {"worse": worse, "z better": better}
        engine.put([document(id_, title=title, text=text) for id_, (title, text) in named.items()])
        assert found(engine, query, **options)[:2] == ["z better", "worse"]


# -- words


def test_every_word_must_be_there_in_title_or_text(newsroom: Engine) -> None:
    assert found(newsroom, "flood valley") == ["a1"]
    assert found(newsroom, "FLOOD, Night!") == ["a2"]
    assert found(newsroom, "flood smoke") == []
    assert found(newsroom, "floo") == []


def test_any_word_finds_what_has_one_of_the_words_and_obeys_every_filter(newsroom: Engine) -> None:
    for mode in MODES:
        results = search(newsroom, "smoke valley unheardof", mode=mode, any_word=True)
        assert sorted(shown(results)) == [("a1", 3), ("c1", 1)]
        assert (results.stories, results.documents) == (2, 2)
        assert {facet.value for facet in results.facets["site"]} == {"alpha.org", "delta.org"}
        assert search(newsroom, "smoke valley unheardof", mode=mode).hits == ()
        assert found(newsroom, "smoke valley", mode=mode, any_word=True, site="Alpha") == ["a1"]
        assert found(newsroom, "?!", mode=mode, any_word=True) == []


CHINESE = "北京大學昨日宣布，將與台灣的研究機構合作。"


def test_chinese_words_of_two_characters_in_either_script(engine: Engine) -> None:
    simplified = "北京大学昨日宣布，将与台湾的研究机构合作。"
    texts = {"hant": CHINESE, "hans": simplified, "no": "天气很好。"}
    engine.put([document(id_, text=text) for id_, text in texts.items()])
    for query in ("北京", "大学", "大學", "合作", "台灣", "台湾", "研究机构", "北京 合作"):
        assert sorted(found(engine, query)) == ["hans", "hant"], query


HOSTILE = [
    *"""" ' "flood flood" flood* AND -flood title:flood {flood} (flood) flood^3 +flood /flood/""".split(),
    *("flood NEAR/2 water", "flood OR", "NOT flood", "flood;DROP TABLE document", "[1 TO 2]", "\\", "%", "_"),
    *("flood\x00water", "flood\ud800", "\ue000flood\ue001", "<script>", "𠀀" * 50, "a" * 100_000),
    *("word " * 10_000, " ".join(f"w{n}" for n in range(10_000)), "洪水" * 5_000),
]


def test_hostile_queries_are_answered_or_refused_in_a_sentence(newsroom: Engine) -> None:
    newsroom.refresh()
    for mode, text in product(MODES, HOSTILE):
        with suppress(InputError):  # in a sentence: `tests/text/test_queries.py`
            newsroom.search(Query(text, mode=mode))
    assert found(newsroom, '"flood" valley*') == ["a1"]
    assert [found(newsroom, text) for text in ("?!", '""', "🙂", "\x00")] == [[]] * 4, "no word finds nothing"


def test_snippets_mark_the_words(engine: Engine) -> None:
    engine.put([document("en", text="The \ue000great\ue001 flood came."), document("zh", text=CHINESE)])
    assert search(engine, "FLOOD").hits[0].snippet == "The great \ue000flood\ue001 came."
    assert "\ue000台灣\ue001" in search(engine, "台湾").hits[0].snippet
    assert search(engine, mode="all").hits[0].snippet.startswith("The great flood")
    engine.put([document("form", text="It went under in a flood at sea.", language="en")])
    assert "\ue000flood\ue001" in search(engine, "flooding sea").hits[0].snippet


# -- filters and facets


def test_filters_are_exact(newsroom: Engine) -> None:
    assert found(newsroom, "flood", language="de") == found(newsroom, "flood", language="de-AT") == ["a3"]
    assert sorted(found(newsroom, "flood", site="Beta")) == ["a2", "b1"]
    assert sorted(found(newsroom, "flood", site="beta.org")) == ["a2", "b1"]
    assert found(newsroom, "flood", site="Beta", language="de") == []
    assert found(newsroom, site="beta") == []
    assert found(newsroom, language="d") == []
    assert found(newsroom, site="delta.org") == ["c1"]  # a site without a name goes by its host
    assert found(newsroom, "flood", site="Beta", mode="head") == ["b1"]


def test_an_author_is_found_by_a_whole_name(engine: Engine) -> None:
    authors = {"a": "A. Lee", "b": "A. Lee, 李明", "c": "A. Leeson", "d": "", "e": "李明"}
    engine.put([document(id_, author=author, text="flood") for id_, author in authors.items()])
    assert sorted(found(engine, author="A. Lee")) == ["a", "b"]
    assert sorted(found(engine, "flood", author="李明")) == ["b", "e"]
    for none in ("Lee", "a. lee", "A. Lee, 李明", ", ", "%"):
        assert found(engine, author=none) == []
    engine.put([document("a", author="B. Ray", text="flood")])
    engine.delete(["b"])
    assert found(engine, author="A. Lee") == []
    assert found(engine, author="B. Ray") == ["a"]


def test_facets_count_what_the_user_sees(newsroom: Engine) -> None:
    every = {"Beta": 2, "Alpha": 1, "Gamma": 1}
    for mode, languages, sites in (
        ("collapse", {"en": 2, "de": 1}, every),
        ("head", {"en": 2}, {"Alpha": 1, "Beta": 1}),
        ("all", {"en": 3, "de": 1}, every),
    ):
        facets = search(newsroom, "flood", mode=mode).facets
        assert facets["language"] == tuple(Facet(*one) for one in languages.items())
        assert facets["site"] == tuple(
            Facet(f"{name.lower()}.org", count, name) for name, count in sites.items()
        )


def test_a_host_has_one_name(engine: Engine) -> None:
    """A paper whose pages give it several names, or none, is one site; rare names are podcasts and titles."""
    names = ("A Podcast", "The Courier", "The Courier", None, None, None)
    engine.put([document(f"d{n}", site=name, host="courier.org") for n, name in enumerate(names)])
    assert search(engine).facets["site"] == (Facet("courier.org", 6, "The Courier"),)
    assert len(found(engine, site="courier.org")) == 6


def test_facets_stand_under_all_filters_and_are_few(engine: Engine) -> None:
    engine.put([document(f"d{n:02}", host=f"site{n:02}", language="en" if n % 2 else "") for n in range(30)])
    facets = search(engine).facets
    assert [count.value for count in facets["site"]] == [f"site{n:02}" for n in range(20)]
    assert facets["language"] == (Facet("en", 15),)  # an unknown language is not a value
    assert [count.value for count in search(engine, site="site03").facets["site"]] == ["site03"]


# -- pages


def test_offset_pages_in_every_mode(engine: Engine) -> None:
    engine.put([document(f"d{n:02}", f"d{n // 2 * 2:02}", seen=n, text="flood") for n in range(20)])
    for mode, count in (("collapse", 10), ("head", 10), ("all", 20)):
        pages = [search(engine, "flood", mode=mode, limit=3, offset=offset) for offset in range(0, 21, 3)]
        hits = [hit.shown.id for page in pages for hit in page.hits]
        assert len(hits) == len(set(hits)) == count
        assert {(page.stories, page.documents) for page in pages} == {(10, 10 if mode == "head" else 20)}


def test_a_cursor_gives_every_document_once(engine: Engine) -> None:
    dates = [None, "2026-01-01", "2026-01-02", "2026-01-02T01:01:01"]
    texts = ["flood storm " * (n % 5 + 1) for n in range(20)]
    engine.put(
        [document(f"d{n:03}", date=dates[n % 4], seen=n % 3, text=text) for n, text in enumerate(texts)]
    )
    asked = product(("head", "all"), ("", "flood storm"), ({}, {"sort": "date"}, {"any_word": True}))
    for mode, text, options in asked:
        seen: list[str] = []
        cursor = None
        while not seen or cursor:
            page = search(engine, text, mode=mode, limit=7, cursor=cursor, **options)
            seen += [hit.shown.id for hit in page.hits]
            cursor = page.cursor
        assert len(set(seen)) == 20
        assert seen == found(engine, text, mode=mode, **options)


def test_a_query_that_makes_no_sense_is_refused(engine: Engine) -> None:
    """Which ones, and in what sentences: `test_common.py`, `tests/text`."""
    for query in (Query(limit=-1), Query(mode="head", cursor="WzFd"), Query("NOT ferry")):
        with pytest.raises(InputError, match=r"[a-z]+: |and neither"):
            engine.search(query)


# -- the language of queries


@pytest.fixture
def archive(engine: Engine) -> Engine:
    """Documents for phrases, operators and stems; each is a story of its own."""
    rows = [  # id, language, title, text
        ("train", "en", "Night train", "The ferry was late."),
        ("night", "en", "Train", "A train came by night. Floods came."),
        ("boat", "en", "Boats", "The boat sank in the flood, the captain said."),
        ("cafe", "fr", "Les cafés", "Des élections à la mairie."),
        ("german", "de", "Die Flut", "Die Überschwemmungen und der Zug."),
        ("thai", "th", "ข่าววันนี้", "น้ำท่วมกรุงเทพ"),
        ("japanese", "ja", "ラーメンを食べる", "東京でラーメン"),
        ("chinese", "zh", "京大学生", "北京大学昨日宣布合作。"),
        ("unknown", "", "Crème brûlée", "naïve"),
    ]
    engine.put(
        [document(id_, language=language, title=title, text=text) for id_, language, title, text in rows]
    )
    return engine


FOUND = {
    '"night train"': "train",
    '"train night"': "",
    '"a train came" floods': "night",
    'train -"night train"': "night",
    "the ferry OR captain": "boat train",
    '"night train" OR "the boat" -captain': "train",
    "train -capt* -fer*": "night",
    "flooding": "boat night",
    '"flooding"': "",
    "überschwemmung": "german",
    "café": "cafe",
    "CRÈME NAIVE": "unknown",
    '"creme brulee"': "",  # a phrase is as it is written
    "น้ำท่วม": "thai",
    "ラーメン": "japanese",
    '"大学昨日"': "chinese",  # wherever the words are cut
    '"大学宣布"': "",
    "ท*": "thai",
}


def test_the_language_of_queries(archive: Engine) -> None:
    assert {text: " ".join(sorted(found(archive, text))) for text in FOUND} == FOUND


# -- dates and order


DAYS = {"2026-01-31": 2, "2026-02-01": 1, "2026-02-28": 1, "2026-03-01": 2}


@pytest.fixture
def calendar(engine: Engine) -> Engine:
    dates = {
        "a": "2026-01-31",
        "b": "2026-02-01",
        "c": "2026-02-01T00:30:00+02:00",  # still January in UTC
        "d": "2026-02-28T23:30:00",
        "e": "2026-02-28T23:30:00-05:00",  # already March
        "f": "2026-03-01T00:00:00Z",
        "g": None,
        "h": "tomorrow",
    }
    engine.put([document(id_, date=date, text="flood " * 3) for id_, date in dates.items()])
    return engine


def test_dates_are_whole_days_in_utc(calendar: Engine) -> None:
    def ids(**options: object) -> str:
        by_text = {"".join(sorted(found(calendar, text, **options))) for text in ("", "flood")}
        assert len(by_text) == 1
        return by_text.pop()

    assert ids(since="2026-02-01") == "bdef"
    assert ids(until="2026-01-31") == "ac"
    assert ids(since="2026-02-01", until="2026-02-28") == "bd"
    assert ids(since="2026-02-02", until="2026-02-02") == ""
    assert ids(since="0001-01-01", until="9999-12-31") == "abcdef"


def test_the_histogram_counts_the_documents_that_match_by_days_months_or_years(calendar: Engine) -> None:
    def counts(**options: object) -> dict[tuple[str, str], int]:
        return {(one.since, one.until): one.count for one in search(calendar, **options).histogram}

    days = {(day, day): count for day, count in DAYS.items()}
    assert counts() == counts(mode="head") == counts(mode="all", limit=1) == days
    assert [*counts(since="2026-02-01", until="2026-02-28").values()] == [1, 1]
    assert counts(text="unheardof") == {}
    calendar.put([document("old", date="2025-05-05")])
    months = {
        ("2025-05-01", "2025-05-31"): 1,
        ("2026-01-01", "2026-01-31"): 2,
        ("2026-02-01", "2026-02-28"): 2,
    }
    assert counts() == {**months, ("2026-03-01", "2026-03-31"): 2}
    calendar.put([document("older", date="1999-05-05")])
    assert [since for since, _ in counts()] == ["1999-01-01", "2025-01-01", "2026-01-01"]


def test_newest_first_by_choice(engine: Engine) -> None:
    order = [f"d{n}" for n in reversed(range(9))]
    days = {f"d{n}": f"2026-01-0{n + 1}" for n in range(9)}
    engine.put(
        [document(f"d{n}", f"d{n // 3 * 3}", date=days[f"d{n}"], text="flood " * (9 - n)) for n in range(9)]
    )
    assert found(engine, "flood", sort="date") == found(engine, "", sort="relevance") == order
    assert found(engine, "flood", sort="date", mode="collapse") == ["d8", "d5", "d2"]


@pytest.fixture
def printed(engine: Engine) -> Engine:
    """Three stories of 4, 3 and 2 copies, of which 1, 3 and 2 are of March, and one of a single copy."""
    copies = {"a1": (4, 1), "b1": (3, 3), "c1": (2, 2), "d1": (1, 0)}
    engine.put(
        [
            document(f"{group}-{n}", group, seen=n, text="flood " * (n + 1), title=("", "storm")[n == 1],
                     date=f"2026-0{3 if n < march else 1}-1{n}")
            for group, (size, march) in copies.items()
            for n in range(size)
        ]
    )  # fmt: skip
    return engine


COPIED = {
    (): [("a1", 4), ("b1", 3), ("c1", 2), ("d1", 1)],
    ("since",): [("b1", 3), ("c1", 2), ("a1", 1)],
    ("text",): [("a1", 1), ("b1", 1), ("c1", 1)],
    ("text", "since"): [("b1", 1), ("c1", 1)],
    ("none",): [],
}
CONDITIONS = {"since": {"since": "2026-03-01"}, "text": {"text": "storm"}, "none": {"text": "unheardof"}}


def test_stories_by_the_number_of_copies_that_match(printed: Engine) -> None:
    for conditions, wanted in COPIED.items():
        options = {name: value for one in conditions for name, value in CONDITIONS[one].items()}
        results = search(printed, sort="copies", **options)
        assert [(hit.group, hit.matching) for hit in results.hits] == wanted
        assert (results.stories, results.exact) == (len(wanted), True)
        assert [hit.size for hit in results.hits] == [
            {"a": 4, "b": 3, "c": 2, "d": 1}[one[0]] for one, _ in wanted
        ]
        pages = [search(printed, sort="copies", limit=2, offset=offset, **options) for offset in (0, 2, 4)]
        assert [hit.group for page in pages for hit in page.hits] == [group for group, _ in wanted]
        assert search(printed, sort="copies", limit=0, **options).documents == results.documents


def test_of_a_story_by_its_copies_the_best_that_matches_is_shown(printed: Engine) -> None:
    shown = [hit.shown.id for hit in search(printed, "flood", sort="copies", until="2026-02-28").hits]
    assert shown == ["a1-3", "d1-0"]
    assert {hit.matching for hit in search(printed, "flood").hits} == {0}
    for mode in ("head", "all"):
        with pytest.raises(InputError, match="use mode collapse, or another sort"):
            search(printed, sort="copies", mode=mode)
    for mode in ("collapse", "all"):  # few stories are counted exactly
        results = search(printed, "flood", mode=mode, limit=1)
        assert (results.stories, results.exact) == (4, True)
