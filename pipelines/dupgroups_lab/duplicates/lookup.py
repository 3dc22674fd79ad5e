"""Signed documents by id."""

from collections.abc import Callable, Iterable

from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign
from dupgroups.model import Document, Page

Progress = Callable[[str, int, int | None], None]
"""Called with the step ("sign", "judge"), the number done, and the total (None when not known)."""


def sign_pages(pages: Iterable[Page], methods: MethodSet, progress: Progress) -> dict[str, Document]:
    """The documents by id; of pages with the same id the last one counts. The progress step is "sign"."""
    documents = {}
    for done, page in enumerate(pages, start=1):
        document = sign(page, methods)
        documents[document.record.id] = document
        progress("sign", done, None)
    return documents
