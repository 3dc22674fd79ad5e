"""Which member is elected; that a plan writes what makes it the head is a law of `test_histories`."""

from dataclasses import replace
from datetime import date

import pytest

from dupgroups.grouping.heads import heads_among, order_of, pinned_first
from dupgroups.grouping.publication_dates import DAY_MINUTES, published_by, says_when
from dupgroups.model import MINUTE_MICROSECONDS, Record
from grouping.values import RULE, ids, record


def aged(id_: str, age: int, **values: object) -> Record:
    return replace(record(id_, age=age), **values)  # type: ignore[arg-type]


OLD = aged("old", 1, host="x.example", length=5, canonical=False)
WWW = aged("www", 2, host="news.b.example", length=5)
LONG = aged("long", 3, host="a.example", length=9)
ABROAD = aged("abroad", 9, host="xn--mnchen-3ya.example")
LATE = aged("late", 4, host="not-a.example", length=9, canonical=False)


@pytest.mark.parametrize(
    ("head", "order"),
    [
        ("oldest", [OLD, WWW, LONG, LATE]),
        ("fullest", [LONG, LATE, OLD, WWW]),
        ("fullest_dated", [replace(OLD, published=7), LONG, LATE, WWW]),
        ("canonical", [WWW, LONG, OLD, LATE]),
        (("a.example", "b.example"), [LONG, WWW, OLD, LATE]),
        (("b.example", "a.example"), [WWW, LONG, OLD, LATE]),
        (("www.B.example", "a.example"), [WWW, LONG, OLD, LATE]),
        (("none.example",), [OLD, WWW, LONG, LATE]),
        (("münchen.example",), [ABROAD, OLD, WWW, LONG, LATE]),
        ("fullest", [LONG, LATE, replace(OLD, id="a"), OLD, WWW]),  # of one age the smaller id is older
    ],
)
def test_members_are_ordered_by_the_setting_and_then_by_age(
    head: str | tuple[str, ...], order: list[Record]
) -> None:
    turned = order[::-1]
    assert sorted(turned, key=order_of(head)) == order


def test_who_published_first_is_who_says_so_and_can_be_right() -> None:
    """A day without a time ends after noon; dates of no newspaper, or after the crawl, say nothing."""
    noon = 20_516 * 24 * 60 + 720
    said = {
        "of 1854": -60_863_760,
        "six": noon - 360,
        "half past nine": noon - 150,
        "epoch": 0,
        "next year": noon + 500_000,
    }
    said |= {
        "day": noon + 719,
        "ten past eleven": noon - 50,
        "year 1": -1_035_593_280,
        "of Excel": -36_819_000,
    }
    seen = {"of 1854": 1, "six": 9, "half past nine": -100, "undated": -90, "epoch": -80, "next year": -70}
    seen |= {"year 1": -69, "of Excel": -68, "day": -60}
    seen["ten past eleven"] = 5
    records = [
        aged(id_, (noon + at) * MINUTE_MICROSECONDS, published=said.get(id_)) for id_, at in seen.items()
    ]
    turned = records[::-1]
    assert ids(sorted(turned, key=order_of("published"))) == list(seen)
    yesterday = aged("day", (noon + 9) * MINUTE_MICROSECONDS, published=noon - 721)
    assert min([*records[1:], yesterday], key=order_of("published")) is yesterday


FIRST_NEWS = (date(1605, 1, 1) - date(1970, 1, 1)).days * DAY_MINUTES


@pytest.mark.parametrize(
    ("published", "can_be_right"),
    [
        (FIRST_NEWS, True),
        (FIRST_NEWS - 1, False),
        (20_002 * DAY_MINUTES - 1, True),  # the day after it was seen, where it is that day already
        (20_002 * DAY_MINUTES, False),
        (None, False),
    ],
)
def test_a_date_can_be_right_from_the_first_newspaper_to_the_day_after(
    published: int | None, can_be_right: bool
) -> None:
    seen = 20_000 * DAY_MINUTES * MINUTE_MICROSECONDS
    assert says_when(aged("a", seen, published=published)) == can_be_right


def test_a_document_without_a_date_is_published_by_the_whole_minute_in_which_it_was_seen() -> None:
    assert published_by(aged("a", 20_000 * MINUTE_MICROSECONDS + 59_000_000)) == 20_000


def test_members_that_people_pinned_come_first_and_of_these_the_one_that_was_pinned_last() -> None:
    order = pinned_first({"late": 1, "www": 2}, order_of("oldest"))
    assert sorted([OLD, WWW, LONG, LATE], key=order) == [WWW, LATE, OLD, LONG]


def test_those_that_are_heads_stand_and_the_one_that_should_be() -> None:
    records = [replace(OLD, head=True), replace(WWW, head=True), replace(LONG, head=False), LATE]
    assert ids(heads_among(records, order_of("fullest"))) == ["old", "www", "long", "late"]
    records[3] = replace(LATE, head=False)
    assert ids(heads_among(records, order_of("fullest"))) == ["old", "www", "long"]
    assert heads_among([], order_of("oldest")) == []


@pytest.mark.parametrize(("days", "compares"), [(0, True), (3, True), (4, False)])
def test_documents_are_compared_up_to_and_on_the_last_day(days: int, compares: bool) -> None:
    rule = replace(RULE, within_days=3)
    one, two = (
        aged(name, 1, published=day * DAY_MINUTES) for name, day in (("a", 20_000), ("b", 20_000 + days))
    )
    assert rule.is_near_in_time(one, two) == rule.is_near_in_time(two, one) == compares
