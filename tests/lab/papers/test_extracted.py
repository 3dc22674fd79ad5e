"""Texts by several extractors at once are those that each extracts alone."""

from __future__ import annotations

import pytest

from dupgroups.content import EXTRACTORS, extract
from dupgroups.errors import ConfigError
from dupgroups.model import Page
from dupgroups_lab.papers.extracted import extracted
from stories import running_chinese, running_text


def page(own: str, text: str) -> str:
    paragraphs = "".join(f"<p>{each}</p>" for each in text.split("\n"))
    return f"<title>{own}</title><ul><li><a href=/>Home</a><li>Sport</ul><h1>{own}</h1>{paragraphs}"


PAGES = [
    Page(id="text", html=page("one", running_text("one"))),
    Page(id="bytes", html=page("two", running_chinese("two")).encode("gb18030"), encoding="gb18030"),
    Page(id="ready", text="As it is."),
    Page(id="nothing", html=""),
]


def test_each_text_is_what_extract_gives() -> None:
    read: list[int] = []
    found = extracted(PAGES, [*EXTRACTORS, "heuristic min_block=3"], read.append)
    assert list(found) == [*EXTRACTORS, "heuristic min_block=3"]
    for name in EXTRACTORS:
        assert found[name] == {str(each.id): extract(each, extractor=name).text for each in PAGES}
    assert len(found["heuristic"]["text"]) < len(found["whole"]["text"])
    assert read == [1, 2, 3, 4]


def test_unknown_extractors_are_refused() -> None:
    with pytest.raises(ConfigError, match="unknown extractor 'maxnet'"):
        extracted(PAGES, ["maxnet"])
