"""Corrections of an index that another tool fills, which it cannot undo by writing again."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest

from browser.serving import Site, serving
from commands import run
from dupgroups.backfill import Backfill
from dupgroups.model import Query
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import ONE_OF_EACH, servers
from es_plugin.test_adopted import DOCUMENTS, Opened, adopted, fill, source_of, well  # noqa: F401 - fixture
from flow.scenes import groups

TOKEN = "a-token-of-ann-0123"


def button(site: Site, cookie: str, **fields: str) -> int:
    """Press a button of the page of a story."""
    page = site.get("/groups/f1", {"Cookie": cookie}).text
    form_token = re.findall(r'name="form_token" value="(\w+)"', page)[0]
    body = urlencode({"form_token": form_token, "back": "f1", **fields}).encode()
    return site.get("/corrections", {"Cookie": cookie}, method="POST", body=body).status


@servers(ONE_OF_EACH)
def test_commands_correct_an_adopted_index_and_its_tool_undoes_nothing(
    adopted: ClusterEngine,  # noqa: F811
    engine_url: str,
    opened: Opened,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def entered(*arguments: str) -> bool:
        return run(monkeypatch, *arguments, "--engine", engine_url, "--by", "ann") == 0

    assert groups(adopted) == {"f1": "f1", "f2": "f1", "w1": "w1"}
    assert entered("keep-apart", "f1", "f2")
    assert entered("keep-together", "f1", "w1")
    assert entered("head", "w1")
    corrected = {"f1": "f1", "f2": "f2", "w1": "f1"}
    assert groups(opened(engine_url)) == corrected
    assert [hit.shown.id for hit in opened(engine_url).search(Query(mode="head")).hits] == ["f2", "w1"]
    assert {id_: source_of(engine_url, id_) for id_ in DOCUMENTS} == DOCUMENTS

    fill(engine_url, DOCUMENTS)  # the tool writes all of them again, without what was added
    assert Backfill(opened(engine_url)).run().failures == {}
    assert run(monkeypatch, "settle", "--all", "--engine", engine_url) == 0
    assert groups(opened(engine_url)) == corrected
    assert opened(engine_url).get(["w1"])["w1"].is_head
    assert well(opened(engine_url))

    for number in ("1", "2", "3"):
        assert entered("undo", number)
    assert groups(opened(engine_url)) == {"f1": "f1", "f2": "f1", "w1": "w1"}
    assert {hit.shown.id for hit in opened(engine_url).search(Query(mode="head")).hits} == {"f1", "w1"}
    assert [entry.kind for entry in opened(engine_url).corrections()][3:] == ["undo"] * 3


@servers(ONE_OF_EACH)
def test_the_page_and_the_api_correct_an_adopted_index(
    adopted: ClusterEngine,  # noqa: F811
    engine_url: str,
    opened: Opened,
) -> None:
    with serving(adopted, tokens={"ann": TOKEN}) as site:
        made = site.get(
            "/api/corrections",
            {"Authorization": f"Bearer {TOKEN}"},
            method="POST",
            body=json.dumps({"kind": "keep-together", "a": "w1", "b": "f1"}).encode(),
        )
        assert (made.status, made.json["after"]) == (201, {"f1": 3})
        login = site.get("/login", method="POST", body=f"token={TOKEN}&back=f1".encode())
        cookie = login.headers["set-cookie"].partition(";")[0]
        assert button(site, cookie, kind="keep-apart", a="f2", b="f1") == 303
        assert button(site, cookie, kind="head", a="w1") == 303
        assert groups(opened(engine_url)) == {"f1": "f1", "f2": "f2", "w1": "f1"}
        assert "w1</bdi> is the head of its story" in site.get("/groups/f1", {"Cookie": cookie}).text
        for number in ("1", "2", "3"):
            assert button(site, cookie, undo=number) == 303
    assert groups(opened(engine_url)) == {"f1": "f1", "f2": "f1", "w1": "w1"}
    assert {id_: source_of(engine_url, id_) for id_ in DOCUMENTS} == DOCUMENTS
