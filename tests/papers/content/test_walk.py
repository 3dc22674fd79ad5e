"""The events of a page: properly nested, and with the blocks of `divide`."""

from __future__ import annotations

from dupgroups.content.blocks import divide
from dupgroups.content.bounds import MAX_NODES
from dupgroups_papers.content.walk import walk


def test_the_walk_is_bounded() -> None:
    page = divide("<p>a" * MAX_NODES)
    assert 0 <= len(page.blocks) - (1 + max(event.block for event in walk(page.html))) <= 1
