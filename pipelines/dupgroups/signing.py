"""Page -> Content -> Signature: what a page is by itself, before it meets what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from dupgroups.method_set import MethodSet
from dupgroups.model import Content, Document, Page, Record, Signature
from dupgroups.text.urls import canonical, host_of


def sign(page: Page, methods: MethodSet) -> Document:
    """Page -> Content -> Signature, as a document that stands alone. Pure."""
    return sign_all([page], methods)[0]


def sign_all(pages: Sequence[Page], methods: MethodSet) -> list[Document]:
    """The same for several pages, in their order: many texts are signed faster than one by one."""
    contents = [methods.extract(page) for page in pages]
    return list(map(_document, pages, contents, methods.signatures(contents)))


def _document(page: Page, content: Content, signature: Signature) -> Document:
    own = _id(page, content)
    fingerprint = _digest(f"{content.title}\0{content.text}")
    address = canonical(page.url)
    elsewhere = page.id is None and content.url is not None and address != content.url
    twin = _id(page, replace(content, url=address)) if elsewhere else None
    return Document(Record(own, own, host_of(content.url), signature, fingerprint=fingerprint), content, twin)


def _id(page: Page, content: Content) -> str:
    """The page's own id; else 20 hex digits made of the canonical URL; without a URL, of the text."""
    return page.id or _digest(content.url or f"{content.title}\0{content.text}")


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
