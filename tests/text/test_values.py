"""Values of any type in the fields of documents: each is the part that it says, or nothing."""

from datetime import date, datetime, timezone
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from dupgroups.text.values import (
    date_of,
    first_of,
    html_of,
    is_missing,
    line_of,
    names_of_people,
    page_parts,
    read_part,
    text_of,
)

NAN, INSTANT = float("nan"), datetime(2024, 1, 1, tzinfo=timezone.utc)


class NaT(datetime):
    """The missing moment of pandas: a datetime that is not equal to itself."""

    def __ne__(self, other: object) -> bool:
        return True

    __hash__ = datetime.__hash__


@pytest.mark.parametrize(
    "nothing", [None, "", " \n", NAN, np.float64("nan"), NaT(1, 1, 1), [], {}, b"", (), [NAN, ""]]
)
def test_what_says_nothing_is_missing_in_every_part(nothing: object) -> None:
    parts = page_parts(lambda part: nothing)
    assert {part: value or None for part, value in parts.items()} == dict.fromkeys(parts), "html may be empty"
    assert date_of(nothing) is None
    assert is_missing(nothing) or isinstance(nothing, list)


@pytest.mark.parametrize(
    ("value", "text", "line", "first"),
    [
        ("Ferry", "Ferry", "Ferry", "Ferry"),
        ([" Ferry ", None, "", "Quay"], " Ferry \nQuay", " Ferry  Quay", " Ferry "),
        (("a", ["b"]), "a\nb", "a b", "a"),
        (np.array(["a", "b"]), "a\nb", "a b", "a"),
        (1984, "1984", "1984", "1984"),
        (np.int64(7), "7", "7", "7"),
        (2.5, "2.5", "2.5", "2.5"),
        (True, None, None, None),
        ({"a": 1}, None, None, None),
        ({"$oid": "65a"}, "65a", "65a", "65a"),
        ({"$numberLong": "12"}, "12", "12", "12"),
        ({"@value": "Fähre", "@language": "de"}, "Fähre", "Fähre", "Fähre"),
        ([{"a": 1}, "b"], "b", "b", "b"),
        ("Fähre".encode(), "Fähre", "Fähre", "Fähre"),
        (UUID(int=1), str(UUID(int=1)), str(UUID(int=1)), str(UUID(int=1))),
    ],
)
def test_values_are_texts(value: object, text: str | None, line: str | None, first: str | None) -> None:
    assert (text_of(value), line_of(value), first_of(value)) == (text, line, first)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("5 March 2026", "5 March 2026"),
        (INSTANT, "2024-01-01T00:00:00+00:00"),
        (date(2024, 1, 1), "2024-01-01"),
        (1_704_067_200, "2024-01-01T00:00:00Z"),
        (1_704_067_200_000, "2024-01-01T00:00:00Z"),
        (1_704_067_200.0, "2024-01-01T00:00:00Z"),
        ([1_704_067_200_000], "2024-01-01T00:00:00Z"),
        ({"$date": "2024-01-01T00:00:00Z"}, "2024-01-01T00:00:00Z"),
        ({"$date": 1_704_067_200_000}, "2024-01-01T00:00:00Z"),
        ({"$date": {"$numberLong": "1704067200000"}}, "2024-01-01T00:00:00Z"),
        ([2024, 1, 31, 9, 5], "2024-01-31T09:05:00"),
        ([["2024", "01", "31"]], "2024-01-31T00:00:00"),
        ({"date": "2024-01-01 00:00:00", "timezone": "UTC"}, "2024-01-01 00:00:00"),
        ({"day": 1}, None),
        (20240101, "20240101"),
        (2024, "2024"),
        (True, None),
        (10**30, str(10**30)),
    ],
)
def test_dates_are_moments(value: object, told: str | None) -> None:
    assert date_of(value) == told


def test_names_of_people_have_no_markup() -> None:
    told = ["<b>Jo</b> &amp;amp; Ann", {"name": "A. L&eacute;"}, "<p>Al</p><p>Bo</p>"]
    assert names_of_people(told) == "Jo & Ann, A. Lé, Al, Bo"


@pytest.mark.parametrize(
    ("value", "html"),
    [
        (b"<p>\xff", b"<p>\xff"),
        (bytearray(b"<p>"), b"<p>"),
        ([b"<p>"], b"<p>"),
        (["<p>a", "<p>b"], "<p>a\n<p>b"),
        ("", ""),
        (5, None),
        ({"a": "<p>"}, None),
    ],
)
def test_html_is_bytes_or_text(value: object, html: bytes | str | None) -> None:
    assert html_of(value) == html


@pytest.mark.parametrize(
    ("document", "name", "value"),
    [
        ({"lang": "pl"}, "language", "pl"),
        ({"lang": "pl", "language": "de"}, "language", "de"),
        ({"lang": "pl", "language": NAN}, "language", "pl"),
        ({"lang": "pl", "tongue": "de"}, "tongue", "de"),
        ({"lang": "pl"}, "tongue", None),
        ({"lang": "pl"}, None, None),
    ],
)
def test_another_default_name_counts_where_nobody_names_the_field(
    document: dict[str, Any], name: str | None, value: object
) -> None:
    assert read_part(document.get, "language", name) == value
