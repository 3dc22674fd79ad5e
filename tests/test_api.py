"""The Python face: what stands for a document, and how what does not is refused."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dupgroups import Deduper, Page, compare, extract, group, open_engine
from dupgroups.errors import EngineError, InputError
from dupgroups.model import Query
from dupgroups.text.document_like import as_page
from processes import environment
from stories import reprint, story


@pytest.mark.parametrize(
    ("document", "page"),
    [
        (b"<p>x", Page(html=b"<p>x")),
        ("<p>x", Page(html="<p>x")),
        ("x < y", Page(text="x < y")),
        ({"text": "x", "id": 7, "url": None, "else": 5}, Page(text="x", id="7")),
        ({"Text": "x", "URL": "http://a.example/"}, Page(text="x", url="http://a.example/")),
        ({"text": "", "scope": "s"}, Page(text="", scope="s")),
        (Page(text="x"), Page(text="x")),
    ],
)
def test_what_stands_for_a_document(document: Any, page: Page) -> None:
    assert as_page(document) == page


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"text": {"a": 1}}, "text is not text .dict."),
        (
            {"text": float("nan"), "content": "x", "of": {"x": 1}},
            "neither html nor text, but content, of.x: name",
        ),
        ("https://a.example/story", "'https://a.example/story' looks like a path or a URL, not the content"),
        ("pages/story.html", "'pages/story.html' looks like a path or a URL"),
        (Page(text=5), "text of a document must be a string, not int"),  # type: ignore[arg-type]
        (5, "not int"),
        (Page(), "neither html nor text"),
    ],
)
def test_input_of_the_wrong_type_is_refused_in_a_sentence(wrong: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(wrong, "x")
    with pytest.raises(InputError, match=f"^document 1: .*{message}"):
        group(["x", wrong])


def test_a_page_is_extracted_as_it_would_be_stored() -> None:
    page = Page(html="<p>The ferry struck a barge in the fog.</p>", title="Fog", site="Kessel Herald")
    content = extract(page, "https://a.example/1")
    assert (content.title, content.site, content.url) == ("Fog", "Kessel Herald", "https://a.example/1")
    with pytest.raises(InputError, match="neither html nor text"):
        extract(Page())


def test_groups_are_named_by_id_key_or_position() -> None:
    texts = [reprint(story("a"), copy) for copy in range(3)]
    assert group(texts) == {0: 0, 1: 0, 2: 0}
    assert group({"x": texts[0], "y": {"id": 7, "text": texts[1]}}) == {"x": "x", 7: "x"}
    assert group({(1, "a"): texts[0], 5: texts[1]}) == {(1, "a"): (1, "a"), 5: (1, "a")}
    records = [{"key": number, "body": {"main": text}} for number, text in enumerate(texts, 5)]
    assert group(records, fields={"id": "key", "text": "body.main"}) == {5: 5, 6: 5, 7: 5}
    assert group([]) == {}
    for wrong in (texts[0], 5, None, Page(text="x")):
        with pytest.raises(InputError, match=f"give a list, .* not one {type(wrong).__name__}"):
            group(wrong)
    with pytest.raises(InputError, match="document 7: 7 and '7' are the same id"):
        group({"7": texts[0], 7: texts[1]})
    with pytest.raises(InputError, match="'body' is not a part of a page: use url, html, text"):
        group(texts, fields={"body": "text"})
    for names, kind in (("text=body", "str"), (["text"], "list")):
        with pytest.raises(InputError, match=f"fields must be a dict, such as .*, not {kind}"):
            group(texts, fields=names)  # type: ignore[call-overload]
        with pytest.raises(InputError, match="fields must be a dict"):
            Deduper("memory://").add_all(texts, fields=names)  # type: ignore[arg-type]


@pytest.mark.parametrize("place", ["https://a.example/story", "page.html"])
def test_a_place_is_no_page(place: str) -> None:
    with pytest.raises(InputError, match="looks like a path or a URL, not the content"):
        extract(place)


LABELS = {"pandas": [30, 10, 20, 40], "polars": [0, 1, 2, 3]}
TEXTS = [story("a"), story("b"), reprint(story("a"), 1), None]


def _frame(library: str, **columns: list[Any]) -> Any:
    """A frame with the labels of LABELS where it has an index."""
    made = pytest.importorskip(library).DataFrame(columns)
    return (
        made.set_index(pytest.importorskip("pandas").Index(LABELS["pandas"])) if library == "pandas" else made
    )


@pytest.mark.parametrize("library", LABELS)
def test_a_frame_or_series_gives_a_series_in_its_order(library: str, tmp_path: Path) -> None:
    labels = LABELS[library]
    frame = _frame(library, content=TEXTS, link=[f"http://{site}.example/" for site in "abcd"], key=[*"wxyz"])
    expected = [labels[0], labels[1], labels[0], labels[3]]
    for groups in (group(frame, text="content"), group(frame["content"])):
        assert groups.to_list() == expected
        assert type(groups) is type(frame["content"])
        if library == "pandas":
            assert groups.index.equals(frame.index)
    named = group(frame, fields={"text": "content", "url": "link", "id": "key"})
    assert named.to_list() == ["w", "x", "w", "z"]
    with pytest.raises(
        InputError, match=r"neither a column 'text' nor 'html' \(columns: content, link, key\): name yours"
    ):
        group(frame)
    if library == "polars":
        with pytest.raises(InputError, match=r"call its \.collect\(\) first"):
            group(frame.lazy(), text="content")
    with pytest.raises(InputError, match=r"no column 'body' \(columns: content, link, key\)"):
        group(frame, text="body")
    with Deduper(f"sqlite:///{tmp_path}/news.db") as deduper:
        added = deduper.add_all(frame[:3], fields={"text": "content", "id": "key"})
        assert [outcome.group for outcome in added] == ["w", "x", "w"]


def test_an_index_with_a_label_twice_is_refused() -> None:
    frame = _frame("pandas", text=TEXTS, key=[*"wxyz"])
    twice = frame.set_index(frame.index.map(lambda label: label % 20))
    with pytest.raises(InputError, match="the index has a label twice"):
        group(twice)
    assert group(twice, fields={"id": "key"}).to_list() == ["w", "x", "w", "z"]


def test_a_deduper_searches_and_engines_close_with_their_block(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    with Deduper(url) as deduper:
        assert repr(deduper) == f"Deduper('{url}')"
        deduper.add({"id": "a", "text": TEXTS[0]})
        word = story("a").split()[3]
        assert [hit.shown.id for hit in deduper.search(word, mode="all").hits] == ["a"]
        assert deduper.search(Query("nobodysword")).documents == 0
    with open_engine(url) as engine:
        assert repr(engine) == f"SQLiteEngine('{url}')"
    with pytest.raises(EngineError, match="already closed"):
        engine.get(["a"])


def test_a_deduper_takes_what_group_takes(tmp_path: Path) -> None:
    text, other = story("ferry"), story("bridge")
    documents = {"a": text, "b": {"text": reprint(text, 1)}, "c": f"<html><p>{other}</p>".encode()}
    groups = group(documents)
    with Deduper(f"sqlite:///{tmp_path}/news.db") as deduper:
        added = [deduper.add({"id": "a", "text": text}), deduper.add({"id": "b", **documents["b"]})]
        added += deduper.add_all([{"id": "c", "html": documents["c"]}])
        assert {outcome.id: outcome.group for outcome in added} == groups
        with pytest.raises(InputError, match="must be a Page"):
            deduper.add_all([text, 5])
        assert len(list(deduper.engine.scan())) == 3


def test_the_add_on_without_scrapy_is_a_sentence(tmp_path):
    (tmp_path / "scrapy.py").write_text("raise ModuleNotFoundError('No module', name='scrapy')")
    code = "import dupgroups; dupgroups.Addon"
    env = environment(PYTHONPATH=os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]]))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stderr.endswith("The Scrapy pipeline needs an extra: pip install 'dup-groups[scrapy]'\n")
