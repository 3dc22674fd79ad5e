"""Elements that no reader sees, by their attributes, styles and classes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_NOT_SHOWN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|clip\s*:\s*rect\([01]|(?:left|indent)\s*:\s*-\d{4}|font-size\s*:\s*0(?![.\d])"
    r"|clip-path\s*:\s*inset\((?:50|100)%",
    re.IGNORECASE,
)
_HIDES = re.compile(  # names of classes for programs that read aloud, and of those that hide on every screen
    r"visually-?hidden|screen-?reader|(?:^|[\s_-])(?:sr-only|a11y-hid\w+|off-?screen)|(?:^|\s)(?:is-|u-|ng-)?(?:hidden|hide)(?:\s|$)"
    r"|(?:^|\s)(?:d-none|dn|(?:element-)?invisible|show-for-sr|assistive-text|hide-visually)(?:\s|$)"
    r"|material-(?:icons|symbols)",  # whose text is the name of an icon
    re.IGNORECASE,
)
_SHOWS = re.compile(r"\b(?:sm|md|lg|xl|xxl)[:-]|-(?:sm|md|lg|xl)\b")  # on larger screens


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """Whether an element with these attributes is not shown, nor what is in it."""
    return "hidden" in attributes or ("style" in attributes and _not_shown(attributes["style"] or ""))


@lru_cache(maxsize=5_000)  # most styles come again in the page
def _not_shown(style: str) -> bool:
    return _NOT_SHOWN.search(style) is not None


@lru_cache(maxsize=20_000)  # most names come again on the next page
def hides(name: str) -> bool:
    """Whether elements with these classes are not shown on any screen."""
    return _HIDES.search(name) is not None and _SHOWS.search(name) is None
