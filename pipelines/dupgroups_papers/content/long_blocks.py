"""Baseline: the visible blocks of enough tokens, which is CEDAR's block size filter.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), LREC 2008, section 5.2.

| parameter | default | in the paper |
|---|---|---|
| `min_block` | 12 | tokens; 12 is best together with the filter of the 5 % most frequent shingles (table 2) |

Only the paragraphs have twelve words or more:

>>> from dupgroups import extract_text
>>> page = (
...     "<ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul>"
...     "<p>The ferry struck a moored barge in thick fog on Wednesday, and two people are missing."
...     "<p><a href=/more>Read more about ships</a><p>Advertisement"
... )
>>> extract_text(page, extractor="long_blocks")
'The ferry struck a moored barge in thick fog on Wednesday, and two people are missing.'
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dupgroups.content.blocks import Blocks
from dupgroups.content.letters import block_words


@dataclass(frozen=True)
class LongBlocks:
    """Selects blocks of at least `min_block` tokens; 0 keeps all. Higher values lose short paragraphs."""

    min_block: int = 12

    def __post_init__(self) -> None:
        if self.min_block < 0:
            raise ValueError(f"min_block must be at least 0, not {self.min_block}")

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks that are long enough."""
        return [
            index for index, block in enumerate(page.blocks) if len(block_words(block.text)) >= self.min_block
        ]
