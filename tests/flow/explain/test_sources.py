"""Of how many sources a story is, and where that is said: page, API, `explain` and `groups --sources`."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser.serving import serving_documents
from browser.stories import MORNING, document, seen
from commands import cli, error
from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.explain.sources import SOURCE_COLUMNS, Sources, read_sources, source_rows
from dupgroups.model import Document, Tie
from dupgroups.presentation.wording import describe_evidence, describe_sources
from web.test_web import visible

FOG = "Two people were missing on Wednesday after a ferry struck a barge in fog.\nDivers searched until dark."
REUTERS, AP, PAPER = f"VELMAR (Reuters) - {FOG}", f"{FOG}\nWith material from AP", f"{FOG}\n来源：云溪日报"


def page(
    number: int, site: str, text: str = FOG, *ties: tuple[int, float], author: str = "", source: str = ""
) -> Document:
    """A page of the story s00; `ties` are the numbers of others with their scores."""
    found = seen(
        document(_id(number), "s00", site, "Fog", text, author=author), MORNING + number * 3_600_000_000
    )
    stored = tuple(Tie(_id(other), "duplicate", score) for other, score in ties)
    content = replace(found.content, source=source)
    return replace(found, record=replace(found.record, ties=stored), content=content)


def _id(number: int) -> str:
    return f"s{number:02}"


def sources(*pages: Document) -> Sources:
    with closing(SQLiteEngine()) as engine:
        engine.put(pages)
        return read_sources(engine, [one.record.id for one in pages])


def numbers(found: Sources) -> dict[str, str]:
    """The numbers of the pages of each source."""
    return {one.name: " ".join(each.record.id[1:] for each in one.pages) for one in found.found}


def story() -> list[Document]:
    return [
        page(0, "Kessel Herald", REUTERS),
        page(1, "Westbridge Courier", AP, (0, 0.62)),
        page(2, "Bay News", FOG, (0, 0.93), (1, 0.6)),
        page(3, "Ashvale Post", FOG, (1, 0.9), (0, 0.6)),
        page(4, "Kessel Herald"),
        page(5, "Halvern", FOG, author="Jo Brandt, Reuters"),
    ]


STORIES: dict[str, tuple[list[Document], dict[str, str]]] = {
    "one agency, two publishers, no tie": (
        [page(0, "A", REUTERS), page(1, "B", FOG, author="Reuters")],
        {"Reuters": "00 01"},
    ),
    "two agencies": ([page(0, "A", REUTERS), page(1, "B", AP, (0, 0.79))], {"Reuters": "00", "AP": "01"}),
    "the same words of two agencies": ([page(0, "A", AP), page(1, "B", AP, (0, 0.8))], {"AP": "00 01"}),
    "the same words of two agencies, one of which more pages name": (
        [page(0, "A", REUTERS), page(1, "B", AP, (0, 0.8)), page(2, "C", AP)],
        {"AP": "00 01 02"},
    ),
    "an agency's own page that credits another one": (
        [page(0, "A", REUTERS), page(1, "Reuters", AP), page(2, "C", REUTERS), page(3, "D", AP)],
        {"Reuters": "00 02", "AP": "01 03"},
    ),
    "an older page without a credit": ([page(0, "A"), page(1, "B", REUTERS, (0, 0.6))], {"Reuters": "00 01"}),
    "the closest of two": (
        [page(0, "A", REUTERS), page(1, "B", AP), page(2, "C", FOG, (0, 0.6), (1, 0.7))],
        {"AP": "01 02", "Reuters": "00"},
    ),
    "through another page": (
        [page(0, "A", REUTERS), page(1, "B", AP), page(2, "C", FOG, (1, 0.7)), page(3, "D", FOG, (2, 0.9))],
        {"AP": "01 02 03", "Reuters": "00"},
    ),
    "another page of the publisher": (
        [page(0, "A", REUTERS), page(1, "B", AP), page(2, "A", FOG, (1, 0.99))],
        {"Reuters": "00 02", "AP": "01"},
    ),
    "no tie at all": (
        [page(0, "A"), page(1, "B", REUTERS), page(2, "C", REUTERS), page(3, "D", AP)],
        {"Reuters": "00 01 02", "AP": "03"},
    ),
    "two agencies, the larger one later": (
        [page(0, "A", REUTERS), page(1, "B", AP), page(2, "C", AP), page(3, "D")],
        {"AP": "01 02 03", "Reuters": "00"},
    ),
    "more pages without a credit than with one": (
        [page(0, "A", REUTERS), page(1, "B", AP), page(2, "C", AP), *(page(at, "D") for at in range(3, 7))],
        {"AP": "01 02 03 04 05 06", "Reuters": "00"},
    ),
    "a paper is no second source": ([page(0, "A", REUTERS), page(1, "B", PAPER)], {"Reuters": "00 01"}),
    "a paper that credits an agency": (
        [page(0, "A", REUTERS), page(1, "云溪日报", AP), page(2, "C", PAPER, (0, 0.99))],
        {"AP": "01 02", "Reuters": "00"},
    ),
    "an agency that may print another": ([page(0, "AFP", FOG), page(1, "B", AP)], {"AP": "00 01"}),
    "the site of an agency": ([page(0, "AFP", FOG), page(1, "B", FOG)], {"AFP": "00 01"}),
    "only papers": ([page(0, "A", PAPER), page(1, "B", FOG), page(2, "C")], {"云溪日报": "00 01 02"}),
    "a canonical link to an agency": (
        [page(0, "A", source="apnews.com"), page(1, "B", REUTERS, source="AP"), page(2, "C", source="A")],
        {"AP": "00 02", "Reuters": "01"},
    ),
    "a canonical link to a paper": (
        [page(0, "A", REUTERS), page(1, "B", AP), page(2, "C", source="b.example")],
        {"AP": "01 02", "Reuters": "00"},
    ),
    "nobody": ([page(0, "A"), page(1, "B")], {"A": "00 01"}),
    "nothing": ([], {}),
}


@pytest.mark.parametrize("name", STORIES)
def test_pages_are_united_into_few_sources(name: str) -> None:
    pages, expected = STORIES[name]
    assert numbers(sources(*pages)) == expected
    assert numbers(sources(*reversed(pages))) == expected, "the order of arrival in an answer is no reason"


@given(st.lists(st.tuples(st.sampled_from([FOG, REUTERS, AP, PAPER]), st.sampled_from("ABCD"),
                          st.lists(st.tuples(st.integers(0, 9), st.floats(0.5, 1)), max_size=3)),
                min_size=1, max_size=9))  # fmt: skip
def test_there_are_never_more_sources_than_agencies(
    drawn: Sequence[tuple[str, str, Sequence[tuple[int, float]]]],
) -> None:
    found = sources(*(page(at, site, text, *ties) for at, (text, site, ties) in enumerate(drawn)))
    agencies = {text for text, *_ in drawn} & {REUTERS, AP}
    assert 1 <= len(found.found) <= max(1, len(agencies))
    assert sorted(one.record.id for one in found.pages) == [_id(at) for at in range(len(drawn))]
    of = {one.record.id: source.name for source in found.found for one in source.pages}
    assert all(of[id_] == of[other.record.id] for id_, (other, _) in found.like.items())


def test_publishers_are_registered_domains() -> None:
    hosts = ("amp.kessel.co.uk", "kessel.co.uk", "one.blogspot.com", "two.blogspot.com", "")
    pages = [page(at, f"Site {at}") for at in range(len(hosts))]
    pages = [
        replace(
            one,
            record=replace(one.record, host=host),
            content=replace(one.content, url=host and f"https://{host}/"),
        )
        for one, host in zip(pages, hosts, strict=True)
    ]
    found = sources(*pages)
    assert found.publishers == 4
    assert [one.domain for one in found.pages][1:] == ["kessel.co.uk", *hosts[2:4], "site 4"]


def test_sites_of_one_owner_are_of_one_publisher() -> None:
    owners = ("Postmedia Network", "POSTMEDIA Network", "", "", "Associated Press", "Associated Press")
    sites = ("A", "B", "B", "C", "D", "E")
    pages = [page(at, site) for at, site in enumerate(sites)]
    found = sources(
        *(
            replace(one, content=replace(one.content, owner=owner))
            for one, owner in zip(pages, owners, strict=True)
        )
    )
    assert found.publishers == 4, "A and B, C, D, E: an agency owns no sites, its notice is that of a text"
    portal = [
        replace(page(at, "P"), content=replace(page(at, "P").content, owner=f"House {at}")) for at in (7, 8)
    ]
    houses = [
        replace(page(at, f"H{at}"), content=replace(page(at, "H").content, owner=f"House {at - 2}"))
        for at in (9, 10)
    ]
    assert sources(*portal, *houses).publishers == 3, "a portal with texts of two houses does not unite them"
    said = [describe_evidence(one, found) for one in found.pages]
    assert said[0] == "no credit; a site of Postmedia Network"
    assert said[3:] == ["no credit"] * 3


def test_a_page_without_an_address_has_its_title_or_its_id_as_its_source() -> None:
    bare = page(0, "")
    bare = replace(bare, record=replace(bare.record, host=""), content=replace(bare.content, url=None))
    (row,) = source_rows(sources(bare))
    nothing = dict.fromkeys(("url", "publisher", "owner", "credited", "place", "words", "like"), "")
    assert row == {"id": "s00", "source": "Fog", **nothing, "score": None}
    assert [*row] == [*SOURCE_COLUMNS]
    untitled = replace(bare, content=replace(bare.content, title=""))
    assert numbers(sources(untitled)) == {"s00": "00"}


def test_an_agency_is_the_source_of_what_its_own_site_publishes() -> None:
    (row,) = source_rows(sources(page(0, "Reuters")))
    assert (row["credited"], row["place"], row["words"]) == ("Reuters", "site", "Reuters")
    assert row["url"] == "https://reuters.example/news/s00.html"
    own = replace(page(1, ""), record=replace(page(1, "").record, host="www.reuters.com"))
    (row,) = source_rows(sources(own))
    assert (row["credited"], row["words"]) == ("Reuters", "reuters.com")


def test_what_is_said_of_sources() -> None:
    assert describe_sources(sources(*story())) == "6 pages, 5 publishers, 2 sources: Reuters (4), AP (2)"
    assert (
        describe_sources(sources(page(0, "A"), page(1, "B")))
        == "2 pages, 2 publishers, 1 source: A, which names no other source"
    )


EVIDENCE = (
    "Kessel Herald: dateline “VELMAR (Reuters) -”",
    "Bay News: no credit, a copy of Kessel Herald (0.93)",
    "Halvern: byline “Jo Brandt, Reuters”",
    "Westbridge Courier: closing line “With material from AP”",
)


def test_page_and_api_have_the_sources_and_the_evidence() -> None:
    with serving_documents(story()) as site:
        shown = visible(site.get("/groups/s00").text)
        answer = site.get("/api/groups/s00").json
        chinese = visible(site.get("/groups/s00", {"Accept-Language": "zh"}).text)
    assert "6 pages, 5 publishers, 2 sources: Reuters (4), AP (2)" in shown
    assert all(line in shown for line in EVIDENCE)
    assert "6 个页面，5 家出版方，2 个来源：Reuters (4), AP (2)" in chinese
    assert "Bay News: 未注明来源，与Kessel Herald的文本一致（0.93）" in chinese
    assert (answer["credited_to"], answer["sources"]["publishers"]) == ("Reuters", 5)
    credited, like = answer["sources"]["members"][-2:]
    assert (credited["source"], credited["credited"], credited["like"]) == ("AP", "AP", "")
    assert (credited["publisher"], credited["words"]) == (
        "westbridge-courier.example",
        "With material from AP",
    )
    assert (like["credited"], like["like"], like["score"]) == ("", "s01", 0.9)


def test_commands_print_the_sources(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    alone = replace(document("z1", "z1", "Bay News", "Alone", REUTERS))
    with closing(open_engine(url)) as engine:
        engine.put([*story(), alone])
    printed = cli("explain", "s00", "--engine", url).stdout
    assert all(line in printed for line in EVIDENCE)
    answer = json.loads(cli("explain", "s00", "--json", "--engine", url).stdout)
    assert answer["sources"]["sources"] == 2
    rows = [*csv.DictReader(cli("groups", "--sources", "--engine", url).stdout.splitlines())]
    assert [row["id"] for row in rows] == ["s00", "s02", "s04", "s05", "s01", "s03"]
    assert {(row["group"], row["pages"], row["publishers"], row["sources"]) for row in rows} == {
        ("s00", "6", "5", "2")
    }
    assert [(row["source"], row["credited"], row["place"]) for row in rows[3:]] == [
        ("Reuters", "Reuters", "byline"), ("AP", "AP", "closing line"), ("AP", "", "")]  # fmt: skip
    assert "--spread and --sources" in error("groups", "--sources", "--spread", "--engine", url)
