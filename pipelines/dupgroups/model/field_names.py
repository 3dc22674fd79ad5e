"""Which fields of the documents of other tools hold what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dupgroups.errors import ConfigError

PARTS = ("text", "html", "title", "url", "date", "language", "site", "author", "image", "source")


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a document that hold the parts of a page. "a.b" is b inside of a; None and "" mean that
    there is no such field."""

    text: str | None = "text"
    """The text of the article."""
    html: str | None = None
    """The HTML, which takes precedence over `text` if a document has both."""
    title: str | None = "title"
    """The headline."""
    url: str | None = "url"
    """The address."""
    date: str | None = "date"
    """The date of publication."""
    language: str | None = "language"
    """The language code."""
    site: str | None = "site"
    """The name of the site."""
    author: str | None = "author"
    """The names of the authors."""
    image: str | None = "image"
    """The URL of the lead picture."""
    source: str | None = None
    """The publisher that the text is from, by name or domain."""
    id: str | None = "id"
    """The id, in files only: an index has ids of its own."""
    group_by: tuple[str, ...] = field(default=(), compare=False)
    """The `Config.group_by` of the configuration; does not count in comparisons."""
    date_format: str = field(default="", compare=False)
    """The format of the date in the mapping of an index, "" for ISO 8601; does not count in comparisons."""

    def __post_init__(self) -> None:
        if not self.text and not self.html:
            raise ConfigError("name the field that holds the text, or the field that holds the html")

    @classmethod
    def from_json(cls, names: Any) -> Fields:
        """The field map that `to_json` gave. Raises ConfigError for anything else."""
        group_by = names.get("group_by", []) if isinstance(names, Mapping) else None
        if not isinstance(group_by, list) or any(not isinstance(names.get(part, ""), str) for part in PARTS):
            raise ConfigError(
                "the names of fields that are kept in the _meta of the mapping, under dup_groups, cannot be "
                "read: take dup_groups out of it, and adopt the index again with `dup-groups backfill`"
            )
        return cls(**{part: names.get(part) for part in PARTS}, group_by=tuple(map(str, group_by)))

    def to_json(self) -> dict[str, Any]:
        """The field map as values of JSON; what is not there is left out."""
        return {**self.by_part(), **({"group_by": list(self.group_by)} if self.group_by else {})}

    def by_part(self) -> dict[str, str]:
        """The name of the field of each part of a page that has one."""
        return {part: name for part in PARTS if (name := getattr(self, part))}

    def with_names(self, names: str, parts: Sequence[str] = PARTS) -> Fields:
        """With other names for some of `parts`: "text=body,url=" finds the text in body, and no URL.

        Raises ConfigError for anything else, and if neither text nor html is left.
        """
        given: dict[str, str | None] = {}
        for part, equals, name in (pair.partition("=") for pair in names.split(",")):
            if not equals:
                raise ConfigError(
                    f'"{part}" names no field: write PART=FIELD, such as text=body,title=headline'
                )
            if part.strip() not in parts:
                raise ConfigError(f'"{part}" is not a part of a document here: use {", ".join(parts)}')
            if part.strip() in given:
                raise ConfigError(f'the field of "{part}" is named twice: name one')
            given[part.strip()] = name.strip() or None
        return replace(self, **given)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return ", ".join(f"{part}={name}" for part, name in self.by_part().items())
