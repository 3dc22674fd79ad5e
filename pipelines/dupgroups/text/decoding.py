"""Bytes to text when the declared charset may be missing, wrong or half right.

Declarations lie in both directions: a header says iso-8859-1 over GBK, a `meta` says utf-8 over Big5. So a
declaration is believed only if the bytes agree; otherwise the bytes are asked.
"""

from __future__ import annotations

import codecs
import re

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding

_HIGH = re.compile(rb"[\x80-\xff]+")
_SAMPLE = 200_000
_MULTIBYTE = frozenset(
    "utf-8 gb18030 gbk gb2312 big5 big5hkscs cp950 euc_jp shift_jis cp932 iso2022_jp euc_kr cp949".split()
)

# Python has codecs that are no charsets: undefined raises, zlib unpacks (bombs, too), hex decodes to bytes
_CHARSET = re.compile(r"utf-(?:8|16|32)|iso|cp\d|koi8|mac-|gb|big5|euc_|shift_jis|hz$|johab$|tis-|kz|ptcp")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of an HTML page. Never raises; bytes that fit nothing become U+FFFD; b"" gives "".

    `declared` is the charset of the HTTP header (unknown names are ignored). In order: byte order mark; valid
    UTF-8 (chance hits are next to impossible); the header's charset, then the page's own, each only when it
    fits strictly and, for a charset of one byte a character, when the detector does not contradict it; at
    last the detector. A character cut off at the very end is dropped and counts as fitting.
    """
    mark, bom = read_bom(data)
    if mark:
        return data[len(bom or b"") :].decode(mark, errors="replace")
    text = _strict(data, "utf-8") if b"\x1b" not in data[:_SAMPLE] else None
    if text is not None:
        return text
    for label in (declared, html_body_declared_encoding(data)):
        codec = _codec(label)
        text = _believed(data, codec) if codec else None
        if text is not None:
            return text
    return data.decode(_detected(data), errors="replace")


def _believed(data: bytes, codec: str) -> str | None:
    if codec.startswith(("utf-16", "utf-32")):  # without a mark this is a template's mistake
        return None
    if codec not in _MULTIBYTE and _runs_together(data):
        found = _detected(data)
        western = codec in ("cp1252", "iso8859-1", "iso8859-15")
        if found in _MULTIBYTE or (western and found != codec):
            return _strict(data, found)
    return _strict(data, codec)


def _runs_together(data: bytes) -> bool:
    """Whether bytes above 127 stand side by side: accents stand alone, other scripts do not."""
    runs = _HIGH.findall(data[:_SAMPLE])
    return bool(runs) and sum(map(len, runs)) >= 2 * len(runs)


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(data, False)
    except (UnicodeDecodeError, LookupError):
        return None


def _detected(data: bytes) -> str:
    return _codec(detect_encoding(data)) or "utf-8"


def _codec(label: str | None) -> str | None:
    """Python's name of a charset as browsers understand its label (gb2312 is gb18030, latin-1 is cp1252)."""
    resolved = resolve_encoding(label) if label else None
    name = codecs.lookup(resolved).name if resolved else ""
    return name if _CHARSET.match(name) else None
