"""The lines around the article: in them readers see an author and a date that the page does not declare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.content.bylines import is_person
from dupgroups.content.date_ranker import choose_date
from dupgroups.content.dates_in_sight import Candidate, find_candidates
from dupgroups.content.declared_authors import ORGANIZATION, trust
from dupgroups.content.declared_dates import find_update
from dupgroups.content.letters import letters_and_digits
from dupgroups.content.marked_authors import MARKED_SOURCE
from dupgroups.content.metadata import Metadata
from dupgroups.content.visible_authors import byline

_FULL_TRUST = 2  # in a declared author, than whom no line around the article can be better
_IN_UTC = re.compile(r"T\d\d:\d\d.*(?:Z|\+00:00)$")
_DAY = re.compile(r"(?<!\d)\d\d?(?!\d)")
_LINES_ABOVE, _MAX_LINE_CHARS = 30, 160  # lines that may have a day, and characters of these
_FARTHEST = (-11, 11)  # hours between UTC and where most readers are
_TWO_ORDERS = re.compile(r"(?:0?[1-9]|1[0-2])([/.-])(?:0?[1-9]|1[0-2])\1\d{4}\b")  # day first, or month
_FIRST_BLOCKS = 3  # of the text, before the last of which the headline may stand
_MAX_HEADLINE_GAP = 10  # blocks between two headlines, one above the other


def complete_metadata(
    declared: Metadata, page: Blocks, kept: Sequence[int], code: str, url: str | None
) -> Metadata:
    """The declarations of a page, with author and date from around its article where they are missing.

    `kept` are the indices of the article's blocks, ascending, and `code` is its language.
    """
    trusted = trust(declared.author, declared.author_from, page.texts) if declared.author and kept else 0
    is_known = bool(declared.date) and trusted == _FULL_TRUST
    is_sure = is_known and not _other_days(declared, page, kept)
    head = find_headline(page, kept, declared.headline) if kept and not is_sure else None
    below = _below(kept, head)
    if kept and trusted < _FULL_TRUST:
        declared = _with_author(declared, page, below, head, is_trusted=trusted > 0)
    return _with_date(declared, page, below, head, code, url)


def find_headline(page: Blocks, kept: Sequence[int], title: str) -> int | None:
    """The block that reads like the title, if possible an h1: the first close to the text, else the last."""
    wanted = letters_and_digits(title)
    shortest, longest = len(wanted), 2 * len(title) + 20
    fits = [
        index
        for index, text in enumerate(page.texts[: kept[:_FIRST_BLOCKS][-1] + 2])
        if 0 < shortest <= len(text) < longest and letters_and_digits(text).startswith(wanted)
    ]
    tags = {index: page.tags[page.box[index]] for index in fits}
    own = [index for index in fits if tags[index] in HEADINGS or not page.links[index]]  # lists link to it
    fits = [index for index in own if tags[index] == "h1"] or own
    return next((index for index in fits if index >= kept[0] - _MAX_HEADLINE_GAP), fits[-1] if fits else None)


def _with_author(
    declared: Metadata, page: Blocks, kept: Sequence[int], head: int | None, *, is_trusted: bool
) -> Metadata:
    is_site = declared.author_from.endswith(ORGANIZATION)
    bare = is_site and not is_person(declared.author)  # a site may have the name of the person who writes it
    author, author_from = byline(page, kept, head, bare=bare)
    # a line beside the text would be better than what is declared, another mark is not
    is_worse = not author or (author_from == MARKED_SOURCE and not is_site)
    return declared if is_trusted and is_worse else replace(declared, author=author, author_from=author_from)


def _with_date(
    declared: Metadata, page: Blocks, kept: Sequence[int], head: int | None, code: str, url: str | None
) -> Metadata:
    others = _other_days(declared, page, kept)
    if declared.date and not others:
        return declared
    choice = choose_date(_candidates(declared, page, kept, head, code, url))
    if choice and (not declared.date or choice.iso[:10] in others):
        probability = choice.probability
        return replace(declared, date=choice.iso, date_from=choice.where, date_probability=probability)
    if declared.date:
        return declared
    update, where = find_update(declared.named, declared.node, declared.language or "")
    return replace(declared, date=update, date_from=where)


def _other_days(declared: Metadata, page: Blocks, kept: Sequence[int]) -> set[str]:
    """The days that readers may see for the declared date, which is in UTC, or whose numbers are in an order
    that is not that of the language of the page: those whose number stands in a line above the text."""
    days = _days_besides(declared)
    lines = page.texts[max(0, kept[0] - _LINES_ABOVE) : kept[0] + 1] if days and kept else ()
    numbers = {int(number) for line in lines for number in _DAY.findall(line[:_MAX_LINE_CHARS])}
    return {day for day in days if int(day[-2:]) in numbers}


def _days_besides(declared: Metadata) -> set[str]:
    iso, text = declared.date or "", declared.named.get(declared.date_from.removeprefix("meta "), "")
    if _IN_UTC.search(iso):
        time = datetime.fromisoformat(iso[: len("2026-03-04T08:00")])
        return {(time + timedelta(hours=hours)).date().isoformat() for hours in _FARTHEST} - {iso[:10]}
    return {f"{iso[:4]}-{iso[8:10]}-{iso[5:7]}"} if _TWO_ORDERS.match(text) else set()


def candidates_around(
    declared: Metadata, page: Blocks, kept: Sequence[int], code: str, url: str | None
) -> list[Candidate]:
    """The days in sight, with arguments as in `complete_metadata`."""
    head = find_headline(page, kept, declared.headline) if kept else None
    return _candidates(declared, page, _below(kept, head), head, code, url)


def _candidates(
    declared: Metadata, page: Blocks, kept: Sequence[int], head: int | None, code: str, url: str | None
) -> list[Candidate]:
    language = declared.language or ""
    locale = language if language.lower().startswith(code) else code  # that of the template may differ
    return find_candidates(page, kept, head, locale, url)


def _below(kept: Sequence[int], head: int | None) -> Sequence[int]:
    return [index for index in kept if head is None or index > head] or kept
