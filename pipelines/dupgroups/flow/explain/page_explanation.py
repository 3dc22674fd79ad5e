"""Why a page has this text: block by block what is kept, and where everything else came from."""

from __future__ import annotations

from dataclasses import dataclass

from dupgroups.content.article import Evidence, article_evidence
from dupgroups.content.page_analysis import Analysis, analyse
from dupgroups.model import Content, Page
from dupgroups.model.config import Step

MAX_LISTED_BLOCKS = 2_000  # blocks of a page that are listed
MAX_SHOWN_CHARS = 2_000  # characters of a block that are shown

GIVEN_SOURCE = "given with the page"
LACKS = {
    "words": (6.0, "few words"),
    "tokens": (4.3, "passages like links or labels"),
    "gaps": (0.0, "other things between its passages"),
    "together": (3.3, "passages in different boxes"),
    "dated": (1.0, "no date"),
    "url": (0.0, "an address like that of a list"),
}
"""What an article has of the evidence, in log odds (a typical one of 400 words), and what is said of a page
that has less."""


@dataclass(frozen=True, slots=True)
class BlockView:
    """A block of the page: its text (at most MAX_SHOWN_CHARS characters), the tag around it, the share of it
    that is linked (0 to 1), the probability of the default extractor, and whether it is part of the text.
    """

    text: str
    tag: str
    linked: float
    probability: float
    kept: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A part of the content, its value, where it was found ("" where it was not), and the probability of a
    date in sight, None for what is declared."""

    name: str
    value: str
    found: str
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """The fate of a page, and the reasons. `content` is what would be stored, by `extractor` as a user types
    it.

    `evidence` is what the probability of being an article is made of, in log odds; [] where nothing is kept.
    `more`: the number of blocks that are not listed.
    """

    content: Content
    extractor: str
    blocks: tuple[BlockView, ...]
    more: int
    evidence: tuple[Evidence, ...]
    sources: tuple[Source, ...]


def explain_page(page: Page, extractor: Step | str = "auto") -> PageExplanation:
    """Why the text of a page is what it is. Raises ConfigError for an unknown extractor."""
    step = Step.parse(extractor)
    made = analyse(page, extractor=step)
    kept, known = frozenset(made.kept), (made.blocks, made.surest, made.probabilities)
    every = made.blocks.blocks
    return PageExplanation(
        content=made.content,
        extractor=" ".join((step.name, *(f"{name}={value}" for name, value in step.params.items()))),
        blocks=tuple(_view(made, index, kept) for index in range(min(MAX_LISTED_BLOCKS, len(every)))),
        more=max(0, len(every) - MAX_LISTED_BLOCKS),
        evidence=tuple(article_evidence(*known, made.declared, page.url)),
        sources=_sources(made, page),
    )


def explain_left_out(page: Page, score: float) -> str:
    """Why a page with this probability counts as no article, in a sentence: the two things it lacks most."""
    made = analyse(page)
    evidence = article_evidence(made.blocks, made.surest, made.probabilities, made.declared, page.url)
    told = [one for one in evidence if one.name in LACKS]
    missing = sorted((one.contribution - LACKS[one.name][0], one.name) for one in told)
    lacks = [LACKS[name][1] for lack, name in missing[:2] if lack < 0] or ["no passage of an article"]
    return f"no article ({score:.2f}): {', '.join(lacks)}"


def _view(made: Analysis, index: int, kept: frozenset[int]) -> BlockView:
    block = made.blocks.blocks[index]
    tag, linked = made.blocks.boxes[block.box].tag, block.linked / len(block.text)
    probability = float(made.probabilities[index]) if len(made.probabilities) else 0.0
    return BlockView(block.text[:MAX_SHOWN_CHARS], tag, linked, probability, kept=index in kept)


def _sources(made: Analysis, page: Page) -> tuple[Source, ...]:
    content, declared = made.content, made.declared
    date_from = (GIVEN_SOURCE, None) if page.date else (declared.date_from, declared.date_probability)
    url_from = "the canonical link" if declared.canonical and content.url != page.url else GIVEN_SOURCE
    return (
        Source("title", content.title, GIVEN_SOURCE if page.title else declared.title_from),
        Source("author", content.author, declared.author_from),
        Source("date", content.date or "", *date_from),
        Source("language", content.language, GIVEN_SOURCE if page.language else "the text"),
        Source("url", content.url or "", url_from if content.url else ""),
    )
