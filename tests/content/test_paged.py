"""The pages of one article, joined."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.content import join
from dupgroups.model import Content

PARAGRAPHS = st.lists(st.sampled_from("abcdef"), max_size=6, unique=True)


@given(st.lists(PARAGRAPHS, max_size=5))
def test_every_paragraph_stands_once_in_the_order_of_the_pages(pages: list[list[str]]) -> None:
    joined = join(Content("\n".join(page)) for page in pages)
    assert joined.text.splitlines() == list(dict.fromkeys(paragraph for page in pages for paragraph in page))


def test_the_first_page_tells_the_rest() -> None:
    first = Content("One.", "Ferry", "2024-05-12", "en", "https://e.org/ferry", "Echo", 0.9, "Ann Lee")
    assert join([first, Content("Two.", "Ferry, page 2", "2025-01-01", "de")]).text == "One.\nTwo."
    assert join([first, Content("One.", "Ferry, page 2", "2025-01-01", "de")]) == first
    assert join([]) == Content("")
    assert join([Content("A:\nNo.\nA:"), Content("A:\nYes.")]).text == "A:\nNo.\nA:\nYes.", "its own repeats"
