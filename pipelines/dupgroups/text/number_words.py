"""The words for numbers, months and days of the week in the languages of the world.

A number in one language is often another word in the next one ("on", "sei", "dos"). So a text is read in its
own language, or in those that are about as likely: each word of the tables speaks for the languages that have
it, the more the fewer these are. Words in scripts of few languages are always read.

The tables are `number_words.txt`, `months.txt`, `weekdays.txt` and `function_words.txt`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from dupgroups.text.number_values import Number, whole_number
from dupgroups.text.scripts import UNSPACED_RANGES, character_class
from dupgroups.text.sentences import plain_characters

COUNTED, ARTICLE, BESIDE_NUMBER, LAST = "c", "a", "~", "$"
JOINS, BEFORE_MONTH, AFTER_MONTH, ORDINAL, OF_PARTS, NO_NUMBER = "&", "m<", "m>", "<", "/", "!"
_COUNTER, _BLANKS, _TELLING = "#", "s", "telling"
_PREFIX, _JOINING_PREFIX = "^", "+"
_MONTH, _DAY = "m", "d"
_VOTES = 60  # of a word, shared by the languages that have it
_TOLD_WORDS = 300  # of a text, that tell its language
_TELLING_WEIGHT = 2  # of a frequent word against one of a table of numbers or of the calendar
_LIKELY = 0.8  # share of the votes of the likeliest language from which another one is about as likely
_FEW_LANGUAGES = "\u0980"  # the first character of the scripts, from Bengali on, that share no words
_LONGEST_ABBREVIATED = 4  # letters
_MARKS = {BEFORE_MONTH, AFTER_MONTH, ORDINAL, OF_PARTS}
_NOT_READ = {_COUNTER, _BLANKS, _TELLING}
NEVER_FIRST = {JOINS, ARTICLE, NO_NUMBER, *_MARKS}
_NUMBER_KEY = re.compile(r"([cx]?)(\d[\de]*)")


class Reading(NamedTuple):
    """What a word may mean: a `number` (None: none on its own), a `scale` that multiplies what is before it
    (0: none), or a month or a day of the week by its `name`.

    `use`: one of the constants above, "" for no limits; `rest`: the words that must follow.
    """

    number: Number | None = None
    scale: float = 0.0
    name: str = ""
    use: str = ""
    is_joined: bool = False
    rest: tuple[str, ...] = ()


class Table(NamedTuple):
    """What is read in the languages of one text."""

    readings: dict[str, list[Reading]]
    """By the first word, the longest ones first."""
    starters: frozenset[str]
    """The words with which a number, a month or a day may begin; scales after an article, too."""
    going_on: frozenset[str]
    """The words with which a number may go on."""
    marks: frozenset[str]
    """The words that tell what a number beside them is."""
    counters: frozenset[str]
    """What begins the words for what is counted."""
    has_blanks: bool
    """Whether blanks part the thousands of a number."""


Entry = tuple[str, Reading]
"""A first word, folded, and what it means."""


def table_of(words: Sequence[str]) -> Table:
    """The table of the languages of a text, from its first words, folded."""
    votes = _votes()
    total = sum(map(votes.__getitem__, votes.keys() & words[:_TOLD_WORDS]))
    shares = np.frombuffer(total.to_bytes(2 * len(_languages()), "little"), np.uint16)
    likely = (shares >= max(1.0, _LIKELY * int(shares.max()))).nonzero()[0]
    return _table(tuple(likely.tolist()))


@cache
def _votes() -> dict[str, int]:
    """For each word a number with two bytes for each language."""
    speaks: dict[str, dict[int, int]] = defaultdict(dict)
    for place, entries in enumerate(_languages().values()):
        for word, reading in entries:
            if not reading.rest and reading.use not in (_COUNTER, _BLANKS):
                weight = _TELLING_WEIGHT if reading.use == _TELLING else 1
                speaks[word][16 * place] = max(weight, speaks[word].get(16 * place, 0))
    return {
        word: sum(_VOTES * weight // len(weights) << bit for bit, weight in weights.items())
        for word, weights in speaks.items()
    }


@lru_cache(256)
def _table(likely: tuple[int, ...]) -> Table:
    """The table of the languages in these places. What they disagree on is no number."""
    chosen: list[Entry] = []
    foreign: set[str] = set()
    for place, entries in enumerate(_languages().values()):
        if place in likely:
            chosen += entries
            foreign |= _only_telling(entries)
        else:
            chosen += (entry for entry in entries if entry[0] >= _FEW_LANGUAGES)
    readings: dict[str, dict[tuple[tuple[str, ...], bool], Reading]] = defaultdict(dict)
    for word, reading in chosen:
        is_read = reading.use not in _NOT_READ and (reading.name or reading.use != BESIDE_NUMBER)
        if is_read and (reading.rest or word not in foreign):
            same, key = readings[word], (reading.rest, reading.use == BESIDE_NUMBER)
            same[key] = _merge(same.get(key, reading), reading)
    uses = {word: {reading.use for reading in same.values()} for word, same in readings.items()}
    return Table(
        {word: sorted(same.values(), key=_order) for word, same in readings.items()},
        frozenset(word for word, some in uses.items() if not some <= NEVER_FIRST),
        frozenset(word for word, same in readings.items() if any(map(_goes_on, same.values()))),
        frozenset(word for word, some in uses.items() if some & _MARKS),
        frozenset(word for word, reading in chosen if reading.use == _COUNTER),
        any(reading.use == _BLANKS for _, reading in chosen),
    )


def _only_telling(entries: Iterable[Entry]) -> set[str]:
    """The words of a language that tell it and are nothing else in it."""
    telling, others = set[str](), set[str]()
    for word, reading in entries:
        if not reading.rest:
            (telling if reading.use == _TELLING else others).add(word)
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


def _goes_on(reading: Reading) -> bool:
    return reading.number is not None or reading.scale > 0 or reading.use == JOINS


def _order(reading: Reading) -> tuple[int, bool]:
    return -len(reading.rest), reading.use != BESIDE_NUMBER


@cache
def _languages() -> dict[str, list[Entry]]:
    """The entries of the tables by language."""
    languages: dict[str, list[Entry]] = defaultdict(list)
    for language, columns in _lines("number_words.txt"):
        languages[language] += _number_entries(columns)
    for language, columns in _lines("function_words.txt"):
        languages[language] += [(word, Reading(use=_TELLING)) for word in columns]
    for letter, table in ((_MONTH, "months.txt"), (_DAY, "weekdays.txt")):
        for language, columns in _lines(table):
            languages[language] += _calendar_entries(letter, columns, languages[language])
    return languages


def _lines(table: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of a table: the language, and the columns, folded."""
    for line in (files("dupgroups.text") / table).read_text("utf-8").splitlines():
        if line[0] != "#":
            _, codes, _ = plain_characters(line)
            language, *columns = codes.astype("<u4").tobytes().decode("utf-32-le").split()
            yield language, columns


def _number_entries(columns: Iterable[str]) -> Iterator[Entry]:
    """The entries of "7=seven x100=hundred &=and"; with prefixes and endings if the line has some."""
    roles = {role: forms.split("/") for role, forms in (column.rsplit("=", 1) for column in columns)}
    affixes = [roles.pop(role, []) for role in (_PREFIX, _JOINING_PREFIX, LAST)]
    for role, forms in roles.items():
        number = _NUMBER_KEY.fullmatch(role)
        reading = _number_reading(*number.groups()) if number else Reading(use=role)
        if role == ARTICLE:
            reading = Reading(Number(1.0, 1.0), use=ARTICLE)
        for form in forms:
            yield _entry(form, reading)
            if number:
                yield from _with_affixes(form, reading, *affixes)


def _number_reading(kind: str, number: str) -> Reading:
    """
    >>> _number_reading("x", "1e6").scale, _number_reading("c", "7").use
    (1000000.0, 'c')
    """
    return (
        Reading(scale=float(number))
        if kind == "x"
        else Reading(whole_number(f"{float(number):.0f}"), use=kind)
    )


def _with_affixes(
    form: str, reading: Reading, prefixes: list[str], joining: list[str], endings: list[str]
) -> Iterator[Entry]:
    yield from (_entry(prefix + form, reading) for prefix in prefixes)
    if joining:
        joined = reading._replace(is_joined=True)
        yield from (_entry(prefix + form, joined) for prefix in joining)
    if endings:
        last = reading._replace(use=LAST)
        yield from (_entry(form + ending, last) for ending in endings)


def _calendar_entries(letter: str, columns: Iterable[str], known: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of a line of months or days: "m0" for the first one."""
    doubtful = {word for word, reading in known if reading.use == BESIDE_NUMBER}
    for number, column in enumerate(columns):
        forms = column.split("/")
        always, beside = (Reading(name=f"{letter}{number}", use=use) for use in ("", BESIDE_NUMBER))
        for form in forms:
            is_doubtful = form in doubtful or (letter == _MONTH and _is_short(form, forms))
            yield _entry(form, beside if is_doubtful else always)


def _is_short(form: str, forms: Iterable[str]) -> bool:
    """Whether a form of a month abbreviates another one: "mar" may be any word on its own."""
    if len(form) > _LONGEST_ABBREVIATED:
        return False
    longer = [other for other in forms if len(other) > len(form)]
    if len(form) < _LONGEST_ABBREVIATED:
        return bool(longer)
    return any(other.startswith(form) for other in longer)


def _entry(form: str, reading: Reading) -> Entry:
    """The entry of a form of one or more words ("_" is a blank), or of characters without blanks."""
    if "_" not in form and form < _FEW_LANGUAGES:
        return form, reading
    word, *rest = _parts().findall(form)
    return word, reading._replace(rest=tuple(rest)) if rest else reading


@cache
def _parts() -> re.Pattern[str]:
    unspaced = character_class(*UNSPACED_RANGES)
    return re.compile(f"[{unspaced}]|[^{unspaced}_]+")
