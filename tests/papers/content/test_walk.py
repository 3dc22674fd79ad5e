"""The events of a page: properly nested, and with the blocks of `divide`."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.content.blocks import divide
from dupgroups.content.bounds import MAX_NODES
from dupgroups_papers.content.walk import END, START, walk
from papers.content.test_computed_style import MARKUP


@given(st.lists(st.sampled_from(MARKUP), max_size=40))
def test_elements_end_in_the_reverse_order(parts: list[str]) -> None:
    path: list[str] = []
    for event in walk(" ".join(parts).replace("_", " ")):
        if event.kind == START:
            path.append(event.tag)
        elif event.kind == END:
            assert path.pop() == event.tag
    assert path == ["html"]


def test_the_walk_is_bounded() -> None:
    page = divide("<p>a" * MAX_NODES)
    assert 0 <= len(page.blocks) - (1 + max(event.block for event in walk(page.html))) <= 1
