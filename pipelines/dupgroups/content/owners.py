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
    rf"\s*(?:[|•·\n(（]|\s[-–—]\s|\.\s(?!z o)|[,.]?\s*(?:{_RIGHTS}|powered by|(?:1[89]|20)\d\d\b)|"
    r".?ICP|版[权權]|著作|保留|未[经經]|不得|禁止|無断|무단).*$",
    re.IGNORECASE | re.DOTALL,
)
_LEGAL_FORM = re.compile(
    r"[\s,]+(?:inc|ltd|limited|llc|l\.?p|llp|plc|corp|corporation|co|pty ltd|pvt\.? ltd|ag|se|kg|"
    r"gmbh(?: & co\.? kg)?|s\.?a\.?|s\.?p\.?a|s\.?r\.?l|b\.?v|n\.?v|oyj?|ab|asa?|a/s|aps|a\.ş|s\.r\.o|"
    r"a\.s|sp\. z o\.o|α\.ε|κ\.κ)\.?$",
    re.IGNORECASE,
)
# without a legal form, a name of a company has one of these words
_COMPANY_WORD = re.compile(
    r"(?:media|medien?|group|gruppe|groupe|grupo|gruppo|grupa|verlag|newspapers|publishing|publications|network|"
    r"communications|enterprises|holdings|éditions|editoriale|editorial|wydawnictwo|медиа|холдинг|издательский)\b|"
    r"mediengruppe|公司|集团|集團|报社|報社|杂志社|雜誌社|传媒|傳媒|出版社|株式会社|新聞社|미디어|신문",
    re.IGNORECASE,
)
_NO_NAME = re.compile(  # of anybody
    r"(?:(?:your|our|this|the|der|die|das|company|name|media|group|network|verlag|publishing|editorial|news|inc)\b"
    r"\s*)+|.*(?:\bof\s(?:their|its)\b|complaints?|trademarks?).*",
    re.IGNORECASE,
)
# whose notices stand on the pages of others: programs, weather, quotes, scores, pictures
_SUPPLIER = re.compile(
    r"powered|software|theme|template|plugin|design|hosting|xenforo|phpbb|discuz|comsenz|vbulletin|wordpress|"
    r"automattic|drupal|joomla|townnews|blox|substack|squarespace|\bwix\b|disqus|taboola|outbrain|copyscape|dmca|"
    r"onetrust|google|accuweather|refinitiv|morningstar|factset|sportradar|stats\b|\bopta\b|getty|shutterstock|"
    r"alamy|imago|imagn|istock|pixabay|picture alliance|技术支持|开发",
    re.IGNORECASE,
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
        yield from _read_name(_name_of(value), is_company=True)
    yield from _read_name(named.get("copyright", ""))
    for text in reversed(texts[-_FOOTER_BLOCKS:]):
        if found := _SIGN.search(text[:_NOTICE_CHARS]):
            yield from _read_name(text[found.start() :])


def _name_of(value: Any) -> str:
    value = value[0] if isinstance(value, list) and value else value
    return text_of(value.get("name") if isinstance(value, dict) else value)


def _read_name(notice: str, *, is_company: bool = False) -> Iterator[str]:
    """The name in a notice, if there is one, and it is known to be that of a company, or says so."""
    notice = collapse_spaces(notice[:_NOTICE_CHARS])
    whole = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", notice)).strip(" ,;:*")
    name = _LEGAL_FORM.sub("", whole).strip(" ,.;:*")
    is_company = is_company or name != whole.strip(".") or bool(_COMPANY_WORD.search(name))
    is_name = 2 <= len(name) <= MAX_OWNER_CHARS and not name[0].islower() and any(map(str.isalpha, name))
    if is_company and is_name and not (_NO_NAME.fullmatch(name) or _SUPPLIER.search(notice)):
        yield name
