"""Dates in the ways in which people and programs write them."""

from datetime import date
from itertools import product
from pathlib import Path

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.dates import day_first, declared_date, written_dates
from properties import met, must_meet


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("4 March 2026", "2026-03-04"),
        ("Posted: Wed, Mar. 4, 2026, 10:05 am EST", "2026-03-04T10:05:00-05:00"),
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
        ("1er mars 2026 à 08h05", "2026-03-01T08:05:00"),
        ("4 de março de 2026, às 8 h 05min", "2026-03-04T08:05:00"),
        ("4 de marzo de 2026, 6:05 p. m.", "2026-03-04T18:05:00"),
        ("4 de marzo de 2026, 6:05 a.\u00a0m.", "2026-03-04T06:05:00"),
        ("4 марта 2026, 10:05 (МСК)", "2026-03-04T10:05:00+03:00"),
        ("4 марта 2026 в 10:05 мск", "2026-03-04T10:05:00+03:00"),
        ("二〇二六年三月四日 10:05", "2026-03-04T10:05:00"),
        ("一九九八年十二月三十一日", "1998-12-31"),
        ("二零二六年十月二十日", "2026-10-20"),
        ("2026年三月四日", "2026-03-04"),
    ],
)
def test_written_dates(text: str, iso: str) -> None:
    assert [written.iso for written in written_dates(text)] == [iso]


@pytest.mark.parametrize(
    "text",
    [
        *("", "4 March", "2026-13-04", "30 February 2026", "4/3/2026", "17.01.26", "phone 555-2026-03-04-11"),
        *("version 1.2026.3.4", "jui 4, 2026"),  # June or July?
        *("二〇二六年十三月四日", "二〇二六年十十月四日", "二〇二六年二月三十日", "二六年三月四日"),
    ],
)
def test_what_is_no_date_or_may_be_two(text: str) -> None:
    assert list(written_dates(text)) == []


def test_numbers_are_read_in_the_order_of_the_language() -> None:
    for locale, iso in (("de", "2026-03-04"), ("en-GB", "2026-03-04"), ("en", None), ("en-US", None)):
        assert declared_date("04/03/2026", locale) == iso
    assert declared_date("17.01.26", "pl") == "2026-01-17"
    assert (declared_date("04.03.2026", "sv"), declared_date("04.03.2026", "en")) == ("2026-03-04", None)
    assert declared_date("04.03.26", "zh") is None
    assert not day_first("")


@pytest.mark.parametrize("line", Path(__file__).with_name("dates.txt").read_text("utf-8").splitlines())
def test_dates_of_the_languages_of_the_world(line: str) -> None:
    locale, _, text = line.partition(" ")
    assert [written.iso[:10] for written in written_dates(text, locale)] == ["2026-03-04"]


def test_the_first_years_of_eras_and_the_days_of_the_solar_calendar() -> None:
    days = {
        "令和元年5月1日": "2019-05-01",
        "平成31年4月30日": "2019-04-30",
        "۱۴۰۴/۰۱/۰۱": "2025-03-21",
        "۱۴۰۳/۱۲/۳۰": "2025-03-20",  # of a leap year
        "۱۳۵۷/۱۱/۲۲": "1979-02-11",
    }
    for text, day in days.items():
        assert declared_date(text, "fa") == day
    assert declared_date("۱۴۴۷/۰۹/۱۵", "ar") is None  # by the moon
    assert declared_date("۱۴۰۴/۱۳/۰۱", "fa") is None


def test_a_name_of_two_months_is_read_in_its_language_only() -> None:
    for locale, day in (("hr", "2026-10-04"), ("pl", "2026-11-04"), ("", None), ("en", None)):
        assert declared_date("4 listopada 2026", locale) == day


@pytest.mark.parametrize(
    "code", "de es fr it pt nl pl ru uk tr el ar he ta th km ka id fi hu hr lt sw".split()
)
def test_names_of_months_are_those_of_cldr(code: str) -> None:
    language = Locale.parse(code)
    for form, number in product(("wide", "abbreviated"), range(1, 13)):
        name = language.months["format"][form][number]
        if len(name) > 2 or not name.isascii():
            assert declared_date(f"4 {name} 2026", code) == f"2026-{number:02}-04"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Fri, 06 Mar 2026 06:00:00 EST", "2026-03-06T06:00:00-05:00"),
        ("Fri, 06 Mar 2026 06:00:00 PDT", "2026-03-06T06:00:00-07:00"),
        ("6 March 2026 06:00 CET", "2026-03-06T06:00:00+01:00"),
        ("March 6, 2026 at 6:00 a.m. ET", "2026-03-06T06:00:00-05:00"),
        ("March 9, 2026 at 6:00 p.m. ET", "2026-03-09T18:00:00-04:00"),
        ("2026-03-06 06:00:00+02", "2026-03-06T06:00:00+02:00"),
        ("2026-03-06T06:00:00-05:00[America/New_York]", "2026-03-06T06:00:00-05:00"),
        ("6/3/2026, 09:30 (GMT+7)", "2026-03-06T09:30:00+07:00"),
        ("2026-03-06 06:00 +2500", "2026-03-06T06:00:00"),
        ("20260306T060000Z", "2026-03-06T06:00:00Z"),
        ("20260306060000", "2026-03-06T06:00:00"),
        ("1772776800", "2026-03-06T06:00:00Z"),
        ("1772776800000", "2026-03-06T06:00:00Z"),
        ("2026年3月6日(金) 午後9時30分", "2026-03-06T21:30:00"),
        ("2026.03.06. 오전 12:30", "2026-03-06T00:30:00"),
        # as programs print them
        ("Wed Mar 04 10:05:00 CET 2026", "2026-03-04T10:05:00+01:00"),
        ("Wed Mar  4 10:05:00 2026", "2026-03-04T10:05:00"),
        ("1772618700.5", "2026-03-04T10:05:00Z"),
        ("1772618700000000", "2026-03-04T10:05:00Z"),
        ("/Date(1772618700000)/", "2026-03-04T10:05:00Z"),
        (r"\/Date(1772618700000+0100)\/", "2026-03-04T10:05:00Z"),
        ("2026030410050012", None),  # hundredths of a second
        ("1772618700-0100", None),
        # from the first newspaper on
        ("1970-01-01T00:00:00Z", None),
        ("1899-12-30 00:00:00", None),
        ("March 27, 1854", "1854-03-27"),
        ("1850, March 27, 1854", "1854-03-27"),
        ("17 août 1604", None),
        ("0", None),
    ],
)
def test_times_with_their_zones(text: str, moment: str | None) -> None:
    assert declared_date(text, "vi") == moment


# what a date is written as, and what may stand around it: words, other numbers, halves of dates
DAYS = st.dates(date(1996, 1, 1), date(2035, 12, 31))
FORMS = (
    "{d:%d %B %Y}",
    "{d:%B} {d.day}, {d.year}",
    "{d:%Y-%m-%d}",
    "{d.day}. {d.month}. {d.year}",
    "{d:%Y/%m/%d} 22:05",
)
DATES = st.builds(lambda form, day: form.format(d=day), st.sampled_from(FORMS), DAYS)
DATES |= DAYS.map(lambda day: f"{day.year}年{day.month}月{day.day}日 10:05")
AROUND = st.text(alphabet="0123456789-/. :年月日TZ marMAR4,", max_size=12)


@must_meet(least=3)
@given(st.lists(DATES | AROUND, max_size=4))
def test_any_text_gives_dates_of_the_calendar(parts: list[str]) -> None:
    text = " ".join(parts)
    dates = list(written_dates(text, "de"))
    met(dates)
    for written in dates:
        assert declared_date(written.iso) == written.iso
        assert 0 <= written.start < written.end <= len(text)


@given(DAYS, st.sampled_from(FORMS))
def test_a_date_is_read_as_the_day_that_was_written(day: date, form: str) -> None:
    assert [written.iso[:10] for written in written_dates(f"Posted {form.format(d=day)} by", "de")] == [
        str(day)
    ]
