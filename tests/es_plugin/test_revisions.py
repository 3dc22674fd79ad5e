"""Earlier texts in a cluster, which a writer keeps if its URL says so, whoever else writes, and dies."""

import random
from contextlib import closing, suppress
from typing import Any

import pytest

from commands import cli
from dupgroups import Deduper, Page, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.engines import Engine
from dupgroups.text.facts import join_title
from dupgroups_es import revision_index
from dupgroups_es.base import ClusterEngine
from engines.documents import document
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, fill, index_of, seeds, servers
from es_plugin.test_deaths import Death, Mortal
from stories import story


def earlier(engine: Engine, id_: str = "a") -> list[str]:
    return [one.text for one in engine.revisions([id_]).get(id_, [])]


@servers(ALL)
@seeds(1, later=4)
def test_every_text_that_was_stored_comes_back_the_latest_first(engine_url: str, seed: int) -> None:
    """Also where writers die at any request of a change."""
    draw, texts, said = random.Random(seed), ["12 dead", "14 dead", "fifteen", "桥。"], list[str]()
    for at in range(12):
        with closing(open_engine(f"{engine_url}?revisions=true")) as engine:
            assert isinstance(engine, ClusterEngine)
            if draw.random() < 0.4:
                how = draw.choice(["before", "a part", "after"])
                engine.cluster.client = Mortal(engine.cluster.client, draw.randint(1, 4), how)
            with suppress(Death):
                engine.put([document("a", title="Fog", text=draw.choice(texts), last_seen=at), document("b")])
        with closing(open_engine(engine_url)) as engine:
            if stored := engine.read(["a"]):
                text = join_title("Fog", stored["a"].content.text)
                said += [text] if said[-1:] != [text] else []
            assert earlier(engine) == said[-2::-1]
            assert earlier(engine, "b") == earlier(engine, "unknown") == []
    assert len(said) > 3


@servers(ONE_OF_EACH)
def test_earlier_texts_go_with_the_document_and_are_kept_only_where_the_url_says_so(engine_url: str) -> None:
    with closing(open_engine(engine_url)) as engine:
        engine.put([document("a", text="one")])
        engine.put([document("a", text="two")])
        assert "revisions" not in str(engine.made_indices())  # type: ignore[attr-defined]
    with closing(open_engine(f"{engine_url}?revisions=true")) as engine:
        engine.put([document("a", text="three")])
        assert earlier(engine) == [join_title("", "two")]
        engine.delete(["a"])
        engine.put([document("a", text="three")])
        assert earlier(engine) == []


@servers(ONE)
@pytest.mark.parametrize("command", ["regroup", "delete"])
def test_what_a_document_said_goes_after_another_tool_deleted_it(engine_url: str, command: str) -> None:
    with closing(Deduper(f"{engine_url}?revisions=true")) as deduper:
        for name in "ab":
            deduper.add_all([Page(id=id_, text=story(name)) for id_ in ("gone", "left")])
    ask(engine_url, "DELETE", f"/{index_of(engine_url)}/_doc/gone?refresh=true")
    with closing(open_engine(engine_url)) as engine:
        assert [*engine.find_gone()] == [["gone"]]
        assert {check.name for check in audit(engine) if not check.ok} >= {"deleted"}
        cli(command, *["gone"][: command == "delete"], "--engine", engine_url)
        assert [*engine.find_gone()] == []
        assert earlier(engine, "left")


@servers(ONE)
def test_of_many_changes_the_latest_are_kept(engine_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision_index, "MAX_REVISIONS", 3)
    with closing(open_engine(f"{engine_url}?revisions=true")) as engine:
        for number in range(6):
            engine.put([document("a", text=f"{number} dead")])
        assert earlier(engine) == [join_title("", f"{number} dead") for number in (4, 3, 2)]


@servers(ONE)
def test_a_large_text_and_an_index_that_takes_nothing_stop_no_document(
    engine_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(revision_index, "MAX_REVISION_CHARS", 200)
    large = " ".join(str(number) for number in range(500))
    with closing(open_engine(f"{engine_url}?revisions=true")) as engine:
        for text in ("one", "two", large, "three", "four"):
            engine.put([document("a", text=text)])
        assert earlier(engine) == [join_title("", "three")]
        name = f"dup-groups-{index_of(engine_url)}-revisions"
        ask(engine_url, "PUT", f"/{name}/_settings", {"index.blocks.write": True})
        engine.put([document("a", text="five"), document("b", text="one")])
        assert {one.content.text for one in engine.read(["a", "b"]).values()} == {"five", "one"}
        assert "What was changed is not kept" in caplog.text
        assert name in caplog.text
        ask(engine_url, "DELETE", f"/{name}")
        for text in ("six", "seven"):
            engine.put([document("a", text=text)])
        assert earlier(engine) == [join_title("", text) for text in ("six", "five")]


@servers(ONE)
def test_an_index_of_other_tools_without_a_title_keeps_earlier_texts(engine_url: str) -> None:
    fill(engine_url, {"x": {"body": story("x")}}, {"properties": {"body": {"type": "text"}}})
    cli("backfill", "--engine", engine_url, "--fields", "text=body")
    with closing(Deduper(f"{engine_url}?revisions=true")) as deduper:
        for name in "ab":
            deduper.add(Page(id="x", title="Fog", text=story(name)))
        assert earlier(deduper.engine, "x") == [join_title("", story(name)) for name in "ax"]


@servers(ONE)
def test_a_text_that_came_in_between_hides_no_earlier_one(engine_url: str) -> None:
    with (
        closing(open_engine(f"{engine_url}?revisions=true")) as one,
        closing(open_engine(f"{engine_url}?revisions=true")) as other,
    ):
        one.put([document("a", text="one")])
        send = one.cluster.write  # type: ignore[attr-defined]

        def overtaken(actions: Any) -> Any:
            one.cluster.write = send  # type: ignore[attr-defined]
            other.put([document("a", text="two")])
            return send(actions)

        one.cluster.write = overtaken  # type: ignore[attr-defined]
        one.put([document("a", text="three")])
        assert one.read(["a"])["a"].content.text == "three"
        assert earlier(one) == [join_title("", "one")]  # of what came in between it did not know
