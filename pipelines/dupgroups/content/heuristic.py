"""Baseline: heuristic content extraction with the block filter.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), LREC 2008, section 5.2:
what stands between script and style tags is removed (so does the division into blocks), then blocks of few
tokens are.

| parameter | default | the paper |
|---|---|---|
| `min_block` | 12 | tokens; 12 is best together with the filter of the 5 % most frequent shingles (table 2) |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dupgroups.content.blocks import Blocks, block_words


@dataclass(frozen=True)
class Heuristic:
    """Blocks of at least `min_block` tokens; 0 keeps everything. A higher one costs short paragraphs."""

    min_block: int = 12

    def __post_init__(self) -> None:
        if self.min_block < 0:
            raise ValueError(f"min_block: {self.min_block} is negative")

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks that are long enough."""
        return [
            index for index, block in enumerate(page.blocks) if len(block_words(block.text)) >= self.min_block
        ]
