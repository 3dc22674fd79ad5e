"""The words for numbers, months and days of the week in the languages of the world, from tables.

`number_words.txt` says in its first lines how it is read; `months.txt` and `weekdays.txt` have the names of a
language in a line, in order; `function_words.txt` has frequent words that tell languages apart.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from dupgroups.text.number_values import Number, whole_number
from dupgroups.text.scripts import UNSPACED_RANGES, character_class
from dupgroups.text.sentences import plain_characters

COUNTED, ARTICLE, BESIDE_NUMBER, LAST = "c", "a", "~", "$"
JOINS, BEFORE_MONTH, AFTER_MONTH, ORDINAL, OF_PARTS, NO_NUMBER = "&", "m<", "m>", "<", "/", "!"
COUNTER, BLANKS, TELLING = "#", "s", "telling"
_PREFIX, _JOINING_PREFIX = "^", "+"
_NO_WORDS = {COUNTER, BLANKS, _PREFIX, _JOINING_PREFIX, LAST, ORDINAL, OF_PARTS, NO_NUMBER}
_NUMBER_WORDS, _FUNCTION_WORDS = "number_words.txt", "function_words.txt"
_MONTHS, _WEEKDAYS = "months.txt", "weekdays.txt"
_LETTERS = {_MONTHS: "m", _WEEKDAYS: "d"}  # with which their names begin
_LONGEST_ABBREVIATED = 4  # letters
FEW_LANGUAGES = "\u0980"
"""The first character of the scripts, from Bengali on, that share no words."""
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


Entry = tuple[str, Reading]
"""A first word, folded, and what it means."""


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
def entries(language: str) -> list[Entry]:
    """What the words of a language mean, and the words that tell it."""
    found: list[Entry] = []
    for table, columns in languages()[language]:
        if table == _NUMBER_WORDS:
            found += _number_entries(columns)
        elif table == _FUNCTION_WORDS:
            found += ((word, Reading(use=TELLING)) for word in columns)
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
            if is_named or not is_short or TELLING not in uses[form]:
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
    if "_" not in form and form < FEW_LANGUAGES:
        return form, reading
    word, *rest = _parts().findall(form)
    return word, reading._replace(rest=tuple(rest)) if rest else reading


@cache
def _parts() -> re.Pattern[str]:
    unspaced = character_class(*UNSPACED_RANGES)
    return re.compile(f"[{unspaced}]|[^{unspaced}_]+")
