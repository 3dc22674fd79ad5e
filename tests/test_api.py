"""The Python face: what stands for a document, and how what does not is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from dupgroups import Deduper, Page, compare, group
from dupgroups.errors import EngineError, InputError
from dupgroups.model.document_like import as_page
from processes import environment
from stories import reprint, story


@pytest.mark.parametrize(
    ("document", "page"),
    [
        (b"<p>x", Page(html=b"<p>x")),
        ("<p>x", Page(html="<p>x")),
        ("x < y", Page(text="x < y")),
        ({"text": "x", "id": 7, "url": None, "else": 5}, Page(text="x", id="7")),
        (Page(text="x"), Page(text="x")),
    ],
)
def test_what_stands_for_a_document(document: Any, page: Page) -> None:
    assert as_page(document) == page


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"text": 5}, "text of a document must be a string, not int"),
        (Page(text=5), "text of a document must be a string, not int"),  # type: ignore[arg-type]
        (5, "not int"),
        (Page(), "neither html nor text"),
        ({"url": "http://a.example/"}, "neither html nor text"),
    ],
)
def test_input_of_the_wrong_type_is_refused_in_a_sentence(wrong: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(wrong, "x")
    with pytest.raises(InputError, match=f"^document 1: .*{message}"):
        group(["x", wrong])


def test_groups_are_named_by_id_key_or_position() -> None:
    texts = [reprint(story("a"), copy) for copy in range(3)]
    assert group(texts) == {"0": "0", "1": "0", "2": "0"}
    assert group({"x": texts[0], "y": {"id": 7, "text": texts[1]}}) == {"x": "x", "7": "x"}
    assert group([]) == {}
    with pytest.raises(InputError, match="give a list or a mapping of documents, not one str"):
        group(texts[0])


def test_a_deduper_takes_what_group_takes_and_closes_at_the_end_of_its_block(tmp_path):
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
    with pytest.raises(EngineError, match="already closed"):
        deduper.engine.get(["a"])


def test_the_add_on_without_scrapy_is_a_sentence(tmp_path):
    (tmp_path / "scrapy.py").write_text("raise ModuleNotFoundError('No module', name='scrapy')")
    code = "import dupgroups; dupgroups.Addon"
    env = environment(PYTHONPATH=os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]]))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stderr.endswith("The Scrapy pipeline needs an extra: pip install 'dup-groups[scrapy]'\n")
