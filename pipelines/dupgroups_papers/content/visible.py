"""Baseline: all the text that a reader of the page sees, which every extractor must beat.

Everything that is not hidden:

>>> from dupgroups.content.blocks import divide
>>> from dupgroups_papers.content.visible import Visible
>>> page = divide("<a href=/>Home</a><p>The ferry sank.<p hidden>Accept all cookies")
>>> [page.blocks[index].text for index in Visible()(page)]
['Home', 'The ferry sank.']
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dupgroups.content.blocks import Blocks


@dataclass(frozen=True)
class Visible:
    """Selects every block that is not hidden."""

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the visible blocks."""
        return [index for index, block in enumerate(page.blocks) if not page.boxes[block.box].hidden]
