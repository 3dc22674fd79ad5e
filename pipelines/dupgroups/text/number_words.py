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
from itertools import chain
from typing import NamedTuple

import numpy as np

from dupgroups.text.number_values import Number, whole_number
from dupgroups.text.scripts import UNSPACED_RANGES, character_class
from dupgroups.text.sentences import plain_characters

COUNTED, ARTICLE, BESIDE_NUMBER, LAST = "c", "a", "~", "$"
JOINS, BEFORE_MONTH, AFTER_MONTH, ORDINAL, OF_PARTS, NO_NUMBER = "&", "m<", "m>", "<", "/", "!"
_COUNTER, _BLANKS, _TELLING = "#", "s", "telling"
_PREFIX, _JOINING_PREFIX = "^", "+"
_NUMBER_WORDS, _FUNCTION_WORDS = "number_words.txt", "function_words.txt"
_MONTHS, _WEEKDAYS = "months.txt", "weekdays.txt"
_LETTERS = {_MONTHS: "m", _WEEKDAYS: "d"}  # with which their names begin
_VOTES = 60  # of a word, shared by the languages that have it
_TOLD_WORDS = 120  # of a text, that tell its language
_LIKELY = 0.8  # share of the votes of the likeliest language from which another one is about as likely
_FEW_LANGUAGES = "\u0980"  # the first character of the scripts, from Bengali on, that share no words
_LONGEST_ABBREVIATED = 4  # letters
_MARKS = {BEFORE_MONTH, AFTER_MONTH, ORDINAL, OF_PARTS}
_NOT_READ = {_COUNTER, _BLANKS, _TELLING}
NEVER_FIRST = {JOINS, ARTICLE, NO_NUMBER, *_MARKS}
_NO_WORDS = {_COUNTER, _BLANKS, _PREFIX, _JOINING_PREFIX, LAST, ORDINAL, OF_PARTS, NO_NUMBER}
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


Entry = tuple[str, Reading]
"""A first word, folded, and what it means."""


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
    chosen += (entry for entry in others if entry[0] >= _FEW_LANGUAGES)
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
        frozenset(word for word, reading in chosen if reading.use == _COUNTER),
        frozenset(word for word, some in uses.items() if COUNTED in some and some <= {COUNTED, NO_NUMBER}),
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


def _begins(reading: Reading) -> bool:
    return reading.use not in NEVER_FIRST or (reading.use == NO_NUMBER and bool(reading.rest))


def _goes_on(reading: Reading) -> bool:
    return reading.number is not None or reading.scale > 0 or reading.use == JOINS


def _order(reading: Reading) -> tuple[int, bool]:
    return -len(reading.rest), reading.use != BESIDE_NUMBER


class _Line(NamedTuple):
    """A line of a table without its language, folded."""

    table: str
    columns: list[str]

    def words(self) -> Iterator[str]:
        """Its forms of one word."""
        for column in self.columns:
            role, _, forms = column.rpartition("=")
            if "_" not in column and role not in _NO_WORDS:
                yield from forms.split("/")
            elif role not in _NO_WORDS:
                yield from (form for form in forms.split("/") if "_" not in form)


@cache
def languages() -> dict[str, list[_Line]]:
    """The lines of the tables by language."""
    lines: dict[str, list[_Line]] = defaultdict(list)
    for table in (_NUMBER_WORDS, _FUNCTION_WORDS, _MONTHS, _WEEKDAYS):
        for line in (files("dupgroups.text") / table).read_text("utf-8").splitlines():
            if line[0] != "#":
                _, codes, _ = plain_characters(line)
                language, *columns = codes.astype("<u4").tobytes().decode("utf-32-le").split()
                lines[language].append(_Line(table, columns))
    return lines


@cache
def _of_few() -> list[str]:
    """The languages in scripts of few languages."""
    return [
        language
        for language, lines in languages().items()
        if any(word >= _FEW_LANGUAGES for line in lines for word in line.words())
    ]


@cache
def entries(language: str) -> list[Entry]:
    """What the words of a language mean, and the words that tell it."""
    found: list[Entry] = []
    for table, columns in languages()[language]:
        if table == _NUMBER_WORDS:
            found += _number_entries(columns)
        elif table == _FUNCTION_WORDS:
            found += ((word, Reading(use=_TELLING)) for word in columns)
        else:
            found += _calendar_entries(table, columns, found)
    return found


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


def _calendar_entries(table: str, columns: Iterable[str], known: Iterable[Entry]) -> list[Entry]:
    """The entries of a line of months or days: "m0" for the first one."""
    uses: dict[str, set[str]] = defaultdict(set)
    for word, reading in known:
        uses[word].add(reading.use)
    found: list[Entry] = []
    for number, column in enumerate(columns):
        forms = column.split("/")
        for form in forms:
            is_named = BESIDE_NUMBER in uses[form]
            is_short = table == _MONTHS and _is_short(form, forms)
            if is_named or not is_short or _TELLING not in uses[form]:
                use = BESIDE_NUMBER if is_named or is_short else ""
                found.append(_entry(form, Reading(name=f"{_LETTERS[table]}{number}", use=use)))
    return found


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
