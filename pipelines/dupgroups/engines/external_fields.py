"""The fields of the documents of other tools, as texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dupgroups.text import values
from dupgroups.text.iso_dates import in_iso
from dupgroups.text.values import value_at


def value_of(source: Mapping[str, Any], name: str | None) -> str | None:
    """A field of a document as text, with one value per line if there are several; None if it is missing."""
    return values.text_of(value_at(source, name))


def values_of(source: Mapping[str, Any], name: str | None) -> list[str]:
    """The values of a field of a document as texts; [] if it is missing, or holds other fields."""
    return values.texts_of(value_at(source, name))


def date_of(source: Mapping[str, Any], name: str | None, formats: str = "") -> str | None:
    """A date as text. Numbers (seconds or milliseconds since 1970), and what is written in one of the
    `formats` (see `in_iso`), become ISO 8601.
    """
    written = values.date_of(value_at(source, name))
    return in_iso(written, formats) if written and formats else written
