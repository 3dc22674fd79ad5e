"""Page -> Content -> Signature: what a document is by itself, before it meets what is stored. Pure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from dupgroups.flow.method_set import MethodSet
from dupgroups.model import NO_SIGNATURE, Content, Document, Page, Record
from dupgroups.model.config import Config
from dupgroups.text.iso_dates import published_minute
from dupgroups.text.urls import canonical, host_of, page_address


def sign(page: Page, methods: MethodSet) -> Document:
    """The page as a signed document, alone in its group."""
    return sign_all([page], methods)[0]


def sign_all(pages: Sequence[Page], methods: MethodSet) -> list[Document]:
    """The same for several pages, in their order: many texts are signed faster than one by one."""
    return sign_documents([extract_document(page, methods) for page in pages], methods)


def extract_document(page: Page, methods: MethodSet) -> Document:
    """The page as a document that is not signed yet: it has an empty signature of no scheme."""
    content = methods.extract(page)
    id_ = _id(page, content)
    fingerprint = _digest(f"{content.title}\0{content.text}")
    address = canonical(page.url)
    elsewhere = content.url is not None and address != content.url
    alternate_id = _id(page, replace(content, url=address)) if elsewhere and page.id is None else None
    record = Record(
        *(id_, id_, host_of(content.url), NO_SIGNATURE),
        fingerprint=fingerprint,
        length=len(content.text),
        canonical=not elsewhere,
        published=published_minute(content.date),
    )
    return Document(record, content, alternate_id)


def measure_record(record: Record, content: Content) -> Record:
    """The record with what grouping has to know of the content besides its signature."""
    return replace(record, length=len(content.text), published=published_minute(content.date))


def sign_documents(documents: Sequence[Document], methods: MethodSet) -> list[Document]:
    """The documents with the signatures of their contents."""
    signatures = methods.signatures([document.content for document in documents])
    signed = zip(documents, signatures, strict=True)
    return [replace(one, record=replace(one.record, signature=signature)) for one, signature in signed]


def sign_new(documents: Sequence[Document], methods: MethodSet) -> list[Document]:
    """The documents, of which those are signed that have no signature yet."""
    new = [document for document in documents if document.record.signature == NO_SIGNATURE]
    signed = {id(old): document for old, document in zip(new, sign_documents(new, methods), strict=True)}
    return [signed.get(id(document), document) for document in documents]


def id_of_url(url: str) -> str:
    """The id of the document read from this URL, if that is its canonical one and it came without an id."""
    return _digest(page_address(url))


def _id(page: Page, content: Content) -> str:
    """The page's own id; else 20 hex digits made of the canonical URL; without a URL, of the text, and of the
    site if the page names it: papers print the same text.
    """
    if page.id or content.url:
        return page.id or id_of_url(content.url or "")
    return _digest("\0".join([content.title, content.text, *filter(None, [page.site])]))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def sign_if_outdated(document: Document, methods: MethodSet) -> Document:
    """The document, signed anew if its signature is not one of these methods."""
    is_known = document.record.signature.scheme in methods.schemes
    return document if is_known else sign_documents([document], methods)[0]


class PageSigner:
    """Signs pages by a configuration: what a worker process builds once."""

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

    def sign_timed(self, page: Page) -> tuple[Document, float] | None:
        """The same of one page, with the seconds that it took."""
        start = time.perf_counter()
        (document,) = self.sign([page])
        return (document, time.perf_counter() - start) if document else None
