"""What is near a document in a store, asked without storing anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dupgroups import Config, Page
from dupgroups.engines import Engine, open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.finding import Found, found_payload
from flow.scenes import CHAIN, deduper, page, states
from stories import reprint, running_text, story
from watched import Watched


class Textless(Watched):
    """A store in which another tool keeps html in place of the texts."""

    keeps_text = False


@pytest.fixture
def engine() -> Iterator[Engine]:
    with closing(SQLiteEngine()) as opened:
        deduper(opened).add_all([page("whole", "abc"), page("part", "a"), page("other", "xyz")])
        yield opened


def said(found: list[Found]) -> list[tuple[str, str]]:
    return [(one.id, one.relation) for one in found]


def test_copies_containers_and_excerpts_are_found_the_nearest_first(engine: Engine) -> None:
    asked = {parts: deduper(engine).find(page("asked", parts)) for parts in ("abc", "a", "q")}
    assert said(asked["abc"]) == [("whole", "duplicate"), ("part", "contains")]
    assert said(asked["a"]) == [("part", "duplicate"), ("whole", "contained")]
    assert asked["q"] == []
    copy = asked["abc"][0]
    assert (copy.joins, copy.differ) == (True, ())
    assert copy.score > asked["abc"][1].score
    assert "phrases are common to both" in copy.reason


def test_of_those_that_share_keys_the_nearest_come_first_and_the_different_ones_not_at_all() -> None:
    with closing(SQLiteEngine()) as opened:
        store = deduper(opened)
        store.add_all(page(f"from {part[0]}", part) for part in CHAIN)
        asked = store.sign(page("asked", CHAIN[0]))
        (candidates,) = opened.candidates([asked.record.signature], limit=64)
        assert {"from g", "from h"} <= {other.id for other in candidates}
        relations = said(store.find(asked))
    assert [id_ for id_, _ in relations] == ["from a", "from b", "from c", "from d", "from e", "from f"]
    assert [relation for _, relation in relations] == ["duplicate"] * 3 + ["near"] * 3


def test_a_stored_document_is_not_near_itself(engine: Engine) -> None:
    stored = engine.read(["whole"])["whole"]
    assert said(deduper(engine).find(stored)) == [("part", "contains")]


def test_what_was_found_is_told_in_plain_values(engine: Engine) -> None:
    deduper(engine).add(Page(id="named", text=story("q"), title="Fog", site="Bay News"))
    asked = deduper(engine).sign(page("asked", "q"))
    found = deduper(engine).find(asked)
    payload = json.loads(json.dumps(found_payload(asked, found)))
    assert (payload["id"], payload["too_short"]) == ("asked", False)
    (named,) = payload["found"]
    assert {
        "id": "named",
        "title": "Fog",
        "url": None,
        "site": "Bay News",
        "joins": True,
    }.items() <= named.items()
    short = deduper(engine).sign(page("short", ""))
    assert found_payload(short, []) == {"id": "short", "too_short": True, "found": []}


def test_what_is_too_short_is_near_nothing(engine: Engine) -> None:
    deduper(engine).add(page("short", ""))
    assert deduper(engine).find(page("asked", "")) == []


def test_the_facts_that_differ_are_named_as_each_text_has_them(engine: Engine) -> None:
    fire = "The fire at the quay killed 12 people and hurt 40 others: 7 engines, 6 boats, 90 calls."
    text = f"{running_text('quay')}\n{fire}"
    deduper(engine).add(Page(id="first", text=text, title="Fire", url="https://a.example/1"))
    (found,) = deduper(engine).find(text.replace("killed 12", "killed 14"))
    assert (found.id, found.relation) == ("first", "duplicate")
    assert found.differ == (("14", "12"),)
    assert (found.title, found.url, found.site) == ("Fire", "https://a.example/1", "a.example")
    (found,) = deduper(Textless(engine)).find(text.replace("killed 12", "killed 14"))
    assert (found.relation, found.differ) == ("duplicate", ()), "what it keeps is not what was signed"


def test_it_finds_what_adding_the_document_joins() -> None:
    texts = [reprint(running_text(name), seed) for seed in range(4) for name in ("quay", "pier", "mole")]
    store = deduper(SQLiteEngine())
    joined = 0
    for place, text in enumerate(texts):
        asked = Page(id=f"{place:02}", text=text)
        found = store.find(asked)
        outcome = store.add(asked)
        assert {one.id for one in found if one.joins} == set(outcome.verdicts)
        assert {one.id: one.score for one in found if one.joins} == {
            id_: verdict.score for id_, verdict in outcome.verdicts.items()
        }
        joined += outcome.state == "joined"
    assert joined == 9


def test_days_and_scopes_keep_apart_as_when_it_is_added() -> None:
    old = {"id": "old", "text": story("a"), "date": "2026-03-01", "desk": "sport"}
    config = Config(within_days=2, group_by=("desk",))
    store = deduper(SQLiteEngine(), config, clock=lambda: 1_772_500_000_000_000)  # 3 March 2026
    assert states([store.add(old)]) == ["new"]
    for changed, found in (
        ({"date": "2026-03-02"}, ["old"]),
        ({"date": None}, ["old"]),
        ({"date": "2026-03-09"}, []),
        ({"desk": "culture"}, []),
    ):
        assert [one.id for one in store.find({**old, "id": "new", **changed})] == found


def test_many_are_asked_with_two_reads_and_no_write(engine: Engine) -> None:
    watched = Watched(engine)
    found = deduper(watched).find_all([page("1", "a"), page("2", "abc"), page("3", "q")])
    assert [len(one) for one in found] == [2, 2, 0]
    assert watched.names == ["candidates", "read"]
    assert deduper(watched).find_all([]) == []


def test_the_file_stays_as_it_is_to_the_byte(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with Deduper(url) as store:
        store.add_all([page("whole", "abc"), page("part", "a")])
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with closing(open_engine(url, must_exist=True)) as opened:
        assert len(deduper(opened).find(page("part", "abc"))) == 2  # one is that of its id
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
