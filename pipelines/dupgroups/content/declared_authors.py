"""The author and the lead picture of a page, as JSON-LD and meta elements declare them (schema.org, Open
Graph, Parse.ly, Dublin Core), and how far a declared author is to be trusted: many templates write the
newspaper, or the agency that made the site, into `<meta name=author>`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import unescape
from itertools import chain, islice
from typing import Any
from urllib.parse import urljoin

from dupgroups.content.bylines import is_by_label, is_person, strip_by
from dupgroups.content.json_ld import Found, Node, text_of, types_of
from dupgroups.content.letters import collapse_spaces, has_unspaced, letters_and_digits
from dupgroups.content.unspaced_bylines import REPORTERS_KO
from dupgroups.text.known_publishers import is_agency

_AUTHOR_NAMES = (
    "author article:author parsely-author sailthru.author dc.creator dc:creator dcterms.creator byl creator "
    "mediator"
).split()
# and any other name of this kind, such as article:byline or articleauthor
_AUTHORSHIP, _OTHER = re.compile(r"author|byline"), re.compile(r"twitter|_(?:id|url)|image|publisher|banner")
_IMAGE_NAMES = "og:image:secure_url og:image og:image:url twitter:image twitter:image:src image".split()
_GENERAL = tuple(f"meta {name}" for name in "author creator dc.creator dc:creator dcterms.creator".split())
ORGANIZATION = ", an organization"  # added to where it was found
_AND = re.compile(r",?\s(?:and|&|und|et|y|og|och|//|\|)\s|,\s|\s?[;/、，]\s?", re.IGNORECASE)
_INVERTED_NAME = re.compile(r"([A-ZÀ-Þ][\w'’-]+), ([A-ZÀ-Þ][\w'’-]+(?: [A-Z]\.)?)")  # "Brandt, Jo"
_NO_NAME = re.compile(
    r"^(?:https?:)?//|^\(|^www\.|^@|^[^@]*@.+\.|^[\W\d_]*$|^\w+\.[\w.]+[/.]\w"
    r"|^(?:admin\w*|webmaster|undefined|null|none|unknown|default|user)$",
    re.IGNORECASE,
)
# tags, codes, addresses, handles and what reporters are called: "Jo Brandt (jbr)", "김민수 기자"
_MARKUP = re.compile(
    r"<[^<>]*>|\s*\((?:[a-zà-ÿ]{2,4}\.?|[^()\s@]*@[^()\s]*)\)|(?<=\w)\s+[\w.-]*@[\w.-]+$"
    rf"|(?<=[가-힣])\s(?:선임|인턴|수습)?(?:{REPORTERS_KO})(?=$|[,·\s])|^[记記]者[\s:：]+(?=\w)"
)
_SOFT = re.compile(
    r"\s(?:e|i|ve|en|и|та|і|·|//|\||&|and|und|et|y|og|och)\s|,\s|(?<=[^\W\d_a-zA-Z])[、，·](?=[^\W\d_a-zA-Z])"
)
_MAKER = re.compile(r"\b(?:design|develop|powered|hosted|created|website|software)", re.IGNORECASE)
_ITEM = re.compile(  # `<span itemprop=author itemscope><meta itemprop=name content="Jo Brandt">`
    r"itemprop=[\"']?author\b[^<>]*>\s*<meta\b[^<>]*itemprop=[\"']?name\b[^<>]*content=[\"']([^\"'<>]+)"
)
_PARTS = ("givenName", "familyName")
_HALF = re.compile("[\ud800-\udfff]")  # JSON can express half of a character, UTF-8 cannot
_MAX_NAME_CHARS = 100  # most characters of a name; a longer text is a sentence
_MAX_NAMES = 10  # most names


def author(
    named: Mapping[str, str], node: Node, objects: Sequence[Found], names: Iterable[str], html: str = ""
) -> tuple[str, str]:
    """The declared names, joined by ", ", and where they were found; "" for both without any.

    Addresses, handles and e-mails are no names; organizations, and the name of the site, count where there is
    no other. `named` maps the names of meta elements to their contents, `node` is that of the article in
    JSON-LD, among `objects`; `names` are those of the site; in `html` an item may hold the name in a meta.

    >>> author({"author": "By Jo Brandt"}, {}, [], [])
    ('Jo Brandt', 'meta author')
    """
    sites = set(map(letters_and_digits, names))
    by_id = {str(found.node["@id"]): found.node for found in objects if {"@id", "name"} <= found.node.keys()}
    entries = [_entries(node[key], by_id) for key in ("author", "creator") if key in node]
    json_ld = ((_names(people), "JSON-LD, author") for people in entries)
    similar = (name for name in named if _AUTHORSHIP.search(name) and not _OTHER.search(name))
    cards = (
        f"twitter:data{n}"
        for n in (1, 2)
        if is_by_label(named.get(f"twitter:label{n}", "")) and is_person(named.get(f"twitter:data{n}", ""))
    )
    every = (*_AUTHOR_NAMES, *similar, *cards)
    metas = dict.fromkeys(name for name in every if name in named)
    meta = (([named[name]], f"meta {name}") for name in metas)
    items = {item[1] for item in _ITEM.finditer(html)} if "itemprop" in html else set[str]()
    item = [([*items], "an item, author")] if len(items) == 1 else []
    found = [
        ([name for line in lines for name in _people(line)], where)
        for lines, where in (*json_ld, *meta, *item)
    ]
    nodes = (*chain.from_iterable(entries), *(one.node for one in objects))
    houses = sites | set(map(letters_and_digits, _names(node for node in nodes if _is_organization(node))))
    for no_names, suffix in (houses, ""), (set[str](), ORGANIZATION):
        for lines, where in found:
            people = [*filter(None, (_name(_without_site(line, sites)) for line in dict.fromkeys(lines)))]
            keys = {name: letters_and_digits(name) for name in people}
            others = [one for one in people if keys[one] not in (sites if is_agency(one) else houses)]
            if any(letters_and_digits(name) not in no_names for name in people):
                names = others if any(map(is_person, others)) else people
                return ", ".join(names[:_MAX_NAMES]), where + suffix
    return "", ""


def trust(author: str, where: str, lines: Iterable[str]) -> int:
    """2 for a person, 1 if a byline is better, 0 for no author: one of a general meta element whom readers do
    not see, or only in "Web design by ...". `where` came from `author`; readers see these `lines`.
    """
    if where.endswith(ORGANIZATION):
        return 1
    person = any(map(is_person, author.split(", ")))
    first = author.partition(", ")[0].lower()
    before = [line.partition(first)[0] for line in map(str.lower, lines) if first in line]
    if where not in _GENERAL:
        return 1 + (person and bool(before))
    if before:
        return 0 if all(map(_MAKER.search, before)) else 1 + person
    return int(person or (" " not in author and not author.isupper()))


def image(named: Mapping[str, str], node: Node, objects: Iterable[Found], url: str | None) -> str | None:
    """The http(s) URL of the lead picture, resolved against `url`; None when there is none."""
    meta = (named[name] for name in _IMAGE_NAMES if name in named)
    nodes = (node, *(found.node for found in objects))
    json_ld = (address for node in nodes for address in _addresses(node.get("image")))
    return next(filter(None, (_absolute(address, url) for address in (*meta, *json_ld))), None)


def _is_organization(node: Node) -> bool:
    types = "".join(types_of(node))
    return "Organization" in types and "Person" not in types  # a blog may be both


def _entries(value: Any, by_id: Mapping[str, Node]) -> list[Node]:
    """The people and organizations of a property, with the names that other nodes have for them."""
    entries = [*islice(_members(value), _MAX_NAMES)]
    nodes = (entry if isinstance(entry, dict) else {"name": entry} for entry in entries)
    return [by_id.get(str(node.get("@id")), node) for node in nodes]


def _members(value: Any) -> Iterator[Any]:
    """The members of a list, those of lists in it, and who has the roles in it."""
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict) and "Role" in types_of(entry):
            entry = entry.get("author") or entry.get("creator")
        yield from entry if isinstance(entry, list) else [entry]


def _names(nodes: Iterable[Node]) -> list[str]:
    names = (node.get("name") or " ".join(map(text_of, map(node.get, _PARTS))).strip() for node in nodes)
    every = (one for name in names for one in (name if isinstance(name, list) else [name]))
    texts = (one.get("name", one.get("@value")) if isinstance(one, dict) else one for one in every)  # a node
    return [text for text in texts if isinstance(text, str)]


def _addresses(value: Any) -> list[str]:
    images = value if isinstance(value, list) else [value]
    addresses = [
        image.get("url") or image.get("contentUrl") if isinstance(image, dict) else image for image in images
    ]
    return [address for address in addresses if isinstance(address, str)]


def _people(text: str) -> list[str]:
    """The names in a line; "Smith and Sons" stays whole, because the names of people have two words. After a
    person only people count: "Jo Brandt, Political Editor"."""
    if ";" in (plain := unescape(text)):
        return [name for part in plain.split(";") for name in _people(part)]
    line = strip_by(collapse_spaces(_MARKUP.sub("", collapse_spaces(plain))).strip(" ,|"))
    if inverted := _INVERTED_NAME.fullmatch(line):
        return [f"{inverted[2]} {inverted[1]}"]
    parts = _SOFT.split(line)
    if all(is_person(part) or (2 <= len(part) <= 4 and has_unspaced(part)) for part in parts):
        return parts
    people = _AND.split(line)
    if is_person(people[0]) or is_agency(people[-1]):
        return [person for person in people if is_person(person) or is_agency(person) or person is people[0]]
    return people if all(" " in person and ":" not in person for person in people) else [line]


def _without_site(name: str, sites: Collection[str]) -> str:
    """The person in "Jo Brandt for The Courier", if this is the site."""
    person, _, other = name.partition(" for ")
    return person if is_person(person) and letters_and_digits(other) in sites else name


def _name(name: str) -> str:
    return "" if len(name) > _MAX_NAME_CHARS or _NO_NAME.search(name) or _HALF.search(name) else name


def _absolute(address: str, url: str | None) -> str | None:
    try:
        whole = urljoin(url or "", address.strip())
    except ValueError:
        return None
    return whole if whole.startswith(("http://", "https://")) and not _HALF.search(whole) else None
