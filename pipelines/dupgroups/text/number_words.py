"""The words for numbers, months and days of the week in the languages of the world, from tables.

`number_words.txt` says in its first lines how it is read, and `function_words.txt`, whose frequent words tell
languages apart; `months.txt` and `weekdays.txt` have the names of a language in a line, in order.

A number in one language is often another word in the next one ("on", "sei", "dos"). So a text is read in one
language, the one that most of its words speak for. Words in scripts of few languages are always read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from dupgroups.text.number_values import Number, decimal
from dupgroups.text.scripts import UNSPACED_RANGES, character_class
from dupgroups.text.sentences import plain_characters


class Use:
    """The uses of words, as `number_words.txt` writes them."""

    COUNTED, ARTICLE, BESIDE_NUMBER, JOINED, JOINS, LAST = "c", "a", "~", "+", "&", "$"
    BEFORE_MONTH, AFTER_MONTH, ORDINAL, OF_PARTS, NO_NUMBER = "m<", "m>", "<", "/", "!"
    COUNTER, PREFIX, TELLING, EITHER, CURRENCY = "#", "^", "?", "e", "¤"


_VOICELESS = {Use.COUNTER, Use.ORDINAL, Use.OF_PARTS, Use.JOINED, Use.LAST, Use.CURRENCY}  # tell no language
_NOT_READ = {Use.COUNTER, Use.TELLING, Use.BESIDE_NUMBER, Use.CURRENCY}  # alone, without a name
_EVERY_LANGUAGE = "mul"
_LETTERS = {"months.txt": "m", "weekdays.txt": "d"}
_TABLES = "number_words.txt", "function_words.txt", *_LETTERS
_MAX_SHORT_LETTERS = 4
_WORD_VOTES = 60  # of a word, shared by the languages that have it
_TOLD_WORDS = 120  # of a text, that tell its language
FIRST_OF_FEW = "\u0980"  # the first character of the scripts, from Bengali on, that share no words
_UNSPACED_CLASS = character_class(*UNSPACED_RANGES)
_WORDS = re.compile(f"[{_UNSPACED_CLASS}]|[^{_UNSPACED_CLASS}_]+")
_VALUES = re.compile(r"([ce]?)(\d[\d.e]*)?(?:x(\d[\de]*))?")


class Reading(NamedTuple):
    """A meaning of a word: a `number` or the name of a month or a day (None: none on its own), and a `scale`
    that multiplies what is before it (0: none).

    `use`: one of those of `Use`, "" for no limits; `rest`: the words that must follow.
    """

    number: Number | None = None
    scale: float = 0.0
    use: str = ""
    rest: tuple[str, ...] = ()

    @property
    def is_value(self) -> bool:
        """Whether it is a number, a name, a scale or both."""
        return bool(self.number or self.scale) and self.use != Use.EITHER


class Table(NamedTuple):
    """The words that are read in a text of one language."""

    readings: dict[str, list[Reading]]
    """By the first word, the longest ones first."""
    starts: frozenset[str]
    """The words with which a number, a month or a day begins."""
    inside: frozenset[str]
    """The words with which it may go on."""
    before: dict[str, frozenset[str]]
    """By a word, those that belong to it when they stand before it: "a" to "million"."""
    counters: frozenset[str]
    """What begins the words for what is counted."""
    counted: frozenset[str]
    """The characters that are numbers only beside others or before a counter."""


Entry = tuple[str, Reading]
"""A first word, folded, and what it means."""


def language_of(words: Sequence[str]) -> str:
    """The language that most of the first words of a text, folded, speak for; "en" if none speaks.

    Each word of the tables speaks for the languages that have it, the more the fewer these are.
    """
    votes = _votes()
    total = sum(map(votes.__getitem__, votes.keys() & words[:_TOLD_WORDS]))
    counts = np.frombuffer(total.to_bytes(2 * len(languages()), "little"), np.uint16)
    return [*languages()][int(counts.argmax())] if total else "en"


@cache
def _votes() -> dict[str, int]:
    """For each word that tells a language a number with two bytes for each language."""
    speaks: dict[str, set[int]] = defaultdict(set)
    for place, language in enumerate(languages()):
        for word, reading in entries(language):
            if not reading.rest and reading.use not in _VOICELESS:
                speaks[word].add(16 * place)
    return {word: sum(_WORD_VOTES // len(bits) << bit for bit in bits) for word, bits in speaks.items()}


@cache
def table_of(language: str) -> Table:
    """The table of a language; "" for that of the scripts of few languages, which every table has."""
    few = (entry for other in languages() for entry in entries(other) if entry[0] >= FIRST_OF_FEW)
    every = [*(entries(language) if language else ()), *few, *entries(_EVERY_LANGUAGE)]
    readings: dict[str, list[Reading]] = defaultdict(list)
    for word, reading in every:
        if reading.number or reading.use not in _NOT_READ:
            readings[word].append(reading)
    for same in readings.values():
        same.sort(key=lambda reading: (-len(reading.rest), reading.use != Use.BESIDE_NUMBER))
    values = {word for word, reading in every if reading.is_value}
    articles, beginning = _words_of(every, Use.ARTICLE), _words_of(every, Use.BEFORE_MONTH, Use.ORDINAL)
    going_on = _words_of(every, Use.JOINS, Use.AFTER_MONTH, Use.OF_PARTS)
    return Table(
        readings,
        starts=frozenset(values - articles | beginning),
        inside=going_on.union(values, *(reading.rest for _, reading in every)),
        before=_words_before(every, articles),
        counters=_words_of(every, Use.COUNTER),
        counted=_words_of(every, Use.COUNTED),
    )


def _words_of(entries: Iterable[Entry], *uses: str) -> frozenset[str]:
    return frozenset(word for word, reading in entries if reading.use in uses)


def _words_before(every: Iterable[Entry], articles: frozenset[str]) -> dict[str, frozenset[str]]:
    """By scales the articles, and by the end of a phrase that is no number its first words."""
    before = {word: articles for word, reading in every if reading.scale and not reading.number}
    for word, reading in every:
        if reading.use == Use.NO_NUMBER:
            before[reading.rest[-1]] = before.get(reading.rest[-1], frozenset()) | {word}
    return before


@cache
def languages() -> dict[str, list[tuple[str, list[str]]]]:
    """The lines of the tables by language: the table, and the columns, folded."""
    lines: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for table in _TABLES:
        for line in (files("dupgroups.text") / table).read_text("utf-8").splitlines():
            if line[0] != "#":
                _, codes, _ = plain_characters(line)
                language, *columns = codes.astype("<u4").tobytes().decode("utf-32-le").split()
                lines[language].append((table, columns))
    return lines


@cache
def words_for_one() -> frozenset[str]:
    """The words for 1 and the articles of all languages: what stands in place of a number is one."""
    every = (entry for language in languages() for entry in entries(language))
    return frozenset(word for word, reading in every if reading.number and reading.number.value == 1)


@cache
def currencies() -> frozenset[str]:
    """The letters for currencies that stand before digits, often without a blank: "rp", "chf"."""
    return _words_of(entries(_EVERY_LANGUAGE), Use.CURRENCY)


@cache
def entries(language: str) -> list[Entry]:
    """The meanings of the words of a language, and the words that tell it."""
    found: list[Entry] = []
    for table, columns in languages()[language]:
        if table in _LETTERS:
            found += _calendar_entries(_LETTERS[table], columns, _words_of(found, Use.BESIDE_NUMBER))
        else:
            found += _number_entries(columns)
    none = {word for word, reading in found if reading == Reading(use=Use.NO_NUMBER)}
    return [entry for entry in found if entry[0] not in none]


def _number_entries(columns: Iterable[str]) -> Iterator[Entry]:
    """The entries of "7=seven x100=hundred &=and"; with prefixes and endings if the line has some."""
    roles = {role: forms.split("/") for role, forms in (column.rsplit("=", 1) for column in columns)}
    joining, prefixes, endings = (roles.pop(role, []) for role in (Use.JOINED, Use.PREFIX, Use.LAST))
    for role, forms in roles.items():
        reading = _reading(role)
        for form in forms:
            yield _entry(form, reading)
            if reading.is_value:
                yield from (_entry(prefix + form, reading) for prefix in prefixes)
                yield from (_entry(prefix + form, reading._replace(use=Use.JOINED)) for prefix in joining)
                yield from (_entry(form + ending, reading._replace(use=Use.LAST)) for ending in endings)


def _reading(role: str) -> Reading:
    """
    >>> _reading("x1e6").scale, _reading("c10x10").use, _reading("0.5").number
    (1000000.0, 'c', Number(value=0.5, unit=0.1, name='', factor=1.0))
    """
    if role == Use.ARTICLE:
        return Reading(Number(1.0, 1.0), use=role)
    match = _VALUES.fullmatch(role)
    if not match:
        return Reading(use=role)
    use, number, scale = match.groups()
    digits = f"{float(number or 0):.15g}".split(".")
    return Reading(decimal(*digits) if number else None, float(scale or 0), use)


def _calendar_entries(letter: str, columns: Iterable[str], named: Set[str]) -> Iterator[Entry]:
    """The entries of a line of months or days: "m0" for the first one.

    Those that are `named` and short forms of months may be other words when they stand alone: "may", "mar",
    or a part of one, where letters are words, as in Thai.
    """
    for number, column in enumerate(columns):
        forms = {*column.split("/")}
        for form in forms:
            is_part = sum(other.startswith(form) for other in forms) > 1 or len(_WORDS.findall(form)) > 1
            is_short = letter == "m" and is_part and len(form) <= _MAX_SHORT_LETTERS
            use = Use.BESIDE_NUMBER if is_short or form in named else ""
            yield _entry(form, Reading(Number(0.0, 0.0, f"{letter}{number}"), use=use))


def _entry(form: str, reading: Reading) -> Entry:
    """The entry of a form of one or more words ("_" is a blank), or of characters without blanks."""
    if "_" not in form and form < FIRST_OF_FEW:
        return form, reading
    word, *rest = _WORDS.findall(form)
    return word, reading._replace(rest=tuple(rest))
