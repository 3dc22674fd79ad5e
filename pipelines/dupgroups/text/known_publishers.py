"""The names of known agencies and publishers, each as one letter in the lines that are searched for credits.

The patterns of credits do not list the known names. In the lines that they read, each name stands as one
letter, its mark, of the Tangut script, in which no news is written. The names of a kind have a range of
marks.

>>> show_names(mark_names("(Reuters)")), len(mark_names("(Reuters)"))
('(Reuters)', 3)
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby

from dupgroups.text.word_tables import read_table

FIRST_MARK = 0x17000


def _read_names(table: str) -> dict[str, str]:
    """The first name of each name in a table, as it is written there or all in capitals."""
    rows = read_table(table).items()
    names = ((written, first) for first, others in rows for written in (first, *others))
    return {cased: first for written, first in names for cased in (written, written.upper())}


AGENCIES = _read_names("agencies.csv")
PUBLISHERS = _read_names("publishers.csv") | AGENCIES
_FOLDED_NAMES = frozenset(map(str.casefold, AGENCIES))


def is_agency(name: str) -> bool:
    """Whether a text is the name of a news agency, in letters of any case: "AFP"."""
    return name.casefold() in _FOLDED_NAMES


def _kind_of(name: str) -> str:
    if "." in name and name.islower() and name in AGENCIES:
        return "domain"
    if "\u3000" <= name[-1] < "\uac00":
        return "chinese"  # or Japanese
    if len(name) == 2:
        return "two letters"
    return "long" if " " in name or name.isupper() else "short"


def _range_of(kind: str) -> str:
    """The marks of all names of a kind, as a part of a character class."""
    marks = [mark for name, mark in _MARKS.items() if _kind_of(name) == kind]
    return f"{marks[0]}-{marks[-1]}"


def _unite_names(names: set[str]) -> str:
    """A pattern for names in which their common beginnings stand once. The longest is tried first."""
    by_first = groupby(sorted(names - {""}), key=lambda name: name[0])
    branches: list[str] = [
        re.escape(first) + _unite_names({name[1:] for name in same}) for first, same in by_first
    ]
    if len(branches) == 1 and "" not in names:
        return branches[0]
    return f"(?:{'|'.join(branches)}){'?' * ('' in names)}" if branches else ""


_MARKS = {name: chr(FIRST_MARK + at) for at, name in enumerate(sorted(PUBLISHERS, key=_kind_of))}
_NAMES_OF_MARKS = {ord(mark): name for name, mark in _MARKS.items()}
ALL_MARKS = f"{min(_MARKS.values())}-{max(_MARKS.values())}"
NAME = f"[{ALL_MARKS}]"
NAME_ZH, NAME_OF_TWO_LETTERS, DOMAIN_OF_AGENCY = (
    f"[{_range_of(kind)}]" for kind in ("chinese", "two letters", "domain")
)
LONG_NAME = f"[{_range_of('long')}{_range_of('two letters')}]"
ANY_NAME = re.compile(NAME)
_LETTER = r"[A-Za-zÀ-ɏͰ-ӿ\u05d0-\u05ea\u0620-\u065f\u066e-\u06d3ऀ-ॣঀ-ৣḀ-ỿ]"  # of scripts with spaces


@cache
def _name_or_mark() -> re.Pattern[str]:
    """Each known name, where spaces divide words no part of a longer one, and each mark."""
    first_letters = "".join({re.escape(name[0]) for name in _MARKS})
    names = rf"(?<!{_LETTER})(?=[{first_letters}]){_unite_names(set(_MARKS))}"
    return re.compile(rf"{names}(?!{_LETTER}|(?<=[A-Za-z])\d|(?<=新)[闻聞])|{NAME}")


def mark_names(text: str) -> str:
    """The text with a letter for each known name. Such letters that are in the text itself are lost."""
    return _name_or_mark().sub(lambda found: _MARKS.get(found[0], "\ufffd"), text)


def show_names(marked: str) -> str:
    """The text with its names in place of their letters."""
    return marked.translate(_NAMES_OF_MARKS)
