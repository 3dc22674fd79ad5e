"""Convert Scrapy items of any kind to pages, and write the results into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, fields
from typing import Any

from itemadapter import ItemAdapter

from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Page
from dupgroups.model.config import scope_of
from dupgroups.text.values import is_missing, page_parts, read_part, text_of

FIELDS_EXAMPLE = '{"html": "body"}'
PAGE_FIELDS = tuple(field.name for field in fields(Page) if field.name != "scope")
RESULT_FIELDS = ("dup_group", "dup_id", "dup_state")


class NoTextError(InputError):
    """The item has neither html nor text: an item of another kind, such as a price or a comment."""


@dataclass(frozen=True)
class ItemFields:
    """The names of the fields of a Page, and of our results, in the items of the user.

    `names` maps our names to theirs (`{"html": "body"}`); all other names are the same. Works with dicts,
    Scrapy items, dataclasses, attrs and pydantic objects; nested fields are not supported. `group_by`: see
    `Config`. Raises ConfigError for a name that is not one of ours.
    """

    names: Mapping[str, str]
    group_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        ours = (*PAGE_FIELDS, *RESULT_FIELDS)
        for name, theirs in self.names.items():
            if name not in ours:
                raise ConfigError(
                    f"DUPGROUPS_FIELDS: unknown field {name!r}; known: {', '.join(ours)}. Write our name "
                    f"first, then yours: {FIELDS_EXAMPLE}"
                )
            if not isinstance(theirs, str):
                raise ConfigError(f"DUPGROUPS_FIELDS: the name of your field for {name!r} must be text")

    def page(self, item: Any) -> Page:
        """The item as a Page. Raises NoTextError if it has neither html nor text, InputError if what is there
        is neither.
        """
        if not ItemAdapter.is_item(item):
            kind = type(item).__name__
            raise InputError(f"an item must be a dict, dataclass, attrs or pydantic object, not {kind}")
        adapter = ItemAdapter(item)
        parts = page_parts(lambda part: read_part(adapter.get, part, self._name(part)))
        if parts["html"] is None and parts["text"] is None:
            raise self._without_page(adapter)
        scope = scope_of(self.group_by, lambda name: text_of(adapter.get(self._name(name))))
        # empty html is a page without an article; together with a text it is ignored
        html = parts.pop("html")
        return Page(**parts, html=html or None if parts["text"] else html, scope=scope or None)

    def write(self, item: Any, results: Mapping[str, str | None]) -> list[str]:
        """Write the results into the fields that the item has, and return the names of those that it has
        not; a frozen item does not change, and has none.
        """
        adapter = _adapter(item)
        named = {self._name(name): value for name, value in results.items()}
        return [name for name, value in named.items() if not _set(adapter, name, value)]

    def names_in(self, item: Any) -> list[str]:
        """The names of the fields that the item has, without our results; [] if it is not an item."""
        results = {self._name(name) for name in RESULT_FIELDS}
        return [name for name in _adapter(item) if name not in results]

    def url(self, item: Any) -> str | None:
        """The URL of the item, if it has one."""
        value = _adapter(item).get(self._name("url"))
        return None if value is None else str(value)

    def drop(self, item: Any, names: Iterable[str]) -> None:
        """Take these fields, by their names in the item or by ours, out of a dict or Scrapy item; in other
        items they become None.
        """
        adapter = _adapter(item)
        for name in names:
            theirs = name if name in adapter else self._name(name)
            if isinstance(item, MutableMapping):
                item.pop(theirs, None)
            elif theirs in adapter:
                _set(adapter, theirs, None)

    def _name(self, name: str) -> str:
        # items often have a `source` that says who crawled them
        return self.names.get(name, "" if name == "source" else name)

    def _without_page(self, adapter: ItemAdapter) -> InputError:
        html, text = self._name("html"), self._name("text")
        for name, what in ((html, "bytes or text such as response.body"), (text, "text")):
            if not is_missing(value := adapter.get(name)):
                return InputError(f"field {name!r} of the item is {type(value).__name__}, not {what}")
        return NoTextError(f"the item has neither {html!r} nor {text!r}: name its fields in DUPGROUPS_FIELDS")


def _adapter(item: Any) -> ItemAdapter:
    """The fields of an item; none for what is no item."""
    return ItemAdapter(item if ItemAdapter.is_item(item) else {})


def _set(adapter: ItemAdapter, name: str, value: object) -> bool:
    """Whether it could be set: there may be no such field, or a validator, and an item may be frozen."""
    try:
        adapter[name] = value
    except (KeyError, AttributeError, TypeError, ValueError):
        return False
    return True
