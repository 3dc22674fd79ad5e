"""Labelled pages: packs of html with gold texts and page types."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dupgroups.bulk.inputs.rows import Row, Rows
from dupgroups.errors import InputError

PAGES = "pages.jsonl.gz"
"""The name of the file in the folder of a pack."""
NEEDED_FIELDS = ("id", "site", "url", "lang", "page_type", "html", "text")


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page with its gold text (None: only its type is known). `kind` is "article", "other" or "".

    `title`, `date` (ISO 8601) and `author` are gold as well, "" where they are not known.
    """

    id: str
    pack: str
    site: str
    url: str | None
    language: str
    kind: str
    html: str
    text: str | None
    title: str = ""
    date: str = ""
    author: str = ""


def read_pack(folder: Path) -> Iterator[LabelledPage]:
    """The pages of a pack: a folder with `pages.jsonl.gz` (id, site, url, lang, page_type, html, text).

    Raises InputError for a folder that is not a pack, and for a line that is not a labelled page.
    """
    path = folder / PAGES
    if not path.exists():
        raise InputError(f"{folder} is not a pack of labelled pages: it has no {PAGES}")
    for number, row in Rows(path):
        try:
            yield _page(folder.resolve().name, row)
        except InputError as error:
            raise InputError(f"{path}, line {number}, is not a labelled page: {error}") from error


def _page(pack: str, row: Row | InputError) -> LabelledPage:
    if isinstance(row, InputError):
        raise row
    if missing := [name for name in NEEDED_FIELDS if name not in row]:
        raise InputError(f"it has no {missing[0]!r}")
    if not isinstance(row["html"], str) or not isinstance(row["text"], str | None):
        raise InputError("its html or its text is not a string")
    return LabelledPage(
        id=row["id"],
        pack=pack,
        site=row["site"],
        url=row["url"],
        language=row["lang"] or "",
        kind=row["page_type"] or "",
        html=row["html"],
        text=row["text"] or None,
        title=row.get("title") or "",
        date=row.get("date") or "",
        author=row.get("author") or "",
    )
