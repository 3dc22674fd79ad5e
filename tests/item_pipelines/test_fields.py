"""What the fields of an item become."""

from __future__ import annotations

from datetime import date

import pytest

from dupgroups import Page
from dupgroups.errors import InputError
from dupgroups.scrapy.fields import ItemFields


@pytest.mark.parametrize(
    ("item", "page"),
    [
        ({"html": b"<p>x", "encoding": "gbk"}, Page(html=b"<p>x", encoding="gbk")),
        ({"html": bytearray(b"<p>x"), "title": " "}, Page(html=b"<p>x")),
        ({"text": "x", "date": date(2026, 3, 1), "id": 5}, Page(text="x", date="2026-03-01", id="5")),
        ({"text": "x", "html": "", "other": object()}, Page(text="x")),
        ({"html": b"", "text": ""}, Page(html=b"")),
    ],
)
def test_what_an_item_holds_becomes_a_page(item, page):
    assert ItemFields({}).page(item) == page


def test_what_an_item_is_grouped_by_becomes_its_scope():
    fields = ItemFields({}, ("tenant", "language", "desk"))
    item = {"text": "x", "tenant": "acme", "desk": 7}
    assert fields.page(item).scope == '{"desk": "7", "tenant": "acme"}'
    assert fields.page({"text": "x", "tenant": " ", "scope": "x", "language": "en"}).scope is None


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({}, "neither 'html' nor 'text'"),
        ({"html": None, "text": " "}, "neither"),
        ({"html": 5}, "'html' of the item is int"),
        ({"text": "x", "title": ["x"]}, "'title' of the item is list"),
        (7, "not int"),
    ],
)
def test_an_item_that_holds_nothing_of_use_says_why(item, message):
    with pytest.raises(InputError, match=message):
        ItemFields({}).page(item)


def test_fields_are_dropped_by_their_names_here_or_in_the_item() -> None:
    fields = ItemFields({"html": "body"})
    for name in ("html", "body"):
        item = {"body": b"<p>", "title": "Ferry"}
        fields.drop(item, [name])
        assert item == {"title": "Ferry"}
