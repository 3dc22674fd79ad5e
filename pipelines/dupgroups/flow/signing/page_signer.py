"""What a worker process builds once, and signs pages with."""

from __future__ import annotations

import time
from collections.abc import Sequence

from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing.sign import sign_all
from dupgroups.model import Document, Page
from dupgroups.model.config import Config


class PageSigner:
    """Signs pages by a configuration."""

    def __init__(self, config: Config) -> None:
        self._methods = MethodSet(config)

    def sign(self, pages: Sequence[Page]) -> list[Document | None]:
        """The documents, in the order of the pages; None for a page that reveals a bug of ours."""
        try:
            return [*sign_all(pages, self._methods)]
        except Exception:
            if len(pages) == 1:
                return [None]  # the process that stores meets the error again, and keeps the page
            return [document for page in pages for document in self.sign([page])]

    def timed(self, page: Page) -> tuple[Document, float] | None:
        """The same of one page, with the seconds that it took."""
        start = time.perf_counter()
        (document,) = self.sign([page])
        return (document, time.perf_counter() - start) if document else None
