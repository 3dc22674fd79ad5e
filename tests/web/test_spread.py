"""Who published a story first, how it spread, and what copies changed: page, API, feed and command."""

import csv
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from browser.serving import Site, serving, serving_documents
from browser.stories import FERRY, MORNING, document, seen, widespread
from commands import cli
from dupgroups.cli import tables
from dupgroups.engines import open_engine
from dupgroups.engines.common import copy_of
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from dupgroups.flow.explain.edits import read_edits
from dupgroups.flow.explain.spread import MAX_COMPARED_WORDS, Change, Spread, changes, compare_texts
from dupgroups.model import Document
from dupgroups.presentation.wording import arrivals, describe_delays, published_first
from web.test_web import visible

HOUR = 3_600_000_000


def told() -> list[Document]:
    """Seen first: a copy of 9.30; then one of 6.00, one that gives the day, and two that cannot be right."""
    texts = {
        "Kessel Herald": (FERRY + "\nIt cost 38 crowns.", "2026-03-04T09:30:00Z"),
        "Westbridge Courier": (FERRY + "\nIt cost 41 crowns.", "2026-03-04T07:00:00+01:00"),
        "The Ashvale Post": (f"4 March\nKESSEL BAY (Meridian Wire) — {FERRY}", "2026-03-04"),
        "Halvern Wire": (FERRY, "2026-03-04T23:00:00Z"),
        "Bay News": (FERRY, "1970-01-01T00:00:00Z"),
    }
    copies = enumerate(texts.items(), start=1)
    return [
        seen(document(f"p{number}", "p1", site, "Fog", text, date=date), MORNING + number * HOUR)
        for number, (site, (text, date)) in copies
    ]


OPEN = "(not every copy says at what time)"
FIRST = "Published first by Westbridge Courier on 4 March 2026, 07:00 +01:00, 3 hours 30 minutes before"
SENTENCE = f"{FIRST} Kessel Herald {OPEN}"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving_documents([*told(), *widespread()]) as site:
        yield site


def test_the_page_says_who_was_first_and_draws_the_spread(site: Site) -> None:
    page = site.get("/groups/p1").text
    assert f"{SENTENCE}." in visible(page)
    assert ">−1 +1 41 → 38</a>" in page
    assert 'role="img" aria-label="2 sites within 3 hours 30 minutes"' in page
    assert "2 sites within 3 hours 30 minutes · the others do not say when as exactly" in visible(page)
    assert (page.count("<circle"), page.count('class="first"')) == (2, 1)
    rows = [visible(row) for row in page.split('<tr id="copy-')[1:]]
    assert re.search(r"1 Westbridge Courier Fog 4 Mar 2026, 07:00 \+01:00 ⋯ Id p2 ", rows[0])
    assert (
        "2 Kessel Herald main Fog 4 Mar 2026, 09:30 UTC 3 hours 30 minutes −1 +1 41 → 38 ⋯ Id p1" in rows[1]
    )
    assert "5 Bay News Fog found 4 Mar 2026" in rows[4], "its date cannot be right"


ARRIVALS = [  # dates, when each site had the story, how much later than the first, in words
    (
        ["2026-03-01", "2026-03-03T10:00", "2026-03-03T12:00"],
        "A 1 March, B 3 March, C 3 March",
        "/2 days/2 days",
    ),
    (["2026-03-01T06:00", "2026-03-01T09:00", "2026-03-03"], "A 06:00, B 09:00", "/3 hours/2 days"),
    (["2026-03-01T06:00", "2026-03-02", None], "A 1 March, B 2 March", "/1 day/"),
    (["2026-03-01T06:00", "2026-03-01", None], "A 1 March, B 1 March", "//"),
    ([None, "2099-01-01", None], "A 10:05, B 10:05, C 10:05", "//"),
    (["2026-03-01"], "", ""),
]


@pytest.mark.parametrize(("dates", "drawn", "after"), ARRIVALS)
def test_chart_and_table_say_nothing_that_the_sentence_contradicts(
    dates: list[str | None], drawn: str, after: str
) -> None:
    copies = [
        seen(document(name, "a", name, "Fog", "", date=date), MORNING)
        for name, date in zip("ABC", dates, strict=False)
    ]
    found = arrivals(spread(*copies))
    when = [re.sub(r" 2026$|^.* 2026, | UTC$", "", one.when) for one in found]
    assert ", ".join(f"{one.site} {short}" for one, short in zip(found, when, strict=True)) == drawn
    assert "/".join(describe_delays(spread(*copies))) == after
    if found and (lead := spread(*copies).lead):
        assert found[0].site == lead[0].copy.site


def test_the_api_has_the_spread_and_what_at_most_eleven_copies_changed(site: Site) -> None:
    answer = site.get("/api/groups/p1").json
    rows = [(row["id"], row["published"], row["minutes"]) for row in answer["spread"]]
    assert rows[:2] == [("p2", "2026-03-04T07:00:00+01:00", 0), ("p1", "2026-03-04T09:30:00Z", 210)]
    assert rows[2:4] == [("p3", "2026-03-04", None), ("p4", "2026-03-04T23:00:00Z", None)]
    assert rows[4:] == [("p5", "", None)]
    assert answer["spread"][1]["changes"] == {"cut": 1, "added": 1, "figures": [["41", "38"]]}
    crowd = site.get("/api/groups/w00").json["spread"]
    assert [row["changes"] is None for row in crowd] == [True] + [False] * 11 + [True] * 21


def test_the_feed_says_who_was_first_and_when(site: Site) -> None:
    feed = site.get("/feed?q=ferry").text
    assert "<published>2026-03-04T06:00:00Z</published>" in feed
    assert f"{SENTENCE}.</summary>" in feed
    assert "The Ashvale Post and 1 more\n" in feed
    assert "Published first by Kessel Herald" not in feed, "of 33 copies, not all are listed"


def test_the_command_prints_the_spread_of_stories_of_several_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        engine.put([*told(), document("z1", "z1", "Bay News", "Alone", "A text.")])
    header, *rows = csv.reader(cli("groups", "--engine", url, "--spread").stdout.splitlines())
    assert header == ["group", "id", "site", "url", "published", "first_seen", "minutes"]
    assert [(row[1], row[6]) for row in rows[:3]] == [("p2", "0"), ("p1", "210"), ("p3", "")]
    assert (rows[0][5], len(rows)) == ("2026-03-04T12:05:00Z", 5)
    from pyarrow import parquet

    monkeypatch.setattr(tables, "BATCH_ROWS", 2)  # so that some have no time at all
    cli("groups", "--engine", url, "--spread", "--out", tmp_path / "spread.parquet")
    table = parquet.read_table(tmp_path / "spread.parquet")
    assert table["minutes"].to_pylist() == [0, 210, None, None, None]


@pytest.mark.parametrize(
    ("dates", "sentence"),
    [
        (["2026-03-01", "2026-03-03"], f"1 March 2026, 2 days before B {OPEN}."),
        (["2026-03-01", "2026-03-01"], ""),
        (["2026-03-01T06:00:00", "2026-03-01T06:00:59"], ""),
        (["2026-03-01T06:00:00", None], f"1 March 2026, 06:00 {OPEN}."),
        (
            ["2026-03-01 06:00:30", "2026-03-01T09:30+01:00"],
            "1 March 2026, 06:00, 2 hours 30 minutes before B.",
        ),
        ([None, "2027-03-01"], ""),
        (["2026-03-01T06:00 CET", "2026-03-02T09:00Z"], f"1 March 2026, 1 day before B {OPEN}."),
        ([], ""),
    ],
)
def test_no_more_is_said_than_the_dates_tell(dates: list[str | None], sentence: str) -> None:
    copies = [
        seen(document(name, "a", name, "Fog", "", date=date), MORNING)
        for name, date in zip("AB", dates, strict=False)
    ]
    assert published_first(spread(*copies)) == (sentence and f"Published first by A on {sentence}")
    unread = [(replace(copy_of(copy), date="1. März"), copy.record) for copy in copies]
    assert not published_first(Spread.of(unread)), "a date that cannot be shown"


def spread(*copies: Document) -> Spread:
    return Spread.of([(copy_of(copy), copy.record) for copy in copies])


FIRE = "12 people died in the fire, and 30 were hurt."


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        (FIRE, ()),
        ("14 people died in the fire, and 30 were hurt.", (("12", "14"),)),
        ("14 people died in the fire, and 30 were hurt, 3 badly.", (("12", "14"),)),
        ("In the fire 30 were hurt, and 14 people died.", ()),
        ("14 people died in the fire,\nand 33 were hurt.", (("12", "14"), ("30", "33"))),
        ("Fourteen people died in the fire, and thirty were hurt.", (("12", "Fourteen"),)),
        (f"14 dead, 33 hurt\f{FIRE}", ()),
        (f"VELMAR, March 5 (Reuters) - {FIRE}\n14 comments", ()),
    ],
)
def test_figures_that_differ_are_those_at_the_same_place(
    text: str, figures: tuple[tuple[str, str], ...]
) -> None:
    assert compare_texts(FIRE, text).figures == figures


@pytest.mark.parametrize(
    ("was", "now", "figures"),
    [
        ("It began at 10:45 on 4 March 2026.", "It began at 17:20 on 5 April 2025.", ()),
        ("Updated at 10:45\nFog came at 10:45.", "Updated at 17:20\nFog came at 17:20.", ()),
        ("It began at 9 p.m. in Kessel.", "It began at seven p.m. in Kessel.", ()),
        ("Es begann um 6.40 Uhr in Kiel.", "Es begann um 7.15 Uhr in Kiel.", ()),
        ("Call 01632 960 144 or (800) 555-0177.", "Call 01632 981 233 or (800) 555-0142.", ()),
        ("Subscribe for $1 a month.", "Subscribe for $4.99 a month.", ()),
        ("Reading time: 2 minutes.", "Reading time: 3 minutes.", ()),
        ("The bridge cost £240m.", "The bridge cost £240 million.", ()),
        ("Погибли четыре человека в Киле.", "Погибли пять человек в Киле.", (("четыре", "пять"),)),
    ],
)
def test_what_counts_nothing_is_no_figure_and_words_beside_one_may_be_inflected(
    was: str, now: str, figures: tuple[tuple[str, str], ...]
) -> None:
    assert compare_texts(was, now).figures == figures


def test_words_are_counted_that_only_one_text_has_among_the_first_two_thousand() -> None:
    text = " ".join(["fog"] * (MAX_COMPARED_WORDS - 1))
    texts = {"a": f"{text} pier", "b": f"{text} quay", "c": text, "d": f"{text} pier was shut"}
    assert changes(texts) == {"b": Change(1, 1, ()), "c": Change(1, 0, ()), "d": Change(0, 0, ())}


# -- what copies changed after they were stored


LOST = f"{FERRY}\nThe port has lost 12,000 crowns."
EDIT = "4 March 2026, 10:05 UTC: −1 +1 12,000 → 14,000; 2 of 3 other copies still say 12,000"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SQLiteEngine]:
    """Four copies, of which one changes its figure, and another one has both figures from the start."""
    texts = {"p1": LOST, "p2": LOST, "p3": LOST, "p4": f"{LOST} Not 14,000."}
    copies = [document(id_, "p1", f"Site {id_}", "Fog", text) for id_, text in texts.items()]
    with closing(SQLiteEngine(EngineURL.parse(f"sqlite:///{tmp_path}/news.db"))) as engine:
        engine.put(copies)
        put_again(engine, document("p2", "p1", "Site p2", "Fog", LOST.replace("12", "14")))
        yield engine


def put_again(engine: SQLiteEngine, *changed: Document) -> None:
    """Store documents as they were seen in the morning."""
    engine.put([replace(one, record=replace(one.record, last_seen=MORNING)) for one in changed])


def test_an_edit_is_shown_with_how_many_copies_still_say_what_was(engine: SQLiteEngine) -> None:
    with serving(engine) as site:
        page, answer = visible(site.get("/groups/p1").text), site.get("/api/groups/p1").text
    assert f"Changed since they were stored Site p2 · {EDIT}" in page
    assert [(edit["id"], edit["still"], edit["of"]) for edit in json.loads(answer)["edits"]] == [("p2", 2, 3)]
    assert f"stored:\n  2 · {EDIT}\n" in cli("explain", "p1", "--engine", engine.name).output


def test_a_title_that_was_turned_counts_as_changed_and_the_latest_edit_comes_first(
    engine: SQLiteEngine,
) -> None:
    engine.put([document("p2", "p1", "Site p2", "Fog on the pier", LOST.replace("12", "15"))])
    changes = [edit.change for edit in read_edits(engine, ["p1", "p2"], {})]
    assert [(change.added, change.figures) for change in changes] == [
        (4, (("14,000", "15,000"),)),
        (1, (("12,000", "14,000"),)),
    ]


def test_edits_that_were_seen_at_once_come_in_the_order_of_their_ids(engine: SQLiteEngine) -> None:
    changes = {"q1": ("Rain in Westbridge.", "Rain in Halvern."), "q2": ("Fog in Ulm.", "Fog in Kessel.")}
    for version in range(2):
        put_again(engine, *(document(id_, "q1", id_, "Day", said[version]) for id_, said in changes.items()))
    assert [edit.id for edit in read_edits(engine, ["q1", "q2"], {})] == ["q1", "q2"]


def test_of_an_edit_of_two_figures_copies_still_say_the_first(engine: SQLiteEngine) -> None:
    fire = "The fire has hurt {} people and burned {} barges, the port said."
    for hurt, burned in ((12, 3), (14, 5)):
        put_again(engine, document("q1", "q1", "Bay News", "Fire", fire.format(hurt, burned)))
    others = {"q2": fire.format(12, 5), "q3": fire.format(14, 3)}
    (edit,) = read_edits(engine, ["q1"], others)
    assert (edit.change.figures, edit.still) == ((("12", "14"), ("3", "5")), 1)
