"""Extraction from the bytes of a page to its Content."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Protocol

import numpy as np

from dupgroups.content.article import MIN_ARTICLE_SCORE, article_probability
from dupgroups.content.auto import Auto, load_network
from dupgroups.content.blocks import Blocks, divide
from dupgroups.content.bounds import MAX_CHARS, utf8, without_padding
from dupgroups.content.declared_sources import MAX_SOURCE_CHARS
from dupgroups.content.features import Floats
from dupgroups.content.headlines import without_site
from dupgroups.content.json_ld import text_of
from dupgroups.content.letters import letters_and_digits
from dupgroups.content.metadata import Metadata, metadata
from dupgroups.content.page_source import is_data, page_from_state, without_scripts
from dupgroups.content.surroundings import complete_metadata
from dupgroups.methods.registry import MethodTable, build
from dupgroups.model import Content, Page
from dupgroups.model.config import Step
from dupgroups.text import language, urls
from dupgroups.text.dates import PLACEHOLDERS, declared_date
from dupgroups.text.decoding import decode


class Extractor(Protocol):
    """Selects the blocks of the article: `extractor(page)` gives their indices in `page.blocks`, ascending.

    The result is empty for a page without blocks. Extractors are pure: the same page gives the same indices.
    """

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the article's blocks, in document order."""


EXTRACTORS = MethodTable("extractor", {"auto": Auto})

_FEW_BYTES = 200  # bytes in UTF-8 of a text that may be all that is left of a story
_MIN_LISTED_CHARS = 200  # of a text that gets more then: beside a shorter one stand other stories
_LOG = logging.getLogger(__name__)
_YEAR = re.compile(r"[1-9]\d{3}(?!\d)")

OfLanguage = Callable[[str], Extractor]
"""The extractor of each language; of "*" for a text whose language is not known yet."""


def extract(page: Page, *, extractor: str | Step | OfLanguage = "auto") -> Content:
    """The article of `page` without navigation, related links and comments; the headline is only in `title`.

    Never raises, whatever the bytes; a page without an article gives `Content(text="")`. The `text` of a page
    that already has one is kept as it is. At most 8,000,000 characters are read, of text and of html, and the
    log names a page that is longer, even without the pictures, styles and long scripts inside of it. Raises
    ConfigError for an unknown extractor.
    """
    return analyse(page, extractor=extractor).content


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that is found on a page on the way to its content.

    `kept` are the blocks of the text, `surest` those from which the confidence is computed; both are indices,
    ascending, and empty for a page that came with its text. `probabilities` are those of the default
    extractor, of shape (blocks,). `declared` holds author and date as they were completed.
    """

    blocks: Blocks
    declared: Metadata
    content: Content = field(default_factory=lambda: Content(""))
    kept: Sequence[int] = ()
    surest: Sequence[int] = ()
    probabilities: Floats = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def text(self) -> str:
        """The text of these blocks."""
        return "\n".join(map(self.blocks.texts.__getitem__, self.kept))


def analyse(page: Page, *, extractor: str | Step | OfLanguage = "auto") -> Analysis:
    """Everything that `extract` finds out about a page; it raises what `extract` raises."""
    of_language = _of_language(extractor)
    html, code = _html(page), language.normalize_language(page.language)
    found = _read(html, page.url) if html else _read_nothing()
    if page.text is None:
        found, code = _choose(found, page, code, of_language)
    return _complete(found, page, code, of_language(code or "*"))


def _read(html: str, url: str | None) -> Analysis:
    """The blocks of a page and what it declares."""
    blocks = divide(html, hrefs=False)
    return Analysis(blocks, metadata(blocks, url))


@cache
def _read_nothing() -> Analysis:
    """That of a page without html, as most documents of files and indices are."""
    return _read("", None)


def _choose(found: Analysis, page: Page, given: str, of_language: OfLanguage) -> tuple[Analysis, str]:
    """`found` with the blocks of the text, by the extractor of its language, and that language, "" if it is
    to be detected; a page that shows hardly any text is perhaps taken as scripts and programs have it."""
    chosen = of_language(given or "*")
    found = _select(found, chosen)
    code = given or language.detect(found.text or found.declared.headline, found.declared.language)
    if of_language(code) != chosen:
        chosen, code = of_language(code), given
        found = _select(found, chosen)
    size = len(utf8(found.text))
    for reading in _other_readings(found, page.url) if size < _FEW_BYTES else ():
        other = _select(reading, chosen)
        if len(utf8(other.text)) > max(_FEW_BYTES, 3 * size):
            other.blocks.html = found.blocks.html
            return other, given
    return found, code


def _other_readings(found: Analysis, url: str | None) -> Iterator[Analysis]:
    """The page that shows no story as its scripts and programs have it, the most trusted first."""
    html = found.blocks.html
    if source := without_scripts(html):
        yield _read(source, url)
    bodies = (text_of(one.node.get("articleBody")) for one in found.blocks.objects if one.outer)
    if source := page_from_state(html, bodies, found.declared.headline):
        yield replace(found, blocks=divide(source, hrefs=False))


def _select(found: Analysis, chosen: Extractor) -> Analysis:
    """`found` with the blocks of the text."""
    usual = chosen if isinstance(chosen, Auto) and chosen.is_usual else Auto()
    # the weights were trained on titles with all their parts
    probabilities = load_network().probabilities(found.blocks, found.declared.title)
    surest, whole = usual.article(found.blocks, probabilities, found.declared.headline)
    kept = whole if usual is chosen else chosen(found.blocks)
    return replace(found, kept=kept, surest=surest, probabilities=probabilities)


def _complete(found: Analysis, page: Page, code: str, chosen: Extractor) -> Analysis:
    """`found` with the content, and with what the lines around the article say; of a page that is hardly an
    article the usual extractor reads the posts, entries and details, too."""
    declared = found.declared
    text = found.text if page.text is None else page.text[:MAX_CHARS]
    code = code or language.detect(text or declared.headline, declared.language)
    url = urls.identity(page.url, declared.canonical)
    if page.url or found is not _read_nothing():
        declared = complete_metadata(declared, found.blocks, found.surest, code, page.url)
    score = 1.0
    if page.text is None:
        score = article_probability(found.blocks, found.surest, found.probabilities, declared, page.url)
        if score < MIN_ARTICLE_SCORE and len(text) >= _MIN_LISTED_CHARS and chosen == Auto():
            network = load_network("auto-recall.npz")
            probabilities = network.probabilities(found.blocks, found.declared.title)
            found = replace(
                found, kept=sorted({*found.kept, *chosen.select_above(found.blocks, probabilities)})
            )
            text = found.text
    site = page.site or declared.site
    given = without_site(page.title, site) if page.title else ""
    content = Content(
        text=text,
        title=given or declared.headline,
        date=_given_date(page, code) or declared.date,
        language=code,
        url=url,
        site=site or urls.host_of(url) or None,
        article=score,
        author=page.author or declared.author,
        image=declared.image,
        source=(page.source or "")[:MAX_SOURCE_CHARS] or _unless_own(declared.source, page.site),
        owner=_unless_own(declared.owner, page.site),
    )
    return replace(found, declared=declared, content=content)


def _unless_own(name: str, site: str | None) -> str:
    """The name of a publisher; "" if it is that of the site as the caller names it."""
    return "" if letters_and_digits(name) == letters_and_digits(site or "") else name


def _given_date(page: Page, code: str) -> str | None:
    """The date that came with a page; as it is written where it begins with a year, as dates are sorted."""
    given = page.date or ""
    is_sortable = _YEAR.match(given) and given[:10] not in PLACEHOLDERS
    return declared_date(given, page.language or code) or (given if is_sortable else None)


def _of_language(extractor: str | Step | OfLanguage) -> OfLanguage:
    if not isinstance(extractor, str | Step):
        return extractor
    step = Step.parse(extractor)
    built = build("extractor", step, EXTRACTORS) if step.params else _plain(step.name)
    return lambda language: built


@lru_cache(maxsize=32)
def _plain(name: str) -> Extractor:
    built: Extractor = build("extractor", Step(name), EXTRACTORS)
    return built


def _html(page: Page) -> str:
    html = page.html or ""
    if isinstance(html, bytes):
        html = decode(html, page.encoding)
    if len(html) > MAX_CHARS:
        html = without_padding(html)
    if len(html) > MAX_CHARS:
        _LOG.warning("%s is read up to character %s", page.url or page.id or "a page", f"{MAX_CHARS:,}")
    return "" if is_data(html) else html


def join(pages: Iterable[Content]) -> Content:
    """Join the pages of one article, in order: the texts of all, and everything else from the first page.

    A paragraph of an earlier page (a summary, a note on the author) is not repeated. Without pages the result
    is `Content(text="")`.

    >>> join([Content("One.\\nBy Ann Lee", "Ferry"), Content("Two.\\nBy Ann Lee", "Ferry, page 2")]).text
    'One.\\nBy Ann Lee\\nTwo.'
    """
    first, *others = [*pages] or [Content(text="")]
    paragraphs = first.text.splitlines()
    seen = set(paragraphs)
    for page in others:
        new = [paragraph for paragraph in page.text.splitlines() if paragraph not in seen]
        paragraphs += new
        seen.update(new)
    return replace(first, text="\n".join(paragraphs))
