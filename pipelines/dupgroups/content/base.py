"""What every extractor is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dupgroups.content.blocks import Blocks


class Extractor(Protocol):
    """Chooses the blocks of the article: `extractor(page)` gives their indices in `page.blocks`, ascending.

    A page without blocks gives none. Extractors are pure: the same page gives the same indices.
    """

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the article's blocks, in document order."""
