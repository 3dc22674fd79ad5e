"""lxml's tree behind lexbor's interface, for platforms on which selectolax cannot be installed.

The blocks are the same for properly nested pages. Where tags are missing or overlap, libxml2 repairs the page
by rules that are older than HTML 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree


@dataclass(frozen=True, slots=True)
class LxmlNode:
    """An element, or the text in or after an element, because lxml has no text nodes."""

    element: etree._Element
    text: str | None = None
    after: etree._Element | None = None  # the element after the text, None at the end

    @property
    def tag(self) -> str:
        """Lower-case name, "-text", or "-other" for comments and the like."""
        if self.text is not None:
            return "-text"
        tag: object = self.element.tag
        return tag if isinstance(tag, str) else "-other"

    tag_id = tag

    @property
    def text_content(self) -> str | None:
        """The characters of a text; None for an element."""
        return self.text

    @property
    def is_empty_text_node(self) -> bool:
        """Whether a text holds nothing but ASCII white space."""
        return self.text is not None and not self.text.strip(" \t\n\f\r")

    @property
    def attributes(self) -> Mapping[str, str | None]:
        """Attributes of an element."""
        return {str(key): str(value) for key, value in self.element.attrib.items()}

    @property
    def first_child(self) -> LxmlNode | None:
        """The text at the beginning of an element, or the first element in it."""
        return _beside(self.element, self.element.text, next(iter(self.element), None))

    @property
    def next(self) -> LxmlNode | None:
        """The next sibling: the text after an element, or the element after a text."""
        if self.text is not None:
            return LxmlNode(self.after) if self.after is not None else None
        return _beside(self.element, self.element.tail, self.element.getnext())


def _beside(element: etree._Element, text: str | None, following: etree._Element | None) -> LxmlNode | None:
    if text:
        return LxmlNode(element, text, following)
    return LxmlNode(following) if following is not None else None


@dataclass(frozen=True, slots=True)
class LxmlTree:
    """The tree of a page in UTF-8."""

    source: bytes

    @property
    def root(self) -> LxmlNode | None:
        """The html element; None for a page without anything."""
        clean = self.source.decode("utf-8", "replace").replace("\0", "").encode()
        try:
            element = etree.fromstring(clean, etree.HTMLParser(encoding="utf-8", huge_tree=True))
        except etree.XMLSyntaxError:
            return None
        return LxmlNode(element) if element is not None else None
