"""The labelling pages as a browser without JavaScript uses them, and what they refuse."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dupgroups.engines.base import Engine
from dupgroups_lab.labelling.model import Item, Rules, Shown
from dupgroups_lab.labelling.store import LabelStore
from lab.labelling.client import Visitor, fields, labelling
from lab.labelling.projects import crawled, news, pairs, project

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
ALONE = Rules(wanted=1, alone=True, honeypots=0)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return crawled()


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory, engine: Engine) -> LabelStore:
    return project(tmp_path_factory.mktemp("drawn") / "labels.db", engine, ALONE)


@pytest.fixture
def store(tmp_path: Path, drawn: LabelStore) -> LabelStore:
    return LabelStore(Path(shutil.copy(drawn.path, tmp_path)))


@pytest.fixture
def visitor(store: LabelStore) -> Iterator[Visitor]:
    with labelling(store) as port:
        visitor = Visitor(port)
        visitor.sign_in("Ann")
        yield visitor


def answers(store: LabelStore) -> list[tuple[str, str]]:
    return [(answer.assessor, answer.answer) for answer in store.board().answers]


def test_forms_do_everything(visitor: Visitor, store: LabelStore) -> None:
    page = visitor.ask("/label/news")
    assert "Is this a news article?" in page.text
    answered = visitor.ask("/label/news", fields(page) | {"answer": "yes"})
    assert (answered.status, answered.headers["location"]) == (303, "/label/news")
    again = visitor.ask("/label/news")
    assert fields(again)["item"] != fields(page)["item"]
    assert "1 answer" in again.text
    undone = visitor.ask("/undo", {"form_token": fields(again)["form_token"]})
    assert undone.headers["location"] == f"/label/news?item={fields(page)['item']}"
    assert fields(visitor.ask(undone.headers["location"])) == fields(page)
    assert answers(store) == []
    visitor.ask("/sign-out", fields(again))
    assert "Your name" in visitor.ask("/").text


@pytest.mark.parametrize(
    "change", [{"answer": "perhaps"}, {"item": "nothing", "answer": "yes"}, {"answer": "same"}]
)
def test_what_is_no_answer_is_not_stored(visitor: Visitor, store: LabelStore, change: dict[str, str]) -> None:
    refused = visitor.ask("/label/news", fields(visitor.ask("/label/news")) | change)
    assert refused.status == 400
    assert "This is not an answer to an item of this project" in refused.text
    assert answers(store) == []


def test_other_sites_cannot_write(visitor: Visitor, store: LabelStore) -> None:
    form = fields(visitor.ask("/label/news")) | {"answer": "yes"}
    other = {"Origin": "https://evil.example"}
    assert visitor.ask("/label/news", form | {"form_token": "guessed"}).status == 403
    assert visitor.ask("/label/news", form, other).status == 403
    assert visitor.ask("/sign-in", {"name": "Eve"}, other).status == 403
    assert Visitor(visitor.port).ask("/label/news", form).status == 403
    assert answers(store) == []
    own = {"Origin": f"http://127.0.0.1:{visitor.port}", "Sec-Fetch-Site": "same-origin"}
    assert visitor.ask("/label/news", form, own).status == 303
    # what our own Referrer-Policy makes of the origin
    assert visitor.ask("/undo", form, {"Origin": "null", "Sec-Fetch-Site": "same-origin"}).status == 303


def test_beyond_loopback_a_token_is_needed_and_says_what_one_may_see(store: LabelStore) -> None:
    lead, assessor, _ = store.secrets()
    with labelling(store, open_=False) as port:
        visitor = Visitor(port)
        for wrong in ("", "guess", "é"):
            refused = visitor.sign_in("Ann", wrong)
            assert refused.status == 400
            assert "This token is not right" in refused.text
            assert not visitor.cookie
        cookie = visitor.sign_in("Ann", assessor).headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        form = fields(visitor.ask("/label/news")) | {"answer": "yes"}
        assert visitor.ask("/label/news", form).status == 303
        assert visitor.ask("/quality").status == 403
        visitor.sign_in("Lea", lead)
        assert visitor.ask("/quality").status == 200


@pytest.fixture
def hostile(tmp_path: Path) -> LabelStore:
    items = [*news("a", "b"), *pairs("ab")]
    documents = [
        Shown(id_, f"{HOSTILE}\n{HOSTILE}", HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE) for id_ in "ab"
    ]
    return LabelStore.create(tmp_path / "hostile.db", replace(ALONE, wanted=2), documents, items)


def test_hostile_texts_stay_harmless_everywhere(hostile: LabelStore) -> None:
    for key in ("n:a", "n:b"):
        for name in ("Lea", "Leo"):
            hostile.answer(key, name, "yes")
    hostile.answer("p:ab", "<b>Bob", "same")
    hostile.answer("p:ab", "Cid", "different")
    with labelling(hostile) as port:
        visitor = Visitor(port)
        visitor.sign_in("<i>Ann")
        for path in ("/", "/quality", "/label/pairs", "/label/news"):
            page = visitor.ask(path)
            assert page.status == 200
            assert not [tag for tag in ("<script>alert", "<img src=x", "<i>", "<b>Bob") if tag in page.text]
            assert "default-src 'self'" in page.headers["content-security-policy"]


def page_of(path: Path, item: Item) -> str:
    """The page of an item, as an assessor gets it."""
    documents = [Shown(id_, f"Text of {id_}") for id_ in "ab"]
    items = [item] if item.phase == "news" else [*news("a", "b"), item]
    store = LabelStore.create(path, replace(ALONE, honeypots=0.5), documents, items)
    for key in ("n:a", "n:b") if item.phase == "pairs" else ():
        store.answer(key, "Lea", "yes")
    with labelling(store) as port:
        visitor = Visitor(port)
        visitor.sign_in("Ann")
        page = visitor.ask(f"/label/{item.phase}?item={item.key}")
    assert fields(page)["item"] == item.key
    return page.text.replace(fields(page)["form_token"], "TOKEN")


@pytest.mark.parametrize("item", [*news("a"), *pairs("ab")], ids=["news", "pairs"])
def test_nothing_tells_a_honeypot_from_other_items(tmp_path: Path, item: Item) -> None:
    honeypot = replace(item, known="yes" if item.phase == "news" else "same", jaccard=0.5)
    ordinary = page_of(tmp_path / "ordinary.db", item)
    assert page_of(tmp_path / "honeypot.db", honeypot) == ordinary


def test_what_only_one_text_of_a_pair_has_is_marked(tmp_path: Path) -> None:
    page = page_of(tmp_path / "pair.db", pairs("ab")[0])
    assert re.findall(">(Text of .*?)</p>", page) == [f"Text of <mark>{name}</mark>" for name in "ab"]
