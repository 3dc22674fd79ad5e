"""Warnings about items that come in thousands: one line for each kind, the rest is only counted."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dupgroups.errors import InputError
from dupgroups.model import Page
from dupgroups.scrapy.fields import PAGE_FIELDS, ItemFields

MAX_KINDS = 20  # warnings about kinds of items, at most: dicts may all differ
MIN_ITEMS = 50  # stored items, after which a field that none of them had is reported

log = logging.getLogger(__name__)


@dataclass
class Notices:
    """The warnings about the items of a crawl."""

    fields: ItemFields
    _kinds: set[tuple[str, ...]] = field(default_factory=set)
    _pages: int = 0
    _names: Sequence[str] = ()
    _unseen: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self._unseen = {name for name in self.fields.names if name in PAGE_FIELDS}

    def without_page(self, item: Any, error: InputError) -> None:
        """Warn of an item that is not stored, unless another one of its kind had the same trouble."""
        names = self.fields.names_in(item)
        kind = (type(item).__name__, str(error), *sorted(names))
        if kind in self._kinds or len(self._kinds) >= MAX_KINDS:
            return
        self._kinds.add(kind)
        what = (
            f"It is a {kind[0]} with {_list_fields(names)}; its URL is {self.fields.url(item) or 'not known'}"
        )
        log.warning("An item was not stored: %s. %s. Others of this kind are only counted.", error, what)

    def unset(self, item: Any, names: Sequence[str]) -> None:
        """Warn once for a class of items without a field for the group: `names` are those that it lacks."""
        kind = type(item).__name__
        if self.fields.names.get("dup_group", "dup_group") not in names or (kind,) in self._kinds:
            return
        self._kinds.add((kind,))
        log.warning("%s does not take %s: declare the fields to see the results", kind, ", ".join(names))

    def page(self, item: Any, page: Page) -> None:
        """Note which of the configured fields a stored item has, and warn once of those that no item has."""
        if not self._unseen:
            return
        self._unseen = {name for name in self._unseen if getattr(page, name) is None}
        self._pages += 1
        self._names = self.fields.names_in(item)
        if self._pages == MIN_ITEMS:
            self.close()

    def close(self) -> None:
        """Warn of the configured fields that no item had, if there were items."""
        if self._pages and self._unseen:
            missing = [f"{self.fields.names[name]!r} ({name})" for name in sorted(self._unseen)]
            lacking, names = " or ".join(missing), _list_fields(self._names)
            what = "has the field %s that DUPGROUPS_FIELDS names; the last one has %s."
            log.warning("No item of the first %d " + what, self._pages, lacking, names)
        self._unseen = set()


def _list_fields(names: Sequence[str]) -> str:
    return "the fields " + ", ".join(names) if names else "no fields"
