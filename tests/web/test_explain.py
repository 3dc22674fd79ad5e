"""The pages that explain: why two documents are one story, who is tied to whom; nothing hostile gets out."""

import html
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from browser.serving import Site, serving
from commands import cli, news
from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.signing import id_of_url
from dupgroups.model import Page
from dupgroups.model.config import Config
from dupgroups.presentation.wording import RELATIONS
from dupgroups.web.parameters import explain_url
from stories import reprint, round_up, story
from web.test_web import Elements, tags, visible

EVIL = "<script>alert('x')</script> \"><img src=x onerror=alert(1)> {{ 7*7 }} \ue000\ue001 \u202e"


def pages() -> list[Page]:
    """Three copies of a story, a round-up with it, and two copies whose words are hostile."""
    hostile = "\n".join(f"{EVIL} {line} {EVIL}" for line in story("evil").split("\n"))
    texts = {
        "a": story("a"),
        "b": reprint(story("a"), 1),
        "c": reprint(story("a"), 2),
        "round-up": round_up(),
        "<evil>": hostile,
        "'\"&?#/%2F": hostile.replace("alert", "prompt"),
    }
    return [
        Page(text=text, id=id_, title=EVIL if text.startswith("<") else f"Title of {id_}",
             url=f"https://site-{place}.example/{place}", date=f"2026-03-0{place + 1}")
        for place, (id_, text) in enumerate(texts.items())
    ]  # fmt: skip


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with closing(SQLiteEngine()) as engine:
        Deduper(engine).add_all(pages())
        with serving(engine) as served:
            yield served


def test_one_decision_has_one_threshold_wherever_it_is_shown(site: Site, tmp_path: Path) -> None:
    """The comparison, the page of the story, and the command about both say the same of it."""
    url = news(tmp_path, pages())
    shown = [visible(site.get(path).text) for path in ("/explain?a=a&b=c", "/groups/a")]
    shown += [cli("explain", *ids, "--engine", url).stdout for ids in (("a", "c"), ("a",))]
    for said in shown:
        assert "copies from a score of 0.5" in said
        assert "all others by their texts" in said


def test_the_page_says_what_was_measured(site: Site) -> None:
    page = visible(site.get("/explain?a=a&b=c").text)
    assert "These two are one story duplicate with a score of" in page
    assert re.search(r"words in common, by rarity ?\d+\.\d% ?\+\d\.\d", page)
    assert "Judge evidence, signatures minhash.4." in page
    assert story("a").split("\n")[0][:60] in page
    assert "Id a " in page
    page = visible(site.get(explain_url("round-up", "a")).text)
    assert "These two are two stories contains with" in page
    assert RELATIONS["contains"] in page


def test_what_cannot_be_explained_is_said_in_a_sentence(site: Site) -> None:
    missing = site.get("/explain?a=a&b=nobody")
    assert missing.status == 404
    assert "There is no document 'nobody': it may have been deleted." in html.unescape(missing.text)
    address = "https://site-0.example/0"  # not an id, as these documents have ids of their own
    assert f"There is no document '{id_of_url(address)[:40]}'" in html.unescape(
        site.get(explain_url(address, "a")).text
    )
    half = site.get("/api/explain?a=a")
    assert (half.status, half.json["error"]) == (400, "name two documents by their ids: a and b")


def test_what_is_not_alike_is_not_coloured(site: Site) -> None:
    assert 'class="why texts"' in site.get("/explain?a=a&b=c").text
    page = site.get("/explain?a=a&b=%3Cevil%3E").text
    assert ('class="why texts unmarked"' in page, "Marked" in visible(page)) == (True, False)


def test_a_story_shows_who_is_tied_to_whom_and_when_they_came(site: Site) -> None:
    page = site.get("/groups/a").text
    found = re.findall(r'class="relation duplicate tied heat[345]" href="([^"]*)"', page)
    assert sorted(map(html.unescape, found)) == sorted(
        explain_url(a, b) for a in "abc" for b in "abc" if a != b
    )
    assert [visible(row)[:1] for row in page.split('<tr id="copy-')[1:]] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "path", [explain_url("<evil>", "'\"&?#/%2F"), explain_url("a", "<evil>"), "/groups/%3Cevil%3E"]
)
def test_hostile_words_and_ids_stay_text(site: Site, path: str) -> None:
    answer = site.get(path)
    page = answer.text
    assert answer.status == 200
    harmless = {*tags(site.get("/explain?a=a&b=b").text), *tags(site.get("/groups/a").text)}
    assert set(tags(page)) <= harmless
    assert "script" not in tags(page)[tags(page).index("body") :]
    attributes = {name for _, given in Elements(page).found for name in given}
    assert not {name for name in attributes if name.startswith("on") or name == "style"}
    assert "{{ 7*7 }}" in html.unescape(page)
    for _, given in Elements(page).found:
        for name in ("href", "action", "src"):
            assert (given.get(name) or "/").startswith(("/", "https://site-", "#", "https://github.com/"))


def test_documents_are_compared_as_the_configuration_of_the_server_says_and_without_signatures() -> None:
    engine = SQLiteEngine()
    Deduper(engine).add_all([Page(text="Too short.", id="s", url="https://a.example/s"), *pages()])
    with serving(engine, config=Config(within_days=0)) as site:
        page = visible(site.get("/explain?a=a&b=b").text)
        assert "They were published 1 day apart; within_days = 0 keeps them apart." in page
        assert "too_short" in visible(site.get("/explain?a=s&b=a").text)
        assert site.get("/groups/s").status == 200


def test_what_is_no_evidence_is_said_by_the_page_and_by_the_commands(tmp_path: Path) -> None:
    notice = f"{EVIL} {story('notice', 300)}"
    framed = [
        Page(id=name, url=f"https://a.example/{name}", text=f"{story(name, 40)}\n{notice}") for name in "abc"
    ]
    url = news(tmp_path, framed)
    with closing(open_engine(url)) as engine, serving(engine) as site:
        page = site.get("/explain?a=a&b=b").text
    for said in (visible(page), cli("explain", "a", "b", "--engine", url).stdout):
        assert "No evidence, as other stories have it, too (frame 1, as in a, b, c)" in said
    assert not {name for _, given in Elements(page).found for name in given if name.startswith("on")}
    assert "frame 1, as in a, b, c" in cli("frames", "--engine", url).stdout
    assert "1 entry of the log" in cli("doctor", "--engine", url).stdout
    assert "number 1 is undone" in cli("undo", "1", "--engine", url).stdout
    assert "no frames" in cli("frames", "--engine", url).stdout
    listed = cli("corrections", "--engine", url).stdout
    assert "frame" not in listed
    assert "number 1 is undone" in listed
