"""The edits of re-publication, and how many edited copies are still grouped with their original.

Editors change little, but whole-text fingerprints break at the first changed word. The random choices of an
edit are seeded by the document's id, so that the same documents always give the same copies.

| edit | what it does |
|---|---|
| whitespace only | spaces are doubled, paragraphs indented and separated by blank lines |
| one word or character | one word (Chinese: one character) is replaced by another one of the text |
| dateline and byline | a byline as first paragraph, a dateline at the start of the second |
| copyright line | a line on source and rights at the end |
| related links | ten headlines of other documents at the end, as a leaky extractor leaves them |
| last paragraph cut | |
| last fifth cut | the last 20 % of the paragraphs, at least one |

Documents to which an edit does not apply are left out: a cut that would leave less than half of the text
makes an excerpt rather than a copy, and a text of one paragraph cannot lose its last one. A copy has no host,
as if it appeared elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign
from dupgroups.grouping.key_index import KeyIndex
from dupgroups.model import Content, Document, Page, Record
from dupgroups.model.config import Config
from dupgroups_lab.duplicates.lookup import Progress, others, signed

RELATED = 10  # headlines of a leaked block
LEFT = 0.5  # share of the characters that a cut must leave: less is an excerpt, not a copy
_HEADLINE = 90  # characters of the first line that replaces a missing headline
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
        """Whether the text is Chinese."""
        return self.language == "zh"


def whitespace(article: Article, chance: Random) -> Sequence[str]:
    """Change the white space, keep the words."""
    indent = "\u3000\u3000" if article.chinese else "    "
    spaced = (
        re.sub(" ", lambda _: chance.choice((" ", "  ")), paragraph) for paragraph in article.paragraphs
    )
    return [line for paragraph in spaced for line in (indent + paragraph + " ", "")]


def one_word(article: Article, chance: Random) -> Sequence[str] | None:
    """Replace one word or character; None unless the text has two different ones."""
    word = _CHARACTER if article.language in _UNSPACED else _WORD
    text = "\n".join(article.paragraphs)
    matches = list(word.finditer(text))
    others = sorted({match[0] for match in matches})
    if len(others) < 2:
        return None
    match = chance.choice(matches)
    other = chance.choice([word for word in others if word != match[0]])
    return (text[: match.start()] + other + text[match.end() :]).split("\n")


def dateline(article: Article, chance: Random) -> Sequence[str]:
    """Add a byline and a dateline at the start."""
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
    """Add a line on source and rights at the end."""
    year = chance.randint(2005, 2025)
    line = (
        f"来源:西桥日报 版权所有 {year} 未经书面授权,不得转载。"
        if article.chinese
        else f"Copyright {year} Westbridge Courier. All rights reserved. This material may not be published, "
        "broadcast, rewritten or redistributed without permission."
    )
    return [*article.paragraphs, line]


def related_links(article: Article, chance: Random) -> Sequence[str] | None:
    """Add headlines of other documents at the end; None when there are no other documents."""
    if not article.headlines:
        return None
    shown = chance.sample(article.headlines, len(article.headlines))
    return [*article.paragraphs, "相关新闻" if article.chinese else "Related stories", *shown]


def last_paragraph(article: Article, chance: Random) -> Sequence[str] | None:
    """Cut the last paragraph; None where the rest is no longer a copy."""
    return _without(article, 1)


def last_fifth(article: Article, chance: Random) -> Sequence[str] | None:
    """Cut the last 20 % of the paragraphs, at least one; None where the rest is no longer a copy."""
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
    """The copies made by one edit in one language, and how many of them are grouped with their original.

    `strangers` counts the other originals that a copy is joined with and its own original is not.
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
    """`rows` by edit, then language; of the `originals`, `short` ones have too little text to be signed and
    are not edited.
    """

    rows: tuple[Row, ...]
    originals: int
    short: int


def survive(
    pages: Iterable[Page],
    config: Config,
    progress: Progress = lambda step, done, total: None,
) -> Survival:
    """Edit the article of every page and look each copy up among the originals. No pages give no rows."""
    methods = MethodSet(config)
    originals = signed(pages, methods, progress)
    comparable = {doc_id: document for doc_id, document in originals.items() if document.record.signature}
    index = _Index(KeyIndex(original.record for original in originals.values()), methods, config)
    joined = {doc_id: index.joined_with(document.record) for doc_id, document in comparable.items()}
    rows = tuple(_rows(comparable, index, joined, progress))
    return Survival(rows, len(originals), len(originals) - len(comparable))


@dataclass(frozen=True, slots=True)
class _Index:
    """The originals, looked up as in a crawl."""

    index: KeyIndex
    methods: MethodSet
    config: Config

    def joined_with(self, record: Record) -> set[str]:
        """Ids of the originals that the record is joined with."""
        judge = self.methods.judge(record.signature.scheme)
        candidates = others(self.index, record, self.config.candidates)
        return {other.id for other in candidates if judge(record, other).relation in self.config.join}


def _rows(
    originals: Mapping[str, Document], index: _Index, joined: Mapping[str, set[str]], progress: Progress
) -> Iterator[Row]:
    articles = _articles(originals)
    languages = sorted({article.language for article in articles.values()})
    done = 0
    for name, edit in EDITS.items():
        counts = {language: Counter[str]() for language in languages}
        for doc_id, article in articles.items():
            edited = edit(article, _chance(f"{name}\0{doc_id}"))
            if edited is not None:
                copy = Page(text="\n".join(edited), language=article.language, id=f"copy of {doc_id}")
                joined_ids = index.joined_with(sign(copy, index.methods).record)
                counts[article.language].update(
                    copies=1,
                    found=doc_id in joined_ids,
                    strangers=len(joined_ids - joined[doc_id] - {doc_id}),
                )
            done += 1
            progress("judge", done, len(EDITS) * len(articles))
        for language, count in counts.items():
            yield Row(name, language, count["copies"], count["found"], count["strangers"])


def _articles(originals: Mapping[str, Document]) -> dict[str, Article]:
    """The articles by id, each with headlines of other documents in its language."""
    headlines: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for doc_id, document in originals.items():
        content = document.content
        headlines[content.language][doc_id] = content.title or content.text[:_HEADLINE].split("\n")[0]
    return {doc_id: _article(doc_id, document.content, headlines) for doc_id, document in originals.items()}


def _article(doc_id: str, content: Content, headlines: Mapping[str, Mapping[str, str]]) -> Article:
    known = headlines[content.language]
    chosen = _chance(doc_id).sample(list(known), min(RELATED + 1, len(known)))
    others = tuple(known[other_id] for other_id in chosen if other_id != doc_id)[:RELATED]
    return Article(tuple(filter(str.strip, content.text.split("\n"))), content.language, others)


def _chance(seed: str) -> Random:
    """A generator that is the same on every machine; an id may hold lone surrogates, which UTF-8 refuses."""
    return Random(seed.encode("utf-8", "surrogatepass"))  # noqa: S311 - not a secret
