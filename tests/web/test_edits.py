"""What copies changed after they were stored: on the page, in JSON and in the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from browser.serving import serving
from browser.stories import FERRY, MORNING, document
from commands import cli
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from dupgroups.flow.explain.edits import read_edits
from dupgroups.model import Document
from web.test_web import visible

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
