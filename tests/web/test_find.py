"""The box for a text on the page, and the same question to the API: nothing is stored by either."""

import html
import json
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlencode

import pytest

from browser.serving import Site, serving
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.signing import id_of_url
from dupgroups.model import Page
from dupgroups.model.config import Config
from processes import Answer
from stories import reprint, round_up, story
from watched import Watched
from web.test_web import Elements, tags, visible

EVIL = "<script>alert('x')</script> \"><img src=x onerror=alert(1)> {{ 7*7 }} \u202e"
ADDRESS = "https://first.example/1"


@pytest.fixture(scope="module")
def engine() -> Iterator[Watched]:
    with closing(SQLiteEngine()) as store:
        Deduper(store).add_all(
            [
                Page(title="The quay", text=story("a"), url=ADDRESS),
                Page(id="<evil>", title=EVIL, text=round_up(), url="https://all.example/1"),
            ]
        )
        yield Watched(store)


@pytest.fixture(scope="module")
def site(engine: Watched) -> Iterator[Site]:
    with serving(engine) as served:  # type: ignore[arg-type]
        yield served


def typed(site: Site, **fields: str) -> Answer:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return site.get("/find", headers, method="POST", body=urlencode(fields).encode())


def asked(site: Site, body: Any) -> Answer:
    return site.get("/api/find", method="POST", body=json.dumps(body).encode())


def test_a_pasted_text_finds_copies_that_can_be_compared_with_it(site: Site) -> None:
    text = reprint(story("a"), 2).replace("\n", "\r\n")  # as browsers send it
    page = typed(site, text=text).text
    assert "2 documents have this text" in visible(page)
    (passage,) = re.findall(r"<blockquote[^>]*>(.*?)</blockquote>", page, re.DOTALL)
    assert passage.startswith(round_up()[:80])
    assert re.search(r"duplicate [01]\.\d\d The quay first\.example", visible(page), re.IGNORECASE)
    chosen = [given["value"] for tag, given in Elements(page).found if given.get("name") == "with"]
    assert chosen == [id_of_url(ADDRESS), "<evil>"]
    compared = visible(typed(site, text=text, **{"with": str(chosen[0])}).text)
    assert "These two are one story" in compared
    assert "The index has them" not in compared, "one of them is not in the index"
    assert "Paste a text or an address" in visible(site.get("/").text)


def test_the_address_of_a_document_finds_its_other_copies(site: Site) -> None:
    page = typed(site, text=ADDRESS).text
    links = [given.get("href") for _, given in Elements(page).found]
    assert f"/explain?a={id_of_url(ADDRESS)}&b=%3Cevil%3E" in links
    found = asked(site, {"url": ADDRESS}).json
    assert found["id"] == id_of_url(ADDRESS)
    assert [(one["id"], one["relation"]) for one in found["found"]] == [("<evil>", "contained")]
    missing = typed(site, text="https://nobody.example/1")
    assert (missing.status, "There is no document" in missing.text) == (404, True)


def test_the_api_says_what_the_library_finds(site: Site, engine: Watched) -> None:
    answer = asked(site, {"text": story("a"), "title": "Asked", "id": "mine"}).json
    found = Deduper(engine.engine).find({"text": story("a"), "title": "Asked", "id": "mine"})
    assert (answer["id"], answer["too_short"]) == ("mine", False)
    assert [(one["id"], one["score"]) for one in answer["found"]] == [(one.id, one.score) for one in found]
    assert asked(site, {"text": "Hm."}).json["too_short"] is True
    assert visible(typed(site, text="Hm.").text).count("too short to be compared") == 1
    assert "No document has this text." in visible(typed(site, text=story("nobody")).text)


def test_what_cannot_be_asked_is_said_in_a_sentence(site: Site) -> None:
    for body in (b"{", b"[]", b"\xff"):
        answer = site.get("/api/find", method="POST", body=body)
        assert (answer.status, answer.json["error"][:18]) == (400, "send a JSON object")
    assert "unknown parameter 'txt'" in asked(site, {"txt": "x"}).json["error"]
    assert asked(site, {"url": "https://nobody.example/1"}).status == 404
    assert asked(site, {"text": "x" * 2_000_001}).status == 413
    assert typed(site, text=story("a"), **{"with": "nobody"}).status == 404
    assert site.get("/api/find").status == 405
    assert site.get("/find").status == 200


def test_nothing_is_written_and_no_text_becomes_an_element(site: Site, engine: Watched) -> None:
    engine.calls.clear()
    page = typed(site, text=f"{EVIL}\n{story('a')}").text
    assert set(engine.names) <= {"candidates", "read", "keeps_text", "corrections"}
    assert set(tags(page)) <= {*tags(typed(site, text=story("a")).text), *tags(site.get("/").text)}
    assert "{{ 7*7 }}" in html.unescape(page)
    attributes = {name for _, given in Elements(page).found for name in given}
    assert not {name for name in attributes if name.startswith("on") or name == "style"}


def test_an_index_that_is_signed_otherwise_is_asked_by_its_texts_and_scopes_hold() -> None:
    with closing(SQLiteEngine()) as store:
        copies = [{"id": id_, "text": story("a"), "desk": "sport"} for id_ in "ab"]
        Deduper(store, Config(group_by=("desk",))).add_all(copies)
        with serving(store, config=Config(group_by=("desk",))) as site:
            for desk, found in (("sport", ["a", "b"]), ("culture", [])):
                answer = asked(site, {"text": story("a"), "desk": desk}).json
                assert [one["id"] for one in answer["found"]] == found
        with serving(store) as site:
            assert asked(site, {"id": "a"}).status == 200
