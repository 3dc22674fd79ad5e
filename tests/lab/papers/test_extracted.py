"""Several extractors at once give the same texts as one after another."""

from __future__ import annotations

from dupgroups.content import EXTRACTORS, extract
from dupgroups.model import Page
from dupgroups_lab.papers.extracted import extracted
from stories import running_chinese, running_text


def page(title: str, text: str) -> str:
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in text.split("\n"))
    return f"<title>{title}</title><ul><li><a href=/>Home</a><li>Sport</ul><h1>{title}</h1>{paragraphs}"


PAGES = [
    Page(id="text", html=page("one", running_text("one"))),
    Page(id="bytes", html=page("two", running_chinese("two")).encode("gb18030"), encoding="gb18030"),
    Page(id="ready", text="As it is."),
    Page(id="nothing", html=""),
]


def test_each_text_is_what_extract_gives() -> None:
    progress: list[int] = []
    texts = extracted(PAGES, [*EXTRACTORS, "heuristic min_block=3"], progress.append)
    assert list(texts) == [*EXTRACTORS, "heuristic min_block=3"]
    for name in EXTRACTORS:
        assert texts[name] == {str(source.id): extract(source, extractor=name).text for source in PAGES}
    assert len(texts["heuristic"]["text"]) < len(texts["whole"]["text"])
    assert progress == [1, 2, 3, 4]
