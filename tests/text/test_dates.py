"""Dates in the ways in which people and programs write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.dates import day_first, declared_date, written_dates


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("4 March 2026", "2026-03-04"),
        ("Posted: Wed, Mar. 4, 2026, 10:05 am EST", "2026-03-04T10:05:00"),
        ("4-Mar-2026 12:30 AM", "2026-03-04T00:30:00"),
        ("Wednesday, 4 March, 2026 - 22:05", "2026-03-04T22:05:00"),
        ("4. MÄRZ 2026, 10:05 Uhr", "2026-03-04T10:05:00"),
        ("4 de marzo de 2026", "2026-03-04"),
        ("4 Μαρτίου 2026", "2026-03-04"),
        ("1er mars 2026 à 10:05", "2026-03-01T10:05:00"),
        ("4 марта 2026, 10:05", "2026-03-04T10:05:00"),
        ("2026年 03月04日10时05分", "2026-03-04T10:05:00"),
        ("2026년 3월 4일", "2026-03-04"),
        ("2026/3/4", "2026-03-04"),
        ("Wed, 04 Mar 2026 10:05:00 +0100", "2026-03-04T10:05:00+01:00"),
        ("2026-03-04T10:05:00.123-05:00", "2026-03-04T10:05:00-05:00"),
        ("17/01/2026 07:59", "2026-01-17T07:59:00"),
        ("01/17/2026", "2026-01-17"),
        ("2026-03-04 25:00", "2026-03-04"),
    ],
)
def test_written_dates(text: str, iso: str) -> None:
    assert [written.iso for written in written_dates(text)] == [iso]


@pytest.mark.parametrize(
    "text",
    [
        *("", "4 March", "2026-13-04", "30 February 2026", "4/3/2026", "17.01.26", "phone 555-2026-03-04-11"),
        *("version 1.2026.3.4", "jui 4, 2026"),  # June or July?
    ],
)
def test_what_is_no_date_or_may_be_two(text: str) -> None:
    assert list(written_dates(text)) == []


def test_numbers_are_read_in_the_order_of_the_language() -> None:
    for locale, iso in (("de", "2026-03-04"), ("en-GB", "2026-03-04"), ("en", None), ("en-US", None)):
        assert declared_date("04/03/2026", day_first(locale)) == iso
    assert declared_date("17.01.26", day_first("pl")) == "2026-01-17"
    assert declared_date("04.03.26", day_first("zh")) is None
    assert not day_first("")


@given(st.text(alphabet="0123456789-/. :年月日TZ marMAR4,"))
def test_any_text_gives_dates_of_the_calendar(text: str) -> None:
    for written in written_dates(text, days_first=True):
        assert declared_date(written.iso) == written.iso
        assert 0 <= written.start < written.end <= len(text)
