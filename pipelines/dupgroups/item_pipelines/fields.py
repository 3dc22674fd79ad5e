"""Between a Scrapy item of any kind and our nouns: which field is what, and where the results go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from itemadapter import ItemAdapter

from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Page

PAGE_FIELDS = tuple(each.name for each in fields(Page))
RESULT_FIELDS = ("dup_group", "dup_id", "dup_state")


@dataclass(frozen=True)
class ItemFields:
    """The names that the fields of a Page, and our results, have in the user's items.

    `names` maps ours to theirs (`{"html": "body"}`); what is not named is called the same there. Works on
    dicts, Scrapy items, dataclasses, attrs and pydantic objects, nested in no way. Raises ConfigError for a
    name that is not ours.
    """

    names: Mapping[str, str]

    def __post_init__(self) -> None:
        known = (*PAGE_FIELDS, *RESULT_FIELDS)
        for name in self.names:
            if name not in known:
                raise ConfigError(f"DUPGROUPS_FIELDS: unknown field {name!r}; known: {', '.join(known)}")

    def page(self, item: Any) -> Page:
        """The item as a Page. Raises InputError when it has neither html nor text, or a value of no use."""
        if not ItemAdapter.is_item(item):
            raise InputError(
                f"an item is a dict, dataclass, attrs or pydantic object, not {type(item).__name__}"
            )
        adapter = ItemAdapter(item)
        page = Page(**{name: self._value(adapter, name) for name in PAGE_FIELDS})
        if page.html is None and page.text is None:
            html, text = self._name("html"), self._name("text")
            raise InputError(
                f"the item has neither {html!r} nor {text!r}; DUPGROUPS_FIELDS names other fields"
            )
        # an empty page is a page without an article; beside a text it says nothing
        return replace(page, html=page.html or None) if page.text else page

    def write(self, item: Any, results: Mapping[str, str]) -> None:
        """Set results in the item, each where the item has such a field; a frozen item stays as it is."""
        if not ItemAdapter.is_item(item):
            return
        adapter = ItemAdapter(item)
        for name, value in results.items():
            try:
                adapter[self._name(name)] = value
            except (KeyError, AttributeError, TypeError, ValueError):
                continue  # no such field, a frozen item, or a field with a validator that refuses

    def _name(self, name: str) -> str:
        return self.names.get(name, name)

    def _value(self, adapter: ItemAdapter, name: str) -> Any:
        value = adapter.get(self._name(name))
        try:
            return _html(value) if name == "html" else _text(value)
        except TypeError as error:
            raise InputError(f"field {self._name(name)!r} of the item is {error}") from error


def _html(value: object) -> bytes | str | None:
    if isinstance(value, bytearray | memoryview):
        value = bytes(value)
    if value is None or isinstance(value, bytes | str):
        return value
    raise TypeError(f"{type(value).__name__}, neither bytes nor text")


def _text(value: object) -> str | None:
    """None for what is missing or blank; dates in ISO 8601; whole numbers and URL objects as they print."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple | set | dict | bytes | bytearray):
        raise TypeError(f"{type(value).__name__}, not text")
    text = "" if value is None else str(value)
    return text if text.strip() else None
