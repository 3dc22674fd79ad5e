"""The edits of re-publication, and how many edited copies are still grouped with their original.

Editors change little, but whole-text fingerprints break at the first word. Each edit is made by chance that
is seeded by the document's id, so that the same documents always give the same copies.

| edit | what it does |
|---|---|
| whitespace only | blanks are doubled, paragraphs indented, blank lines put between them |
| one word or character | one word (Chinese: one character) gives way to another one of the text |
| dateline and byline | a byline as first paragraph, a dateline in front of the second |
| copyright line | a line on source and rights at the end |
| related links | ten headlines of other documents at the end, as extraction lets them through |
| last paragraph cut | |
| last fifth cut | the last 20 % of the paragraphs, at least one |

What an edit cannot be done to is left out: a cut that would leave less than half of the text makes an excerpt
and no copy, and a text of one paragraph has no last one. A copy is printed elsewhere: it has no host in
common with its original.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dupgroups.config import Config
from dupgroups.grouping import KeyIndex
from dupgroups.method_set import MethodSet
from dupgroups.model import Content, Document, Page, Record
from dupgroups.signing import sign
from dupgroups_lab.duplicates.lookup import Progress, others, signed
from dupgroups_lab.labels.pairs import Pair, pair

RELATED = 10  # headlines of a leaked block
LEFT = 0.5  # share of the characters that a cut leaves at least: less is an excerpt, not a copy
_HEADLINE = 90  # characters of a first sentence that stands for a missing headline
_UNSPACED = ("zh", "ja", "th", "lo", "km", "my")
_WORD, _CHARACTER = re.compile(r"\w+"), re.compile(r"\w")

Edit = Callable[["Article", Random], Sequence[str] | None]


@dataclass(frozen=True, slots=True)
class Article:
    """A text to be edited: its paragraphs, its language, and headlines of other documents."""

    paragraphs: tuple[str, ...]
    language: str
    headlines: tuple[str, ...]

    @property
    def chinese(self) -> bool:
        """Does it take a Chinese editor?"""
        return self.language == "zh"


def whitespace(article: Article, chance: Random) -> Sequence[str]:
    """Other blanks, the same words."""
    indent = "\u3000\u3000" if article.chinese else "    "
    spaced = (re.sub(" ", lambda _: chance.choice((" ", "  ")), each) for each in article.paragraphs)
    return [line for each in spaced for line in (indent + each + " ", "")]


def one_word(article: Article, chance: Random) -> Sequence[str] | None:
    """One word or character gives way; None when the text has no two different ones."""
    word = _CHARACTER if article.language in _UNSPACED else _WORD
    text = "\n".join(article.paragraphs)
    places = list(word.finditer(text))
    others = sorted({each[0] for each in places})
    if len(others) < 2:
        return None
    place = chance.choice(places)
    other = chance.choice([each for each in others if each != place[0]])
    return (text[: place.start()] + other + text[place.end() :]).split("\n")


def dateline(article: Article, chance: Random) -> Sequence[str]:
    """A byline and a dateline in front."""
    day = chance.randint(1, 28)
    byline, line = (
        (f"记者 {chance.choice('王李张刘陈')}{chance.choice('敏静伟强洋')}", f"本报讯 3月{day}日电 ")
        if article.chinese
        else (
            f"By {chance.choice(('Ann', 'Paul', 'Maria'))} Holloway, Staff Writer",
            f"WESTBRIDGE, March {day} - ",
        )
    )
    return [byline, line + article.paragraphs[0], *article.paragraphs[1:]]


def copyright_line(article: Article, chance: Random) -> Sequence[str]:
    """A line on source and rights at the end."""
    year = chance.randint(2005, 2025)
    line = (
        f"来源:西桥日报 版权所有 {year} 未经书面授权,不得转载。"
        if article.chinese
        else f"Copyright {year} Westbridge Courier. All rights reserved. This material may not be published, "
        "broadcast, rewritten or redistributed without permission."
    )
    return [*article.paragraphs, line]


def related_links(article: Article, chance: Random) -> Sequence[str] | None:
    """Headlines of other documents at the end; None when there are none."""
    if not article.headlines:
        return None
    shown = chance.sample(article.headlines, len(article.headlines))
    return [*article.paragraphs, "相关新闻" if article.chinese else "Related stories", *shown]


def last_paragraph(article: Article, chance: Random) -> Sequence[str] | None:
    """Without the last paragraph; None where that is no copy any more."""
    return _without(article, 1)


def last_fifth(article: Article, chance: Random) -> Sequence[str] | None:
    """Without the last 20 % of the paragraphs, at least one; None where that is no copy any more."""
    return _without(article, max(1, round(0.2 * len(article.paragraphs))))


def _without(article: Article, last: int) -> Sequence[str] | None:
    left = article.paragraphs[:-last]
    enough = sum(map(len, left)) >= LEFT * sum(map(len, article.paragraphs))
    return left if enough and left else None


EDITS: Mapping[str, Edit] = {
    "whitespace only": whitespace,
    "one word or character": one_word,
    "dateline and byline": dateline,
    "copyright line": copyright_line,
    "related links": related_links,
    "last paragraph cut": last_paragraph,
    "last fifth cut": last_fifth,
}


@dataclass(frozen=True, slots=True)
class Row:
    """Of one edit in one language: how many copies there are, and how many are grouped with their original.

    `strangers` counts the other originals that a copy is tied to and its own original is not.
    """

    edit: str
    language: str
    copies: int
    found: int
    strangers: int

    @property
    def recall(self) -> float:
        """found / copies, 0 to 1; 1 without copies."""
        return self.found / self.copies if self.copies else 1.0


@dataclass(frozen=True, slots=True)
class Survival:
    """`rows` by edit, then language, and the `pairs` of originals that are joined with each other.

    `documents` are the ids of the originals; `short` counts those with too little text to be signed, which
    are not edited.
    """

    rows: tuple[Row, ...]
    pairs: frozenset[Pair]
    documents: tuple[str, ...]
    short: int


def survive(
    pages: Iterable[Page],
    config: Config,
    progress: Progress = lambda step, done, total: None,
) -> Survival:
    """Edit the article of every page, and look each copy up among the originals. No pages, no rows."""
    methods = MethodSet(config)
    originals = signed(pages, methods, progress)
    comparable = {own: each for own, each in originals.items() if each.record.signature}
    index = _Index(KeyIndex(each.record for each in originals.values()), methods, config)
    ties = {own: index.tied(each.record) for own, each in comparable.items()}
    rows = list(_rows(comparable, index, ties, progress))
    pairs = frozenset(pair(own, other) for own, tied in ties.items() for other in tied)
    return Survival(tuple(rows), pairs, tuple(originals), len(originals) - len(comparable))


@dataclass(frozen=True, slots=True)
class _Index:
    """The originals, as a crawl meets them."""

    index: KeyIndex
    methods: MethodSet
    config: Config

    def tied(self, record: Record) -> set[str]:
        """Ids of the originals that the record is joined with."""
        judge = self.methods.judge(record.signature.scheme)
        found = others(self.index, record, self.config.candidates)
        return {each.id for each in found if judge(record, each).relation in self.config.join}


def _rows(
    originals: Mapping[str, Document], index: _Index, ties: Mapping[str, set[str]], progress: Progress
) -> Iterator[Row]:
    articles = _articles(originals)
    languages = sorted({each.language for each in articles.values()})
    done = 0
    for name, edit in EDITS.items():
        counts = {language: Counter[str]() for language in languages}
        for own, article in articles.items():
            edited = edit(article, _chance(f"{name}\0{own}"))
            if edited is not None:
                tied = index.tied(_copy(own, edited, article.language, index.methods))
                counts[article.language].update(
                    copies=1, found=own in tied, strangers=len(tied - ties[own] - {own})
                )
            done += 1
            progress("judge", done, len(EDITS) * len(articles))
        for language, each in counts.items():
            yield Row(name, language, each["copies"], each["found"], each["strangers"])


def _copy(own: str, paragraphs: Sequence[str], language: str, methods: MethodSet) -> Record:
    page = Page(text="\n".join(paragraphs), language=language, id=f"copy of {own}")
    return sign(page, methods).record


def _articles(originals: Mapping[str, Document]) -> dict[str, Article]:
    """What there is to edit, each with headlines of others in its language."""
    headlines: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for own, each in originals.items():
        headlines[each.content.language][own] = _headline(each.content)
    return {own: _article(own, each.content, headlines) for own, each in originals.items()}


def _article(own: str, content: Content, headlines: Mapping[str, Mapping[str, str]]) -> Article:
    known = headlines[content.language]
    chosen = _chance(own).sample(list(known), min(RELATED + 1, len(known)))
    others = tuple(known[each] for each in chosen if each != own)[:RELATED]
    return Article(tuple(filter(str.strip, content.text.split("\n"))), content.language, others)


def _chance(seed: str) -> Random:
    """The same every time, on every machine; an id may hold what UTF-8 cannot."""
    return Random(seed.encode("utf-8", "surrogatepass"))  # noqa: S311 - no secret


def _headline(content: Content) -> str:
    return content.title or content.text[:_HEADLINE].split("\n")[0]
