"""Templates of hosts during a crawl: a host is unknown at first, and known after some pages.

Every document is counted in the order in which they come, and signed by what is known of its host then. When
a host's template is learned (at 4, 8, 16, ... 128 pages), those pages of it that were counted are due: they
are signed anew from the stored text, so that each page is signed seven times at most. All signatures have one
scheme, whatever was known when they were made: the more two hosts are known, the better they compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dupgroups.corpus.template_learner import TemplateLearner as TemplateCounts
from dupgroups.model import Document
from dupgroups.recipes import Recipes


class LiveTemplates:
    """The counts, which begin with what the file holds, and the signers that go with them."""

    def __init__(self, file: str, recipes: Recipes) -> None:
        self._file = Path(file)
        self._recipes = recipes
        self._counts = TemplateCounts.open(self._file)

    def count(self, document: Document) -> list[str]:
        """Count a document; the ids of its host's pages that are due (until `renewed` is told), else []."""
        record = document.record
        self._counts.count(record.host, record.id, document.content.text)
        return self._counts.due(record.host)

    def renewed(self, host: str) -> None:
        """Note that the pages that were due are signed anew."""
        self._counts.signed(host)

    def finish(self) -> None:
        """Take what is counted for all there is: every document is signed anew after this."""
        self._counts.finish()

    def signed(self, document: Document) -> Document:
        """A document that was signed whole, signed by what is known of its host now."""
        return self.sign([document])[0] if self._counts.knows(document.record.host) else document

    def sign(self, documents: Sequence[Document]) -> list[Document]:
        """The documents, each signed by what is known of its host now."""
        left = [
            replace(each.content, text=self._counts.strip(each.record.host, each.content.text))
            for each in documents
        ]
        return [
            replace(each, record=replace(each.record, signature=signature))
            for each, signature in zip(documents, self._recipes.signatures(left), strict=True)
        ]

    def save(self) -> None:
        """Write the file, for the next crawl to go on from. Raises OSError."""
        self._counts.save(self._file)
