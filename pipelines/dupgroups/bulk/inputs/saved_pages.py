"""Saved pages: files of HTML, also with their pictures in one file (MHTML, RFC 2557), and folders of them."""

from __future__ import annotations

import codecs
import email
import mimetypes
import re
from pathlib import Path
from typing import Any

_PAGE_TYPES = ("text/html", "application/xhtml+xml")
SUFFIXES = (".html", ".htm", ".xhtml", ".shtml", ".mhtml", ".mht")
_SAMPLE_BYTES = 10_000  # bytes at the beginning of a file that tell what it is
_PACKAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?Content-Type:\s*(?:multipart/|text/html)",
    re.I,
)
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<(?:!doctype html|html|head|body)\b", re.I)
_PAGE_PARTS = ("image/", "font/", "audio/", "video/", "text/css", "text/javascript", "application/javascript")


def read_saved(raw: bytes) -> dict[str, Any]:
    """The fields of a saved page: of MHTML the HTML that it begins with, its charset and its address."""
    if not _PACKAGE.match(raw[:_SAMPLE_BYTES]):
        return {"html": raw}
    package = email.message_from_bytes(raw.removeprefix(codecs.BOM_UTF8))
    pages = [part for part in package.walk() if part.get_content_type() in _PAGE_TYPES]
    if not pages:
        return {"html": b""}
    begin = (package.get_param("start"), package["Snapshot-Content-Location"])  # else frames may come first
    at_begin = (part for part in pages if {part["Content-ID"], part["Content-Location"]} & {*begin} - {None})
    page = next(at_begin, pages[0])
    return {
        "html": page.get_payload(decode=True),
        "encoding": page.get_content_charset(),
        "url": package["Snapshot-Content-Location"] or page["Content-Location"],
    }


def looks_saved(head: bytes) -> bool:
    """Whether a file that begins so is HTML or MHTML, whatever its name."""
    return bool(_MARKUP.match(head) or _PACKAGE.match(head[:_SAMPLE_BYTES]))


def files_below(folder: Path) -> list[Path]:
    """The files of a folder in their order, but for hidden ones."""
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and not file.name.startswith(".")]


def is_part_of_a_page(file: Path) -> bool:
    """Whether it is a picture, style sheet or script by its name, as tools save them beside a page."""
    return (mimetypes.guess_type(file.name)[0] or "").startswith(_PAGE_PARTS)
