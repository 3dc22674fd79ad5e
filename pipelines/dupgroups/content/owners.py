"""The company that holds the rights in a page, which may own several sites: by its legal notice.

| where | such as |
|---|---|
| JSON-LD of the article | `copyrightHolder`, the `parentOrganization` of the `publisher` |
| meta element | `<meta name="copyright" content="FUNKE Mediengruppe">` |
| the last notice of the page | "© 2026 Postmedia Network Inc. All rights reserved." |

The notices of programs and of agencies of pictures, which own no sites, do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dupgroups.content.json_ld import Node, text_of
from dupgroups.content.letters import collapse_spaces, letters_and_digits

MAX_OWNER_CHARS = 60  # characters of the name of a company
_FOOTER_BLOCKS = 40  # blocks at the end of a page that may be its notice
_NOTICE_CHARS = 400  # characters of such a block that are read
_MIN_PART_LETTERS = 5  # letters and digits of a name of the site by which a longer one is known as its own

_SIGN = re.compile(r"©|[cC](?:opyright|OPYRIGHT)|版权所有|版權所有")
_BEFORE_NAME = re.compile(
    r"^(?:[\s©,.:：;–—|/*-]|\(c\)|\b(?:copyrights?|by|the|and|\d{4})\b|版权所有|版權所有)+", re.IGNORECASE
)
_RIGHTS = (  # how "all rights reserved" and "no reproduction" begin
    "all rights|alle rechte|alle rettig|alla rättig|tous droits|todos los|todos os|tutti i|toate drept|"
    "všechna|všetky|minden jog|wszelkie|sva prava|tüm hak|hak cipta|все права|усі права|με επιφύλαξη|"
    "جميع|حقوق"
)
_AFTER_NAME = re.compile(
    rf"\s*(?:[|•·\n(（]|\s[-–—]\s|\.\s|[,.]?\s*(?:{_RIGHTS}|powered by|(?:1[89]|20)\d\d\b)|"
    r".?ICP|版[权權]|著作|保留|未[经經]|不得|禁止|無断|무단).*$",
    re.IGNORECASE | re.DOTALL,
)
_LEGAL_FORM = re.compile(
    r"[\s,]+(?:inc|ltd|limited|llc|plc|corp|corporation|co|gmbh(?: & co\.? kg)?|ag|se|kg|s\.?a\.?|s\.?p\.?a|"
    r"s\.?r\.?l|b\.?v|oy|ab|a/?s|sp\. z o\.o|pty ltd|α\.ε|κ\.κ)\.?$",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"powered|software|theme|template|plugin|xenforo|phpbb|discuz|comsenz|vbulletin|wordpress|drupal|joomla|"
    r"google|getty|stats\b|shutterstock",
    re.IGNORECASE,
)
# what follows "copyright" where it is no name
_NO_NAME = re.compile(
    r"^(?:policy|permissions?|information|notices?|law|act|claims?|infringement|&|©)", re.IGNORECASE
)


def find_owner(texts: Sequence[str], named: Mapping[str, str], node: Node, names: Sequence[str]) -> str:
    """The name of the company, without its legal form; "" if the page names none but by its own `names`.

    `texts` are those of its blocks, `named` the contents of its meta elements, `node` is the article in
    JSON-LD.
    """
    own = {letters_and_digits(name) for name in names}
    long_names = [name for name in own if len(name) >= _MIN_PART_LETTERS]
    owners = ((owner, letters_and_digits(owner)) for owner in _declared_owners(texts, named, node))
    others = (
        owner
        for owner, letters in owners
        if letters not in own and not any(map(letters.__contains__, long_names))
    )
    return next(others, "")


def _declared_owners(texts: Sequence[str], named: Mapping[str, str], node: Node) -> Iterator[str]:
    publisher = node.get("publisher")
    above = publisher.get("parentOrganization") if isinstance(publisher, dict) else None
    for value in (node.get("copyrightHolder"), above):
        yield from _read_name(_name_of(value))
    yield from _read_name(named.get("copyright", ""))
    for text in reversed(texts[-_FOOTER_BLOCKS:]):
        if found := _SIGN.search(text[:_NOTICE_CHARS]):
            yield from _read_name(text[found.start() :])


def _name_of(value: Any) -> str:
    value = value[0] if isinstance(value, list) and value else value
    return text_of(value.get("name") if isinstance(value, dict) else value)


def _read_name(notice: str) -> Iterator[str]:
    """The name in a notice, if there is one."""
    name = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", collapse_spaces(notice[:_NOTICE_CHARS]))).strip(" ,.;:*")
    name = _LEGAL_FORM.sub("", name).strip(" ,.;:*")
    is_name = 2 <= len(name) <= MAX_OWNER_CHARS and not name[0].islower() and any(map(str.isalpha, name))
    if is_name and not (_NO_NAME.match(name) or _PROGRAM.search(notice)):
        yield name
