"""Decode pages whose declared charset may be missing, wrong or half right.

Both kinds of declarations can be wrong: a header says iso-8859-1 for a GBK page, or a `meta` says Big5. So
the first declaration that fits is used, unless another charset fits as well and gives more plausible text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding

from dupgroups.text.plausibility import plausibility

_SAMPLE = 200_000
_UNMARKED = ("utf-16", "utf-32")  # without a byte order mark, these declarations are mistakes in a template
_MARGIN = 0.1  # plausibility by which a charset must exceed the more trusted ones
# bytes of one double-byte charset are often valid in another, and any bytes are valid in a Cyrillic charset
_RIVALS = ("gb18030", "big5hkscs", "euc_jp", "cp932", "cp949", "cp1251", "koi8-r")

# Python has codecs that are not charsets: undefined raises, zlib unpacks (even bombs), hex decodes to bytes
_CHARSET = re.compile(r"utf-(?:8|16|32)|iso|cp\d|koi8|mac-|gb|big5|euc_|shift_jis|hz$|johab$|tis-|kz|ptcp")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of an HTML page. Never raises; bytes that cannot be decoded become U+FFFD; b"" gives "".

    `declared` is the charset of the HTTP header (unknown names are ignored). The order is: byte order mark;
    valid UTF-8 (which hardly ever happens by chance); the charset of the header, then that of the page, each
    only when all bytes are valid; the detected one. The first wins unless a later one, or a common one that
    was not declared, is clearly more plausible. A character cut off at the very end is valid and is dropped.
    """
    mark, bom = read_bom(data)
    if mark:
        return data[len(bom or b"") :].decode(mark, errors="replace")
    readings = _readings(data, declared)
    text = _strict(data, "utf-8") if b"\x1b" not in data[:_SAMPLE] else None
    return _most_plausible(readings) if text is None else text


def _readings(data: bytes, declared: str | None) -> Iterator[str | None]:
    """The page decoded in every possible charset, the most trusted first; None where it does not fit."""
    tried = {"utf-8"}
    for label in (declared, html_body_declared_encoding(data)):
        codec = _codec(label) or "utf-8"
        if codec not in tried and not codec.startswith(_UNMARKED):
            tried.add(codec)
            yield _strict(data, codec)
    detected = _codec(detect_encoding(data)) or "utf-8"
    yield data.decode(detected, errors="replace")
    for codec in _RIVALS:
        if codec not in (*tried, detected):
            yield _strict(data, codec)


def _most_plausible(readings: Iterator[str | None]) -> str:
    best, highest = "", -_MARGIN
    for text in readings:
        if text is None:
            continue
        value = plausibility(text)
        if value > highest + _MARGIN:
            best, highest = text, value
        if highest >= 1 - _MARGIN:
            break
    return best


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(data, False)
    except (UnicodeDecodeError, LookupError):
        return None


def _codec(label: str | None) -> str | None:
    """Python's name for the charset that browsers use for a label (gb2312 is gb18030, latin-1 is cp1252)."""
    resolved = resolve_encoding(label) if label else None
    name = codecs.lookup(resolved).name if resolved else ""
    return name if _CHARSET.match(name) else None
