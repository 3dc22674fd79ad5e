"""Nothing is told twice and nothing is lost, whatever stories are called, and whoever dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError
from dupgroups.flow.alerts import alerter as alerter_module
from dupgroups.flow.alerts.alert_rules import parse_rule
from dupgroups.flow.alerts.alert_state import AlertState
from dupgroups.flow.alerts.alerter import Alerter
from dupgroups.model import Document
from engines.documents import document
from watched import Watched, away

THREE = "sites >= 3"


def pages(ids: str, group: str, text: str = "", **values: Any) -> list[Document]:
    """Pages of a story, each on a site of its own."""
    return [
        document(
            *(id_, group), host=f"{id_}.com", text=text or group, fingerprint=text or group, seen=ord(id_),
            **{"title": f"Title {id_}", "url": f"https://{id_}.com/1", **values},
        )
        for id_ in ids
    ]  # fmt: skip


class Desk:
    """An engine, the state of an alerter, and what it has told."""

    def __init__(self, folder: Path, *rules: str, silent: bool = False) -> None:
        self.engine = SQLiteEngine()
        self.path = folder / "alerts.db"
        self.rules = rules or (THREE,)
        self.silent = silent
        self.told: list[dict[str, Any]] = []

    @contextmanager
    def alerter(self, engine: Any = None) -> Iterator[tuple[Alerter, AlertState]]:
        """As one process opens them."""
        rules = {rule.text: rule for rule in map(parse_rule, self.rules)}
        with closing(AlertState(self.path, "memory://")) as state:
            state.add_rules(rules, silent=self.silent)
            yield Alerter(engine or self.engine, state, rules), state

    def look(self) -> list[str]:
        """The stories that are told now, by name, and the key of what is found where there are several."""
        with self.alerter() as (alerter, state):
            while alerter.look():
                pass
            waiting = state.waiting(float("inf"), -1)
            state.finish([one.number for one in waiting])
        new = [one.alert for one in waiting]
        self.told += new
        return [str(one["group"]) for one in new]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_story_is_told_once_when_it_is_what_the_rule_says(desk: Desk) -> None:
    desk.engine.put([*pages("ab", "a"), *pages("m", "m")])
    assert desk.look() == []
    desk.engine.put(pages("c", "a"))
    assert desk.look() == ["a"]
    desk.engine.put(pages("d", "a"))
    assert desk.look() == []
    told = desk.told[0]
    assert {name: told[name] for name in ("rule", "title", "url", "copies", "sites", "first_seen")} == {
        "rule": THREE, "title": "Title a", "url": "https://a.com/1", "copies": 3, "sites": 3,
        "first_seen": "1970-01-01T00:00:00+00:00",
    }  # fmt: skip
    assert [page["site"] for page in told["pages"]] == ["a.com", "b.com", "c.com"]
    assert told["text"] == "sites >= 3: Title a (3 copies on 3 sites) https://a.com/1"


def test_an_alert_has_an_id_of_its_own_and_the_name_of_its_rule(desk: Desk) -> None:
    desk.engine.put([*pages("ab", "a"), *pages("mn", "m", url=None)])
    with desk.alerter() as (_, state):
        rule = parse_rule("sites >= 2")
        state.add_rules([rule.text], silent=False)
        assert not Alerter(desk.engine, state, {"two papers": rule}).look()
        first, second = (one.alert for one in state.waiting(float("inf"), -1))
    assert first.keys() == {
        *("id", "time", "rule", "name", "text", "group", "title", "url", "copies", "sites", "publishers"),
        *("first_published", "last_published", "first_seen", "last_seen", "pages"),
    }
    assert (first["rule"], first["name"]) == ("sites >= 2", "two papers")
    assert first["text"] == "two papers: Title a (2 copies on 2 sites) https://a.com/1"
    assert second["text"] == "two papers: Title m (2 copies on 2 sites)", "it has no address"
    assert first["id"] != second["id"]
    assert len(first["id"]) == 2 * alerter_module.ID_BYTES


def told_of(id_: str) -> dict[str, Any]:
    """What an alert says of a page."""
    url = f"https://{id_}.com/1"
    return {"id": id_, "site": f"{id_}.com", "title": f"Title {id_}", "url": url, "date": None}


FERRY = "Two boats met in fog.\n{} people were missing on Wednesday night."


@pytest.mark.parametrize(
    ("rule", "texts", "said", "details"),
    [
        ("copied from a.com", ("Fog.", "Fog."), "b.com", {"copied": told_of("a"), "by": told_of("b")}),
        (
            *("new source", (f"VELMAR (Reuters) - {FERRY}", f"VELMAR (AP) - {FERRY}")),
            *("AP", {"source": "AP", "sources": ["Reuters", "AP"]}),
        ),
        (
            *("figure changed", (FERRY.format(12), FERRY.format(14)), "12 -> 14"),
            {"figure": ["12", "14"], "in": told_of("b"), "than": told_of("a")},
        ),
    ],
)
def test_an_alert_says_what_its_rule_found(
    desk: Desk, rule: str, texts: tuple[str, str], said: str, details: dict[str, Any]
) -> None:
    desk.rules = (rule,)
    desk.engine.put([*pages("a", "a", text=texts[0]), *pages("b", "a", text=texts[1])])
    assert desk.look() == ["a"]
    assert desk.told[0]["text"] == f"{rule}, {said}: Title a (2 copies on 2 sites) https://a.com/1"
    assert details.items() <= desk.told[0].items()


def test_a_hostile_title_makes_no_second_line_and_moves_no_cursor(desk: Desk) -> None:
    (first, *others) = pages("abc", "a")
    content = replace(first.content, title="Fog\r\nand\x1b[2J \u202emist")
    desk.engine.put([replace(first, content=content), *others])
    desk.look()
    assert desk.told[0]["text"] == "sites >= 3: Fog and [2J mist (3 copies on 3 sites) https://a.com/1"


def test_stories_that_merge_are_told_once(desk: Desk) -> None:
    desk.engine.put([*pages("abc", "a"), *pages("mno", "m"), *pages("st", "s"), *pages("xy", "x")])
    assert desk.look() == ["a", "m"]
    desk.engine.put([], moves={"m": "a", "x": "s"})
    assert desk.look() == ["s"], "both were told; the other two are three sites only together"
    desk.engine.put(pages("p", "a"), moves={"s": "a"})
    desk.engine.put(pages("z", "a"))
    assert desk.look() == []


def test_a_story_that_is_renamed_is_the_same(desk: Desk) -> None:
    desk.engine.put(pages("bcd", "b"))
    assert desk.look() == ["b"]
    desk.engine.put(pages("a", "a"), moves={"b": "a"})
    desk.engine.delete(["b"])
    desk.engine.put(pages("efg", "a"))
    assert desk.look() == []
    desk.engine.delete(["c", "d"])  # of those that were told first nobody is left
    desk.engine.put(pages("h", "a"))
    assert desk.look() == []
    desk.engine.delete("efh")
    desk.engine.put(pages("i", "a"))
    assert desk.look() == [], "it is less than it was told for"
    desk.engine.delete("ag")
    desk.engine.put(pages("jk", "a"))
    assert desk.look() == []


def test_a_part_that_is_split_off_is_not_told_again_and_parts_are_told_apart(desk: Desk) -> None:
    desk.rules = (THREE, "sites >= 5")
    desk.engine.put(pages("abcd", "a"))
    assert desk.look() == ["a"]
    desk.engine.put([], labels={"c": "c", "d": "c"})
    desk.engine.put(pages("ef", "c"))
    assert desk.look() == []
    desk.engine.put(pages("g", "c"))
    assert desk.look() == ["c"], "five sites"
    desk.engine.put(pages("hij", "a"))
    assert desk.look() == ["a"], "five sites, of which the other part was told"


def test_parts_that_meet_other_stories_learn_what_those_were_told_and_the_rest_does_not(desk: Desk) -> None:
    desk.rules = (THREE, "sites >= 5")
    desk.engine.put([*pages("abcd", "a"), *pages("mnopq", "m")])
    assert desk.look() == ["a", "m", "m"]
    desk.engine.put([], labels={"c": "c", "d": "c"})
    assert desk.look() == []
    desk.engine.put([], moves={"m": "c"})
    assert desk.look() == []
    desk.engine.put(pages("ef", "a"))
    assert desk.look() == []
    desk.engine.put(pages("g", "a"))
    assert desk.look() == ["a"]


@pytest.mark.parametrize(("updated", "told"), [("a", ["x"]), ("ab", ["x"]), ("abc", [])])
def test_pages_with_another_text_bring_along_what_they_knew_only_as_most_of_a_story(
    desk: Desk, updated: str, told: list[str]
) -> None:
    desk.engine.put([*pages("abc", "a"), *pages("xy", "x")])
    assert desk.look() == ["a"]
    desk.engine.put(pages(updated, "x", text="x"))
    assert desk.look() == told


def test_a_figure_that_a_page_changes_is_told_once_in_however_many_copies(desk: Desk) -> None:
    desk.rules = ("figure changed",)
    old, new = (f"Two boats met in fog.\n{dead} people were missing." for dead in (12, 14))
    desk.engine.put(pages("abc", "a", text=old))
    assert desk.look() == []
    desk.engine.put(pages("b", "a", text=new, last_seen=500))
    assert desk.look() == ["a"]
    assert (desk.told[0]["figure"], desk.told[0]["in"]["id"]) == (["12", "14"], "b")
    desk.engine.put(pages("ac", "a", text=new, last_seen=600))
    assert desk.look() == []


def test_what_stands_at_the_first_run_of_a_rule_is_not_told(desk: Desk) -> None:
    desk.silent = True
    desk.engine.put([*pages("abc", "a"), *pages("xyz", "x"), *pages("mn", "m")])
    with desk.alerter() as (alerter, state):
        assert not alerter.look()
        assert (alerter.silenced, state.count_waiting()) == (2, 0)
        desk.engine.put([*pages("stu", "s")])
        assert not alerter.look()
        assert (alerter.silenced, state.count_waiting()) == (2, 1)
    assert desk.look() == ["s"]
    desk.engine.put([*pages("d", "a"), *pages("o", "m")])
    assert desk.look() == ["m"]
    desk.rules = (THREE, "copies >= 4")
    assert desk.look() == []
    desk.engine.put([*pages("e", "a"), *pages("p", "m")])
    assert desk.look() == ["m"], "four copies had the other story before"


def test_taking_stock_goes_on_after_a_kill(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alerter_module, "LOOK_STORIES", 1)
    desk.silent = True
    desk.engine.put([*pages("abc", "a"), *pages("mno", "m"), *pages("xyz", "x")])
    with desk.alerter() as (alerter, _):
        assert alerter.look()
    desk.silent = False
    assert desk.look() == []
    desk.engine.put([*pages("pqr", "p"), *pages("d", "a")])
    assert desk.look() == ["p"]


def test_a_look_that_fails_has_told_nothing_and_is_made_again(desk: Desk) -> None:
    """Also of the story that it had read by then."""
    desk.engine.put([*pages("abc", "a"), *pages("mno", "m")])
    groups: list[str] = []

    def read_one(group: str, **options: Any) -> Any:
        groups.append(group)
        return desk.engine.copies(group, **options) if len(groups) == 1 else away()

    with desk.alerter(Watched(desk.engine, copies=read_one)) as (alerter, state):
        with pytest.raises(EngineError):
            alerter.look()
        assert (len(groups), state.count_waiting()) == (2, 0)
    with desk.alerter() as (alerter, state):
        assert not alerter.look(), "there is no more, and may never be less where somebody writes"
        assert state.count_waiting() == 2


def test_a_full_disk_is_named_and_what_was_not_kept_is_told_later(desk: Desk) -> None:
    desk.engine.put(pages("abc", "a", text="Fog. " * 500))
    with desk.alerter() as (alerter, state):
        (pages_now,) = state._db.execute("PRAGMA page_count").fetchone()
        state._db.execute(f"PRAGMA max_page_count = {pages_now}")
        with pytest.raises(ConfigError, match=r"alerts.db cannot be written: .*full; fix that"):
            alerter.look()
        assert state.count_waiting() == 0
    assert desk.look() == ["a"]


def test_a_state_is_of_one_engine_and_one_process(desk: Desk, tmp_path: Path) -> None:
    with desk.alerter(), pytest.raises(ConfigError, match=r"in use by another .*--told"):
        AlertState(desk.path, "memory://")
    with pytest.raises(ConfigError, match="belongs to alerts about memory://: name another file"):
        AlertState(desk.path, "sqlite:///other.db")
    stories = tmp_path / "news.db"
    SQLiteEngine(EngineURL.parse(f"sqlite:///{stories}")).close()
    with pytest.raises(ConfigError, match="not written by this version of `dup-groups alert`: name another"):
        AlertState(stories, "memory://")
    other = tmp_path / "news.csv"
    other.write_bytes(b"no database, but long enough to be seen as something else" * 20)
    with pytest.raises(ConfigError, match="cannot be used"):
        AlertState(other, "memory://")
