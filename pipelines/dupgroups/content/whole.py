"""Baseline: all the text that a reader of the page sees, which every extractor must beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dupgroups.content.blocks import Blocks


@dataclass(frozen=True)
class Whole:
    """Selects every block that is not hidden."""

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the visible blocks."""
        return [index for index, block in enumerate(page.blocks) if not page.boxes[block.box].hidden]
