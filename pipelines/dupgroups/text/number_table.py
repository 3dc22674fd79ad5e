"""What is read as a number, a month or a day in the languages of one text.

A number in one language is often another word in the next one ("on", "sei", "dos"). So a text is read in its
own language, or in those that are about as likely: each word of the tables speaks for the languages that have
it, the more the fewer these are. Words in scripts of few languages are always read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from dupgroups.text.number_values import Number
from dupgroups.text.number_words import (
    AFTER_MONTH,
    ARTICLE,
    BEFORE_MONTH,
    BESIDE_NUMBER,
    BLANKS,
    COUNTED,
    COUNTER,
    FEW_LANGUAGES,
    JOINS,
    NO_NUMBER,
    OF_PARTS,
    ORDINAL,
    TELLING,
    Entry,
    Reading,
    entries,
    languages,
)

_VOTES = 60  # of a word, shared by the languages that have it
_TOLD_WORDS = 120  # of a text, that tell its language
_LIKELY = 0.8  # share of the votes of the likeliest language from which another one is about as likely
_MARKS = {BEFORE_MONTH, AFTER_MONTH, ORDINAL, OF_PARTS}
_NOT_READ = {COUNTER, BLANKS, TELLING}
NEVER_FIRST = {JOINS, ARTICLE, NO_NUMBER, *_MARKS}
"""The uses of words that begin no number."""


class Table(NamedTuple):
    """What is read in the languages of one text."""

    readings: dict[str, list[Reading]]
    """By the first word, the longest ones first."""
    plain: dict[str, Number]
    """Those that are always one number."""
    scales: dict[str, float]
    """Those that only multiply."""
    starters: frozenset[str]
    """The words with which a number, a month or a day may begin; scales after an article, too."""
    phrases: dict[str, frozenset[str]]
    """The second words of phrases, by the first ones that begin nothing else."""
    going_on: frozenset[str]
    """The words with which a number may go on."""
    marks: frozenset[str]
    """The words that tell what a number beside them is."""
    counters: frozenset[str]
    """What begins the words for what is counted."""
    counted: frozenset[str]
    """The characters that are numbers only beside others or before a counter."""
    has_blanks: bool
    """Whether blanks part the thousands of a number."""


def table_of(words: Sequence[str]) -> Table:
    """The table of the languages of a text, from its first words, folded."""
    if not words:
        return _table(())
    votes = _votes()
    total = sum(map(votes.__getitem__, votes.keys() & words[:_TOLD_WORDS]))
    shares = np.frombuffer(total.to_bytes(2 * len(languages()), "little"), np.uint16)
    likely = (shares >= max(1.0, _LIKELY * int(shares.max()))).nonzero()[0]
    return _table(tuple(likely.tolist()))


@cache
def _votes() -> dict[str, int]:
    """For each word a number with two bytes for each language."""
    speaks: dict[str, set[int]] = defaultdict(set)
    for place, lines in enumerate(languages().values()):
        for word in chain.from_iterable(line.words() for line in lines):
            speaks[word].add(16 * place)
    return {word: sum(_VOTES // len(bits) << bit for bit in bits) for word, bits in speaks.items()}


@lru_cache(256)
def _table(likely: tuple[int, ...]) -> Table:
    """The table of the languages in these places. What they disagree on is no number."""
    every = [*languages()]
    own = [entries(every[place]) for place in likely]
    foreign = {word for some in own for word in _only_telling(some)}
    chosen = [entry for some in own for entry in some]
    others = (entry for language in _of_few() for entry in entries(language))
    chosen += (entry for entry in others if entry[0] >= FEW_LANGUAGES)
    readings: dict[str, dict[tuple[tuple[str, ...], bool], Reading]] = defaultdict(dict)
    for word, reading in chosen:
        is_read = reading.use not in _NOT_READ and (reading.name or reading.use != BESIDE_NUMBER)
        if is_read and (reading.rest or word not in foreign):
            same, key = readings[word], (reading.rest, reading.use == BESIDE_NUMBER)
            same[key] = _merge(same.get(key, reading), reading)
    alone = {word: next(iter(same.values())) for word, same in readings.items() if [*same] == [((), False)]}
    first = {word: [*filter(_begins, same.values())] for word, same in readings.items()}
    uses = {word: {reading.use for reading in same.values()} for word, same in readings.items()}
    return Table(
        {word: sorted(same.values(), key=_order) for word, same in readings.items()},
        {word: reading.number for word, reading in alone.items() if reading.number and not reading.use},
        {word: reading.scale for word, reading in alone.items() if reading.scale and not reading.number},
        frozenset(word for word, some in first.items() if some),
        {
            word: frozenset(reading.rest[0] for reading in some)
            for word, some in first.items()
            if some and all(reading.rest for reading in some)
        },
        frozenset(word for word, same in readings.items() if any(map(_goes_on, same.values()))),
        frozenset(word for word, some in uses.items() if some & _MARKS),
        frozenset(word for word, reading in chosen if reading.use == COUNTER),
        frozenset(word for word, some in uses.items() if COUNTED in some and some <= {COUNTED, NO_NUMBER}),
        any(reading.use == BLANKS for _, reading in chosen),
    )


def _only_telling(entries: Iterable[Entry]) -> set[str]:
    """The words of a language that tell it and are nothing else in it."""
    telling, others = set[str](), set[str]()
    for word, reading in entries:
        if not reading.rest:
            (telling if reading.use == TELLING else others).add(word)
    return telling - others


def _merge(one: Reading, two: Reading) -> Reading:
    """One reading of a word that has two: a scale may have a value on its own, too."""
    if one == two:
        return one
    numbers, scales = {one.number, two.number} - {None}, {one.scale, two.scale} - {0.0}
    if one.name != two.name or len(numbers) > 1 or len(scales) > 1 or NO_NUMBER in (one.use, two.use):
        return Reading(use=NO_NUMBER, rest=one.rest)
    limited = one if one.use else two
    return limited._replace(number=next(iter(numbers), None), scale=next(iter(scales), 0.0))


def _begins(reading: Reading) -> bool:
    return reading.use not in NEVER_FIRST or (reading.use == NO_NUMBER and bool(reading.rest))


def _goes_on(reading: Reading) -> bool:
    return reading.number is not None or reading.scale > 0 or reading.use == JOINS


def _order(reading: Reading) -> tuple[int, bool]:
    return -len(reading.rest), reading.use != BESIDE_NUMBER


@cache
def _of_few() -> list[str]:
    """The languages in scripts of few languages."""
    return [
        language
        for language, lines in languages().items()
        if any(word >= FEW_LANGUAGES for line in lines for word in line.words())
    ]
