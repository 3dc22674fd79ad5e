"""The headline of a page and the name of its site, which titles also have: "Ferry hits pier | The Courier".

A part is cut off only at a separator, and only if it is the declared name of the site or if readers see the
rest as a line of its own, so that "Ferries: what to know" stays whole. A title that is the same on every
page, such as the name of the site or "Untitled", does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from itertools import chain, pairwise
from typing import NamedTuple
from unicodedata import normalize

from dupgroups.content.blocks import Blocks
from dupgroups.content.bounds import utf8
from dupgroups.content.bylines import is_person
from dupgroups.content.json_ld import Found, Node, text_of
from dupgroups.content.letters import block_words, collapse_spaces, has_unspaced, letters_and_digits
from dupgroups.text.urls import host_of, registered_domain

# what stands between a headline and the name of its site, in titles with collapsed white space
_BARS, _DOTS, _DASHES = "|_｜", "·•»", "–—"
# with blanks around them, or without blanks in text that has none
_SEPARATOR = re.compile(rf" [{_BARS}{_DOTS}{_DASHES}«:/~-]+ | ?[{_BARS}]+ ?| ?--+ ?")
_TIGHT_SEPARATOR = re.compile(rf" ?[{_BARS}{_DOTS}{_DASHES}«-]+ ?")
# "Fiat – new small car", but not "News | Ferry"
_BRAND = re.compile(rf"[^{_BARS}{_DOTS}{_DASHES}«:/~]+ [{_DASHES}-] ")
# before or after a part that is declared or seen; a hyphen between Latin letters or digits belongs to a word
_CUT = re.compile(rf"[{_BARS}{_DOTS}{_DASHES}ㅣ:：]+|-{{2,}}|-(?![0-9A-Za-z])|(?<![0-9A-Za-z])-")
_ADDRESS = re.compile(r"(?:https?://|www\.).*|[a-z0-9.-]+\.[a-z]{2,}")  # no name: the host is shown anyway
_NO_TITLE = frozenset(
    """home homepage startseite untitled untitleddocument newpage index document loading article news story
    post page blog default main title nachrichten artikel noticias actualites undefined null""".split()
)
_LABEL_FACTOR = 2  # times as many bytes as a title that says nothing ("Accueil | Courier") has its h1
_LONGEST_NAME = 40  # characters of the name of a site; a longer one is a sentence
_LOWER = ("h2", "h3", "h4")  # of these the only one may be the headline
_MIN_COMMON_SHARE = 0.5  # a higher share of words that a headline has in common with the title
_LONGEST_READ, _LONGEST_CUT = 5_000, 500  # characters of a title that are read, and within which it is cut
_MAX_SEPARATORS, _HEADINGS = 12, 5  # separators that are tried, and headings of a kind that are read
_FEWEST, _FEWEST_HAN = 12, 6  # letters and digits of a line that may be the headline: words may be sections
_BEGINNING, _REST = 0.3, 0.5  # least share of a title that is its headline, at its beginning and elsewhere


class Named(NamedTuple):
    """A headline with all its parts, and where it was found; "" for both without one."""

    title: str
    where: str


def titles_of(page: Blocks, named: Mapping[str, str]) -> list[str]:
    """The title element and the title for other sites, those that are there."""
    whole = next((text for tag, _, text in page.heads if tag == "title" and text.strip()), "")
    return [*filter(None, map(_shorten, (whole, named.get("og:title") or named.get("twitter:title") or "")))]


def _shorten(text: str) -> str:
    return collapse_spaces(text[:_LONGEST_READ])


def headings_of(page: Blocks, tag: str) -> list[str]:
    """The first five of these headings that are not linked: a linked one is usually the name of the site."""
    headings = {box for box, name in enumerate(page.tags) if name == tag}
    lines: dict[int, list[str]] = {}  # of each heading
    for index, box in enumerate(page.box) if headings else ():
        if box in headings and 2 * page.linked[index] <= len(page.texts[index]) and len(lines) < _HEADINGS:
            lines.setdefault(box, []).append(page.texts[index])
    return [_shorten(" ".join(texts)) for texts in lines.values()]


def named_title(
    page: Blocks, every: Sequence[str], headings: Iterable[str], node: Node, names: Sequence[str], url: str
) -> Named:
    """The h1 that title or og:title repeats or shares words with, else one of these without the site.

    Titles that are the same on every page give way to the h1, to the headline of the `node` in JSON-LD, and
    to a lone h2. `every` and `headings` are from `titles_of` and `headings_of`, `names` from
    `declared_names`.
    """
    domain = registered_domain(host_of(url)).partition(".")[0]
    general = {*map(letters_and_digits, (*names, domain)), *_NO_TITLE}
    own = lambda text: letters_and_digits(text) not in general and not _ADDRESS.fullmatch(text)  # noqa: E731
    titles, headings = [*filter(own, every)], [*filter(own, headings)]
    if not headings and not any(_is_long(letters_and_digits(title), 0) or " " in title for title in titles):
        titles = []  # "Etusivu", "Accueil": a word that says nothing of the article
    if not titles:
        return _without_title(page, node, headings, every)
    in_json_ld = _shorten(unescape(text_of(node.get("headline"))))
    plain = [_without_ends(title, names[0] if names else "") for title in titles]
    if letters_and_digits(in_json_ld) in {*map(letters_and_digits, (*titles, *plain, *headings[:1]))} - {""}:
        return Named(in_json_ld, "JSON-LD, headline, and another place that says the same")
    held = [text for text in headings if len(text) > 3 and any(_holds(title, text) for title in titles)]
    if held:
        return Named(_unglue(max(held, key=len), plain), "the h1 that the title of the page repeats")
    if len(headings) == 1 and max(_common(headings[0], title) for title in plain) > _MIN_COMMON_SHARE:
        return Named(headings[0], "the h1, which shares words with the title of the page")
    longer, where = (headings[0], "the h1") if headings else (in_json_ld, "JSON-LD, headline")
    if all(len(utf8(longer)) >= _LABEL_FACTOR * len(utf8(title)) for title in plain):
        return Named(longer, f"{where}, as the title of the page is only a label")
    if titles[0].startswith(titles[-1]) and titles[0] != titles[-1]:
        return Named(titles[-1], "og:title, with which the title of the page begins")
    return Named(plain[-1], "og:title" if len(every) > 1 and titles[-1] == every[-1] else "the title element")


def _without_title(page: Blocks, node: Node, headings: Sequence[str], every: Sequence[str]) -> Named:
    choices = (
        (headings[0] if headings else "", "the first h1"),
        (_shorten(unescape(text_of(node.get("headline") or node.get("name")))), "JSON-LD, headline"),
        *(
            (lone[0], f"the only {tag}")
            for tag in _LOWER
            if len(lone := headings_of(page, tag)) == 1 and _is_long(letters_and_digits(lone[0]), 0)
        ),
        (every[-1] if every else "", "the title of every page"),
    )
    return next((Named(*choice) for choice in choices if choice[0]), Named("", ""))


def _common(heading: str, title: str) -> float:
    """The share of the words of the shorter one that both have, 0 to 1; 0 for single words, and for a title
    that only has other words before it ("You are here") or its author after it."""
    rest = heading.partition(title)[2].strip(" -–—|,").removeprefix("By ").removeprefix("by ")
    if letters_and_digits(heading).endswith(letters_and_digits(title)) or is_person(rest):
        return 0.0
    one, other = (set(block_words(text.lower())) for text in (heading, title))
    fewest = min(len(one), len(other))
    return len(one & other) / fewest if fewest > 1 else 0.0


def _unglue(heading: str, titles: Iterable[str]) -> str:
    """An h1, or a title that spells it with blanks or without the label before it, where only a style sheet
    divides both: "NewsFerry hits pier", "News: Ferry hits pier".
    """
    letters, lower = letters_and_digits(heading), heading.lower()
    for title in titles:
        at = lower.find(title.lower())
        is_end = at > 0 and lower[at - 1].isalnum() and _is_long(letters_and_digits(title), len(letters) / 2)
        has_more_blanks = len(title.split()) > len(heading.split()) and letters_and_digits(title) == letters
        if has_more_blanks or (is_end and at + len(title) == len(heading)):
            return title
    return heading


def _holds(title: str, heading: str) -> bool:
    """Whether `heading` is a substantial part of `title`, not the site's name, an h1 on many pages."""
    folded, part = letters_and_digits(title), letters_and_digits(heading)
    return bool(part) and part in folded and (folded.startswith(part) or 2 * len(part) > len(folded))


def _without_ends(title: str, site: str) -> str:
    """The longest part of a title, with the brand before it; all but the site if that is the last part."""
    separator = _SEPARATOR if _SEPARATOR.search(title) or " " in title else _TIGHT_SEPARATOR
    parts = [part for part in separator.split(title) if part]
    if len(parts) < 2:
        return title
    if site and letters_and_digits(parts[-1]) == letters_and_digits(site):
        parts = parts[:-1]
        return title[: title.rfind(parts[-1]) + len(parts[-1])] if len(parts) > 1 else parts[0]
    longest = max(parts, key=len)
    start = title.find(longest)
    is_brand = _BRAND.fullmatch(title[:start]) and letters_and_digits(parts[0]) != letters_and_digits(site)
    return title[: start + len(longest)] if is_brand else longest


def without_site(title: str, site: str | None, lines: Iterable[str] = ()) -> str:
    """The headline in `title`, which names its site at an end; else `title` itself, "" for "".

    `site` is the name of the site, if it is known, and `lines` are those that readers see.

    >>> without_site("The Courier: Ferry hits pier", "The Courier")
    'Ferry hits pier'
    >>> without_site("Ferry hits pier - Port - CN", None, ["Ferry hits pier"])
    'Ferry hits pier'
    """
    cuts = list(_CUT.finditer(title))[:_MAX_SEPARATORS] if len(title) <= _LONGEST_CUT else []
    if not cuts:
        return title
    ends = [(title[: cut.start()].strip(), title[cut.end() :].strip()) for cut in cuts]
    parts = [part for pair in ends for part in zip(pair, (_BEGINNING, _REST), strict=True)]
    parts += [(title[one.end() : two.start()].strip(), _REST) for one, two in pairwise(cuts)]
    whole = letters_and_digits(title)
    lettered = ((part, letters_and_digits(part), least) for part, least in parts)
    headlines = {part: letters for part, letters, least in lettered if _is_long(letters, least * len(whole))}
    shortest = min(map(len, (whole, *headlines.values())))
    fitting = (line for line in lines if shortest <= len(line) <= len(title))
    seen = set(map(letters_and_digits, fitting))
    if whole in seen:
        return title
    shown = (part for part, letters in headlines.items() if letters in seen)
    return max(shown, key=len, default="") or _text_beside(site or "", ends) or title


def _text_beside(site: str, ends: Iterable[tuple[str, str]]) -> str:
    """The text before or after the name of the site; "" if there is none."""
    name = letters_and_digits(site)
    both_ways = (pair for end in ends for pair in (end, end[::-1]))
    beside = (rest for one, rest in both_ways if rest and letters_and_digits(one) == name)
    return next(beside, "") if name else ""


def _is_long(letters: str, fewest: float) -> bool:
    """Whether letters and digits suffice for a headline, and are at least so many."""
    return len(letters) >= max(_FEWEST_HAN if has_unspaced(letters) else _FEWEST, fewest)


# -- the name of the site


def declared_names(named: Mapping[str, str], objects: Iterable[Found]) -> list[str]:
    """The names that a page declares for its site."""
    publishers = (found.node.get("publisher") for found in objects)
    of_publishers = [
        text_of(publisher.get("name")) for publisher in publishers if isinstance(publisher, dict)
    ]
    names = (named.get("og:site_name", ""), *of_publishers, named.get("application-name", ""))
    return [*filter(None, map(collapse_spaces, names))]


def site_name(names: Iterable[str], titles: Iterable[str], title: str, url: str) -> str | None:
    """The first name that spells the domain of the site, declared or at an end of the title element, else the
    first declared one. (Pages declare podcasts, sections and their own titles, too.)"""
    parts = [part for name in names for part in (*_SEPARATOR.split(name), name) if _is_name(part, title)]
    whole = next(iter(titles), "")
    ends = (part for part in _SEPARATOR.split(whole)[::-1] if _is_name(part, title) and part != whole)
    fitting = (name for name in chain(parts, ends) if spells(name, host_of(url)))
    return next(fitting if url else iter(parts), parts[0] if parts else None)


def spells(name: str, host: str) -> bool:
    """Whether a name has the domain in it, is part of it, or has its initials.

    >>> spells("The Kessel Herald", "kesselherald.example"), spells("BBC News", "news.bbc.co.uk")
    (True, True)
    """
    plain = normalize("NFKD", name.lower())
    whole, initials = letters_and_digits(plain), "".join(word[0] for word in plain.split())
    label = letters_and_digits(registered_domain(host).partition(".")[0])
    holds = any(len(part) > 2 and part in text for part, text in ((label, whole), (whole, label)))
    return len(name) <= _LONGEST_NAME and (initials == label or holds)


def _is_name(text: str, title: str) -> bool:
    return 1 < len(text) <= _LONGEST_NAME and text != title and not _ADDRESS.fullmatch(text)
