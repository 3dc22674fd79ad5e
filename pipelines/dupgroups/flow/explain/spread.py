"""How a story spread: its copies by the dates on their pages, and what they changed.

A page may say when it was published to the minute, only on which day, or not at all. No time of day is made
up for a copy that has none, and a date that cannot be right does not count (see `publication_dates.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from dupgroups.content.dates_in_sight import is_time
from dupgroups.content.insets import is_offer
from dupgroups.content.interruptions import MAX_LINE_CHARS, is_interruption
from dupgroups.flow.explain.text_alignment import MIN_LINKING_WORDS, align
from dupgroups.grouping.heads import order_of
from dupgroups.grouping.publication_dates import DAY_MINUTES, published_by, says_when
from dupgroups.model import Copy, Record
from dupgroups.text.facts import Report, read_facts
from dupgroups.text.iso_dates import minute_of, published_minute

MAX_COMPARED_COPIES = 12  # copies whose texts are compared with that of the first one
MAX_COMPARED_WORDS = 2_000  # words of a text that are compared
STEM_LETTERS = 4  # of a word, whose ending may follow its figure: "4 человека", "5 человек"

_DIGITS = "0123456789.:"  # of numbers and times
_YEAR, _CLOCK = re.compile(r"(?:19|20)\d\d"), re.compile(r"\d[:h]\d")
_PHONE = re.compile(  # "+49 30 123-4567", "(030) 123 4567", "800-555-0177"
    r"(?<![\d.,:])(?:(?:\+|0)\d+(?:[ ()/-]{1,3}\d+)+|\(?\d{3}[-) ]{1,2}\d{3}-\d{4})"
)
# of a sentence; it may go on in the next line
_END = re.compile(r"[.!?…。！？؟।]|\n(?!\s*[a-zß-öø-ÿα-ωа-я])")


@dataclass(frozen=True, slots=True)
class Appearance:
    """A copy; when it was first `seen` (microseconds since 1970); by when it was published (`published_by`);
    whether its page says on which day (`dated`), and at what time (`timed`).
    """

    copy: Copy
    seen: int
    by: int
    dated: bool
    timed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """How many words of the first copy another one has not (`cut`), and what it has besides them (`added`);
    `figures` of the body that differ in the same words, each with the new one, in numerals or words: no
    dates, times and headlines.
    """

    cut: int
    added: int
    figures: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """The copies of a story, in the order in which they were published, as far as is known."""

    copies: Sequence[Appearance]

    @classmethod
    def of(cls, copies: Iterable[tuple[Copy, Record]]) -> Spread:
        """The spread of stored copies. Empty for none."""
        order = order_of("published")
        return cls([_appearance(*one) for one in sorted(copies, key=lambda one: order(one[1]))])

    @property
    def minutes(self) -> list[int | None]:
        """For each copy, how long after the earliest known time it was published; None without a time."""
        start = min((one.by for one in self.copies if one.timed), default=0)
        return [one.by - start if one.timed else None for one in self.copies]

    @property
    def lead(self) -> tuple[Appearance, Appearance | None, int] | None:
        """The copy that was published first, the next one on another site that says so as exactly, and the
        minutes between them (without times, whole days); None if the pages do not say who was first.
        """
        first = next(iter(self.copies), None)
        if first is None or not first.dated:
            return None
        others = (one for one in self.copies if one.copy.site != first.copy.site)
        later = next((one for one in others if one.timed or (one.dated and not first.timed)), None)
        unit = 1 if first.timed else DAY_MINUTES
        ahead = (later.by // unit - first.by // unit) * unit if later else 0
        return (first, later, ahead) if ahead or not later else None


def _appearance(copy: Copy, record: Record) -> Appearance:
    by, dated = published_by(record), says_when(record) and published_minute(copy.date) is not None
    timed = dated and by == minute_of(copy.date) and len(copy.date or "") > len("2026-03-04")
    return Appearance(copy, record.first_seen, by, dated, timed)


def changes(texts: Mapping[str, str]) -> dict[str, Change]:
    """How texts differ from the first of them, by id; of each MAX_COMPARED_WORDS words are read."""
    return {id_: compare_texts(next(iter(texts.values())), text) for id_, text in list(texts.items())[1:]}


def compare_texts(first: str, text: str) -> Change:
    """How a text differs from the first one; of each MAX_COMPARED_WORDS words are read."""
    aligned = align(first, text, MAX_COMPARED_WORDS)
    cut, added = (words - aligned.common for words in aligned.words)
    pairs = _changed_figures(read_facts(first).report, read_facts(text).report)
    return Change(cut, added, tuple(dict.fromkeys(pairs)))


def _changed_figures(first: Report, later: Report) -> Iterator[tuple[str, str]]:
    """The figures of two bodies that differ where the words around them are the same."""

    def stems(report: Report) -> list[int]:
        tokens = enumerate(report.tokens[:MAX_COMPARED_WORDS])
        return [0 if place in report.numbers else hash(token[:STEM_LETTERS]) for place, token in tokens]

    for step in LCSseq.opcodes(stems(first), stems(later)):
        if step.tag != "equal" or step.src_end - step.src_start < MIN_LINKING_WORDS:
            continue
        for one, two in enumerate(range(step.dest_start, step.dest_end), step.src_start):
            if one not in first.numbers or first.numbers[one].agrees(later.numbers[two]):
                continue
            was, now = first.spell([one]), later.spell([two])
            is_same = _is_short_form(was, now) or _is_short_form(now, was)
            if not is_same and _is_figure(first, one) and _is_figure(later, two):
                yield was, now


def _is_short_form(short: str, long: str) -> bool:
    """Whether a figure is another one with the first letters of its scale: "240m" for "240 million"."""
    is_short = short[0].isdigit() and short[-1].isalpha()
    return is_short and long.replace(" ", "").startswith(short)


def _is_figure(report: Report, place: int) -> bool:
    """Whether a number of a report counts something: it stands in a sentence of the story, and in no date,
    time or telephone number.
    """
    months = [beside for beside in (place + 1, place - 1) if _name_of(report, beside).startswith("m")]
    is_day = bool(months) and (months[0] > place or place - 2 not in report.numbers)  # the only one beside
    if _name_of(report, place) or is_day:
        return False
    spelled, source = report.spell([place]), report.facts.source
    start, end = report.facts.starts[report.first + place], report.facts.ends[report.first + place]
    unit = spelled.lstrip(_DIGITS) if spelled[0].isdigit() else ""
    before = source[max(0, start - MAX_LINE_CHARS) : start].rpartition("\n")[2]
    after = source[end : end + MAX_LINE_CHARS].partition("\n")[0]
    line = before + spelled + after
    in_row = any(row.start() <= len(before) < row.end() for row in _PHONE.finditer(line))
    if in_row or is_interruption(line) or is_offer(line) or is_time(f"{before[-12:]}#{unit}{after[:12]}"):
        return False
    around = source[max(0, start - 3) : end + 3]
    close = _END.search(source, end)
    is_closed = close is not None and not close[0].isspace()
    return is_closed and not _YEAR.fullmatch(spelled) and not _CLOCK.search(around)


def _name_of(report: Report, place: int) -> str:
    return report.numbers[place].name if place in report.numbers else ""


def states(report: Report, figure: str) -> bool:
    """Whether a body states a figure, however it is spelled."""
    stated = [*read_facts(figure).numbers.values()]
    return any(number.agrees(one) for number in stated[:1] for one in report.counted)
