"""Corrections over HTTP: who may enter them, from where, and that nobody else changes anything."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from urllib.parse import urlencode

import pytest
from itsdangerous import TimestampSigner
from starlette.requests import Request
from starlette.responses import Response

from browser.serving import Site, serving
from dupgroups import Deduper
from dupgroups.engines.lazy import LazyEngine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import ConfigError
from dupgroups.model.config import Config
from dupgroups.web.correction_pages import NO_TOKENS, CorrectingSite
from dupgroups.web.sessions import Sessions, Tokens
from flow.scenes import OTHER, A, B, X, groups, signed
from processes import Answer

TOKEN = "a-token-of-ann-0123"


@pytest.fixture
def engine() -> Iterator[SQLiteEngine]:
    with closing(SQLiteEngine()) as engine:
        Deduper(engine).add_all([signed("a", A), signed("x", X), signed("b", B), signed("other", OTHER)])
        yield engine


@pytest.fixture
def site(engine: SQLiteEngine) -> Iterator[Site]:
    with serving(engine, tokens={"ann": TOKEN}) as site:
        yield site


def submit(site: Site, path: str, cookie: str | None = None, **fields: str) -> Answer:
    """Send a form as a browser does."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    headers |= {"Cookie": cookie} if cookie else {}
    return site.get(path, headers, method="POST", body=urlencode(fields).encode())


def log_in(site: Site) -> tuple[str, str]:
    """The cookie of a session, and the token of its forms."""
    wrong = submit(site, "/login", token="wrong", back="/groups/a?q=fog")
    assert wrong.status == 403
    assert 'name="back" value="/groups/a?q=fog"' in wrong.text
    answer = submit(site, "/login", token=TOKEN, back="//evil.example")
    assert (answer.status, answer.headers["location"]) == (303, "/corrections")
    cookie, *limits = answer.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=strict"} <= set(limits), "it is for this site only"
    page = site.get("/groups/a", {"Cookie": cookie}).text
    [form_token] = set(re.findall(r'name="form_token" value="(\w+)"', page))
    return cookie, form_token


# -- who may correct, and what


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"kind": "keep-apart", "a": "a", "b": "none"}, "no document has the id"),
        ({"kind": "keep-nothing", "a": "a", "b": "x"}, "is not a correction"),
        ({"undo": "9"}, "there is no correction 9"),
        ({"undo": "9" * 5000}, "the number of a correction is needed"),
    ],
)
def test_a_wrong_correction_is_answered_with_a_sentence(
    site: Site, engine: SQLiteEngine, fields: dict[str, str], sentence: str
) -> None:
    cookie, form_token = log_in(site)
    answer = submit(site, "/corrections", cookie, form_token=form_token, **fields)
    assert (answer.status, sentence in answer.text) == (400, True)
    assert engine.corrections() == ()


def test_the_main_copy_is_the_one_that_stands_for_the_story_in_searches(
    site: Site, engine: SQLiteEngine
) -> None:
    """Not the one after which the group is named."""
    Deduper(engine).correct("head", "x", by="ann")
    cookie, _ = log_in(site)
    page = site.get("/groups/a", {"Cookie": cookie}).text
    assert "The id of the story is that of" in page
    rows = page.split('<tr id="copy-')[1:]
    shown = {re.findall(r"<code>(\w+)</code>", row)[0]: row for row in rows}
    assert [id_ for id_, row in shown.items() if ">main</span>" in row] == ["x"]
    assert re.findall(r"<h1.*?>([^<]+)</span>", page)[0] in shown["x"]
    assert [id_ for id_, row in shown.items() if 'name="b" value="x"' in row] == ["a", "b"]
    assert [id_ for id_, row in shown.items() if "Compare with the main copy" in row] == ["a", "b"]
    assert site.get("/api/groups/a").json["head"] == "x"


def test_without_tokens_there_are_no_buttons_and_every_write_is_refused(engine: SQLiteEngine) -> None:
    with serving(engine) as site:
        page = site.get("/groups/a").text
        assert "Not this story" not in page
        assert "/login" not in page
        for path in ("/login", "/corrections"):
            for answer in (site.get(path), submit(site, path)):
                assert (answer.status, NO_TOKENS in answer.text) == (403, True)
    assert engine.corrections() == ()


def test_in_a_demo_every_visitor_corrects_by_the_forms_of_the_page_only(engine: SQLiteEngine) -> None:
    """No log-in, and no other site: it does not know what the forms hold."""
    with serving(engine, visitor="you") as site:
        page = site.get("/groups/a").text
        [form_token] = set(re.findall(r'name="form_token" value="(\w+)"', page))
        assert "Not this story" in page
        assert "Nothing has been corrected yet" in site.get("/corrections").text
        assert site.get("/login?back=%2Fgroups%2Fa").headers["location"] == "/groups/a"
        fields = {"kind": "keep-apart", "a": "a", "b": "b", "back": "/groups/a"}
        assert submit(site, "/corrections", **fields).status == 403
        assert submit(site, "/corrections", form_token=form_token, **fields).status == 303
        assert submit(site, "/login", token="").status == 403
        assert "Log out" not in site.get("/corrections").text
    assert [entry.by for entry in engine.corrections()] == ["you"]


def test_two_first_corrections_at_once_open_the_store_once(engine: SQLiteEngine) -> None:
    """Two Dedupers would have two locks over one store."""
    both_are_opening, opened = Barrier(2), []

    def open_() -> SQLiteEngine:
        opened.append(engine)
        with suppress(BrokenBarrierError):
            both_are_opening.wait(1)
        return engine

    site = CorrectingSite(LazyEngine(open_), Config(), None)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda id_: site.deduper().correct("head", id_, by="ann"), ["a", "b"]))
    assert len(opened) == 1
    assert [entry.number for entry in engine.corrections()] == [1, 2]


# -- the page


def test_a_session_shows_buttons_and_takes_corrections(site: Site, engine: SQLiteEngine) -> None:
    assert "Not this story" not in site.get("/groups/a").text
    assert "/login?back=%2Fgroups%2Fa%3Fq%3Dfog" in site.get("/groups/a?q=fog").text
    cookie, form_token = log_in(site)
    fields = {"form_token": form_token, "back": "/groups/a", "kind": "keep-together", "a": "a"}
    answer = submit(site, "/corrections", cookie, **fields, b=f"{site.url}/groups/other?q=x")
    assert (answer.status, answer.headers["location"]) == (303, "/groups/a?done=1")
    assert groups(engine)["other"] == "a"
    page = site.get(answer.headers["location"], {"Cookie": cookie}).text
    said = page[page.index('<div class="done" role="status">') :].partition("</div>")[0]
    assert ("are kept together" in said, 'name="undo" value="1"' in said) == (True, True)
    assert 'class="done"' not in site.get(answer.headers["location"]).text, "the log names people"
    assert "are kept together" in site.get("/groups/a", {"Cookie": cookie}).text
    assert "are kept together" not in site.get("/groups/a").text, "the log names people"
    assert submit(site, "/corrections", cookie, form_token=form_token, undo="1", back="").status == 303
    assert groups(engine)["other"] == "other"
    page = site.get("/groups/a?done=2", {"Cookie": cookie}).text
    assert 'role="status">correction 1 is undone </div>' in " ".join(page.split())
    log = site.get("/corrections", {"Cookie": cookie}).text
    assert "correction 1 is undone" in log
    assert "not carried out" not in log
    assert submit(site, "/logout", cookie, form_token=form_token).status == 303


def test_the_log_has_headlines_and_the_story_says_what_is_kept_apart_and_by_whom(
    site: Site, engine: SQLiteEngine
) -> None:
    cookie, form_token = log_in(site)
    for id_, document in engine.read(["a", "b"]).items():
        content = replace(document.content, title=f"Title {id_}", site=f"{id_}.example")
        engine.put([replace(document, content=content)])
    fields = {"form_token": form_token, "kind": "keep-apart", "a": "a", "b": "b"}
    assert submit(site, "/corrections", cookie, **fields, back="").status == 303
    said = "<bdi>“Title a” (a.example)</bdi> and <bdi>“Title b” (b.example)</bdi> are kept apart"
    for path in ("/groups/a", "/corrections"):
        assert said in site.get(path, {"Cookie": cookie}).text
    assert "kept apart by <bdi>ann</bdi>" in site.get("/groups/a", {"Cookie": cookie}).text
    others = site.get("/groups/a").text
    assert ("kept apart by a correction" in others, "ann" in others) == (True, False)
    related = site.get("/api/groups/a").json["related"]
    assert {one["group"]: one["kept_apart"] for one in related} == {"x": True, "other": False}


@pytest.mark.parametrize("given", [{}, {"form_token": ""}, {"form_token": "0" * 64}, {"form_token": "é"}])
def test_a_form_without_its_token_or_session_changes_nothing(
    site: Site, engine: SQLiteEngine, given: dict[str, str]
) -> None:
    cookie, _ = log_in(site)
    for path in ("/corrections", "/logout"):
        answer = submit(site, path, cookie, **given, kind="keep-apart", a="a", b="b")
        assert (answer.status, "This form has expired" in answer.text) == (403, True)
    for forged in (None, "dupgroups-session=", "dupgroups-session=W10=.00"):
        answer = submit(site, "/corrections", forged, **given, kind="keep-apart", a="a", b="b")
        assert (answer.status, "Log in first" in answer.text) == (403, True)
    assert engine.corrections() == ()


def test_a_form_that_is_too_large_or_no_text_is_refused(site: Site) -> None:
    assert submit(site, "/login", token="x" * 9_000).status == 413
    assert site.get("/login", method="POST", body=b"token=\xff").status == 400


def test_a_form_that_another_site_sends_is_refused(site: Site, engine: SQLiteEngine) -> None:
    cookie, form_token = log_in(site)
    form = urlencode({"form_token": form_token, "kind": "keep-apart", "a": "a", "b": "b"}).encode()
    for header in (
        {"Origin": "https://evil.example"}, {"Origin": "http://["}, {"Sec-Fetch-Site": "cross-site"}
    ):  # fmt: skip
        headers = {"Cookie": cookie, **header}
        assert site.get("/corrections", headers, method="POST", body=form).status == 403
        assert site.get("/login", header, method="POST", body=f"token={TOKEN}".encode()).status == 403
    assert engine.corrections() == ()
    own = {"Cookie": cookie, "Origin": site.url, "Sec-Fetch-Site": "same-origin"}
    assert site.get("/corrections", own, method="POST", body=form).status == 303


# -- tokens and sessions


def test_a_session_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000]
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda signer: now[0])
    sessions, answer = Sessions("session", 100), Response()
    over_tls = {"type": "http", "scheme": "https", "server": ("localhost", 443), "path": "/", "headers": []}
    sessions.begin(Request(over_tls), answer, "ann", "lead")
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert "; Secure" in answer.headers["set-cookie"]
    request = Request({"type": "http", "headers": [(b"cookie", cookie.encode())]})
    now[0] = 1_100
    found = sessions.of(request)
    assert (found.name, found.role) == ("ann", "lead")  # type: ignore[union-attr]
    assert Sessions("session", 100).of(request) is None, "another start has another key"
    now[0] = 1_101
    assert sessions.of(request) is None


@pytest.mark.parametrize("text", [None, "# only this\n", "ann short\n", f"ann {TOKEN}\nann {TOKEN}\n"])
def test_a_wrong_file_of_tokens_is_refused(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "tokens"
    if text:
        file.write_text(text)
    with pytest.raises(ConfigError, match="token"):
        Tokens.read(file)
    file.write_text(f"# who may correct\n\nann {TOKEN}\n")
    assert [Tokens.read(file).name_of(token) for token in (TOKEN, "x")] == ["ann", None]
