"""The company that holds the rights in a page, which may own several sites: by its legal notice.

| where | such as |
|---|---|
| JSON-LD of the article | `copyrightHolder`, the `parentOrganization` of the `publisher` |
| meta element | `<meta name="copyright" content="FUNKE Mediengruppe">` |
| the last notice of the page | "© 2026 Postmedia Network Inc. All rights reserved." |

A notice counts if it names a company by its legal form, or as a group: what else stands behind "©" is as
often a link, a sentence or an author. Suppliers of programs, quotes or pictures own no sites.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from dupgroups.content.json_ld import Node, text_of, types_of
from dupgroups.content.letters import collapse_spaces, letters_and_digits
from dupgroups.text.word_tables import read_table

MAX_OWNER_CHARS = 60  # characters of the name of a company
_FOOTER_BLOCKS = 40  # blocks at the end of a page that may be its notice
_NOTICE_CHARS = 400  # characters of such a block that are read
_MIN_PART_LETTERS = 5  # letters and digits of a name of the site by which a longer one is known as its own

_SIGN = re.compile(r"[©ⓒ]|\([cC]\)(?=\s*\d{4})|[cC](?:opyright|OPYRIGHT)|版权所有|版權所有")
_BEFORE_NAME = re.compile(
    r"^(?:[\s©ⓒ,.:：;–—|/*-]|\(c\)|\b(?:copyrights?|by|the|and|\d{4})\b|版权所有|版權所有)+", re.IGNORECASE
)
_WORDS = {kind: f"(?:{'|'.join(words)})" for kind, words in read_table("owner_words.csv").items()}
_AFTER_NAME = re.compile(
    rf"\s*(?:[|•·\n（]|\s[-–—]\s|\.\s(?!z o)|[,.]?\s*(?:{_WORDS['rights']}|powered by|(?:1[89]|20)\d\d\b)|"
    r".?ICP|版[权權]|著作|保留|未[经經]|不得|禁止|無断|무단).*$",
    re.IGNORECASE | re.DOTALL,
)
_LEGAL_FORM = re.compile(rf"[\s,]+{_WORDS['legal form']}\.?$", re.IGNORECASE)
_COMPANY_WORD = re.compile(rf"\b{_WORDS['company']}\b|{_WORDS['company part']}", re.IGNORECASE)
_NO_NAME = re.compile(
    r"public domain|unknown|n/?a|staff|none|"
    r"(?:(?:your|our|this|the|der|die|das|company|name|media|group|network|verlag|news)\b\s*)+|"
    r".*(?:\bof\s(?:their|its)\b|complaints?|trademarks?).*",
    re.IGNORECASE,
)
_SUPPLIER = re.compile(_WORDS["supplier"], re.IGNORECASE)


def find_owner(texts: Sequence[str], named: Mapping[str, str], node: Node, names: Sequence[str]) -> str:
    """The name of the company, without its legal form; "" if the page names none but by its own `names`.

    `texts` are those of its blocks, `named` the contents of its meta elements, `node` is the article in
    JSON-LD. Above the notice of the site are those of others, whose pictures and quotes it shows.
    """
    own = {letters_and_digits(name) for name in names}
    for name, is_company in _declared_names(named, node):
        if is_company and not _is_own(name, own):
            return name
    for text in reversed(texts[-_FOOTER_BLOCKS:]):
        for name, is_company in _shown_names(text[:_NOTICE_CHARS]):
            if is_company or _is_own(name, own):
                return "" if _is_own(name, own) else name
    return ""


def _is_own(name: str, own: Collection[str]) -> bool:
    letters = letters_and_digits(name)
    return letters in own or any(part in letters for part in own if len(part) >= _MIN_PART_LETTERS)


def _declared_names(named: Mapping[str, str], node: Node) -> Iterator[tuple[str, bool]]:
    publisher, holder = node.get("publisher"), node.get("copyrightHolder")
    holder = holder[0] if isinstance(holder, list) and holder else holder
    if isinstance(holder, dict) and types_of(holder) not in ([], ["Person"]):
        yield from _read_name(text_of(holder.get("name")), is_company=True)
    yield from _read_name(text_of(holder.get("name") if isinstance(holder, dict) else holder))
    above = publisher.get("parentOrganization") if isinstance(publisher, dict) else None
    if isinstance(above, dict):
        yield from _read_name(text_of(above.get("name")), is_company=True)
    yield from _read_name(text_of(named.get("copyright")))


def _shown_names(text: str) -> Iterator[tuple[str, bool]]:
    """The name behind the first sign of a notice, or else before it."""
    if found := _SIGN.search(text):
        behind = [*_read_name(text[found.start() :])]
        yield from behind or _read_name(text[: found.start()])


def _read_name(notice: str, *, is_company: bool = False) -> Iterator[tuple[str, bool]]:
    """The name in a notice, if there is one, and whether it is known to be that of a company, or says so."""
    notice = collapse_spaces(notice[:_NOTICE_CHARS])
    whole = name = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", notice)).strip(" ,;:*")
    while (shorter := _LEGAL_FORM.sub("", name)) != name:  # "Gannett Co., Inc."
        name = shorter
    name = name.strip(" ,.;:*")
    is_company = is_company or name != whole.strip(".") or bool(_COMPANY_WORD.search(name))
    is_name = 2 <= len(name) <= MAX_OWNER_CHARS and not name[:2].islower() and any(map(str.isalpha, name))
    if is_name and not (_NO_NAME.fullmatch(name) or _SUPPLIER.search(notice)):
        yield name, is_company
