"""Bytes to text when the declared charset may be missing, wrong or half right.

Declarations lie in both directions: a header says iso-8859-1 over GBK, a `meta` says Big5 over GBK. So the
first of them that fits is believed, unless another charset fits and gives what looks more like text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding

from dupgroups.text.plausibility import plausibility

_SAMPLE = 200_000
_UNMARKED = ("utf-16", "utf-32")  # without a byte order mark these are a template's mistake
_MARGIN = 0.1  # of plausibility, by which a charset must beat those that are trusted more
# what a wrong declaration fits: double-byte charsets each other's bytes, Cyrillic ones any
_RIVALS = ("gb18030", "big5hkscs", "euc_jp", "cp932", "cp949", "cp1251", "koi8-r")

# Python has codecs that are no charsets: undefined raises, zlib unpacks (bombs, too), hex decodes to bytes
_CHARSET = re.compile(r"utf-(?:8|16|32)|iso|cp\d|koi8|mac-|gb|big5|euc_|shift_jis|hz$|johab$|tis-|kz|ptcp")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of an HTML page. Never raises; bytes that fit nothing become U+FFFD; b"" gives "".

    `declared` is the charset of the HTTP header (unknown names are ignored). In order: byte order mark; valid
    UTF-8 (chance hits are next to impossible); the header's charset, then the page's own, each only when it
    fits strictly; the detector's. The first wins unless a later one, or a usual one that nobody named, is
    clearly more plausible. A character cut off at the very end is dropped and counts as fitting.
    """
    mark, bom = read_bom(data)
    if mark:
        return data[len(bom or b"") :].decode(mark, errors="replace")
    text = _strict(data, "utf-8") if b"\x1b" not in data[:_SAMPLE] else None
    return _most_plausible(_readings(data, declared)) if text is None else text


def _readings(data: bytes, declared: str | None) -> Iterator[str]:
    """The page in every charset that it may have, the most trusted first."""
    tried = {"utf-8"}
    for label in (declared, html_body_declared_encoding(data)):
        codec = _codec(label) or "utf-8"
        if codec not in tried and not codec.startswith(_UNMARKED):
            tried.add(codec)
            yield from _fitting(data, codec)
    detected = _codec(detect_encoding(data)) or "utf-8"
    yield data.decode(detected, errors="replace")
    for codec in _RIVALS:
        if codec not in (*tried, detected):
            yield from _fitting(data, codec)


def _most_plausible(readings: Iterator[str]) -> str:
    best, highest = "", -_MARGIN
    for text in readings:
        value = plausibility(text)
        if value > highest + _MARGIN:
            best, highest = text, value
        if highest >= 1 - _MARGIN:
            break
    return best


def _fitting(data: bytes, codec: str) -> Iterator[str]:
    text = _strict(data, codec)
    if text is not None:
        yield text


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(data, False)
    except (UnicodeDecodeError, LookupError):
        return None


def _codec(label: str | None) -> str | None:
    """Python's name of a charset as browsers understand its label (gb2312 is gb18030, latin-1 is cp1252)."""
    resolved = resolve_encoding(label) if label else None
    name = codecs.lookup(resolved).name if resolved else ""
    return name if _CHARSET.match(name) else None
