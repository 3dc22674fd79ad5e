"""The protocol of extractors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dupgroups.content.blocks import Blocks


class Extractor(Protocol):
    """Selects the blocks of the article: `extractor(page)` gives their indices in `page.blocks`, ascending.

    The result is empty for a page without blocks. Extractors are pure: the same page gives the same indices.
    """

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the article's blocks, in document order."""
