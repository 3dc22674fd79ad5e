"""A pair of texts as assessors see it: paragraphs, with those marked that the other text has as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dupgroups.text.hashing import Hashes
from dupgroups_lab.labelling.model import Shown
from dupgroups_lab.labelling.phrases import phrases

LONGEST = 20_000  # characters of a text that are shown
_SHARED = 0.5  # share of the phrases of a paragraph that make it a shared one


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, and whether the other text has most of it."""

    text: str
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A document beside another one; `cut` if its text is longer than what is shown."""

    document: Shown
    paragraphs: tuple[Paragraph, ...]
    cut: bool


def columns(documents: tuple[Shown, ...]) -> tuple[Column, ...]:
    """A column for each document; paragraphs are compared if there are two."""
    texts = [document.text[:LONGEST] for document in documents]
    others = texts[::-1] if len(texts) == 2 else [""] * len(texts)
    return tuple(
        Column(document, paragraphs(text, other), len(document.text) > LONGEST)
        for document, text, other in zip(documents, texts, others, strict=True)
    )


def paragraphs(text: str, other: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a text; one of fewer than 7 words is shared if the other text has it whole."""
    known, lines = phrases(other), set(other.split("\n"))
    return tuple(
        Paragraph(line, line in lines or _is_shared(phrases(line), known))
        for line in text.split("\n")
        if line.strip()
    )


def _is_shared(own: Hashes, known: Hashes) -> bool:
    return len(own) > 0 and float(np.isin(own, known).mean()) >= _SHARED
