"""Options and arguments that several commands share: one spelling and one help text for each of them.

A command names them as `options.Engine`, and gives the default. What is here, no command declares by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from dupgroups.errors import InputError
from dupgroups.model.config import Config

# -- what every command may ask for

Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        help="URL of the index. Default: that of --config, else DUPGROUPS_ENGINE, else sqlite:///dup-groups.db.",
        metavar="URL",
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="TOML file with your engine and methods.", metavar="FILE.toml")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Batch = Annotated[
    int, typer.Option("--batch", min=1, max=5000, help="Number of documents per batch.", metavar="NUMBER")
]
DeadLetters = Annotated[
    Path,
    typer.Option("--dead-letters", dir_okay=False, help="File of pages that cannot be stored, for `replay`."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print what would be done; write nothing.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
All = Annotated[bool, typer.Option("--all", help="Process all documents, not only new ones.")]
Site = Annotated[
    str | None, typer.Option("--site", help="Only this site, as `search` names it.", metavar="SITE")
]

Newest = Annotated[
    int,
    typer.Option("--newest", min=1, max=10_000, help="Number of entries to list, the newest first."),
]
Since = Annotated[
    str | None, typer.Option("--since", help="Only dates on this day or later, such as 2026-03-04.")
]

OUT_HELP = "File to write the result to."

# -- pages that a command serves

Host = Annotated[str, typer.Option("--host", help="Address to listen on.")]
Port = Annotated[int, typer.Option("--port", min=1, max=65535, help="Port of the page.")]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        help="Host name that requests may use, for a server behind a proxy (repeatable).",
        metavar="NAME",
    ),
]

# -- methods


def _method(name: str, meaning: str, metavar: str = "METHOD") -> Any:
    return typer.Option(name, help=meaning, metavar=metavar)


Preset = Annotated[
    str | None, _method("--preset", "Extractor, signer and judge of a paper, such as cedar.", "NAME")
]
Extractor = Annotated[
    str | None, _method("--extractor", "Extractor for all languages, such as mss or 'auto favor=recall'.")
]
Signer = Annotated[
    str | None,
    _method("--signer", 'Signer for all languages, such as "shingling size=2" (see `dup-groups methods`).'),
]
Judge = Annotated[
    str | None, _method("--judge", "Judge for all languages. Default: the judge of the signer.")
]
Processes = Annotated[
    int | None,
    typer.Option("--processes", min=1, help="Number of processes. Default: one per core.", metavar="NUMBER"),
]

# -- files of documents

_FORMATS = (
    "JSON (lines or a list), CSV, Parquet or WARC, or a folder of HTML; - is standard input (JSON or WARC)."
)
DOCUMENTS = f"Documents as {_FORMATS}"

Documents = Annotated[Path, typer.Argument(help=DOCUMENTS, metavar="DOCS")]
Files = Annotated[list[Path], typer.Argument(help=f"Files of {_FORMATS}", metavar="FILES...")]
Fields = Annotated[
    str | None,
    typer.Option(
        "--fields",
        help="Which field of your documents holds which part, as in text=body,title=headline,html= (no "
        "field holds html; if one does, the text is extracted from it, and text is ignored). Parts: text, "
        "html, title, url, date, language, site, author, source; in files also id; in an index also image.",
        metavar="PART=FIELD,...",
    ),
]


# -- pages that are not articles

NotArticle = Annotated[
    Literal["skip", "keep"] | None,
    typer.Option(
        "--not-article",
        help="HTML pages that are not articles (front pages, lists, galleries). skip: do not store them, or "
        "if other tools did, leave each alone and out of searches. keep: treat them as articles. "
        "Default: skip.",
        show_default=False,
    ),
]


def skipping(config: Config, not_article: Literal["skip", "keep"] | None) -> Config:
    """The configuration of a command that reads pages: an option precedes it."""
    return replace(config, not_article=not_article or config.not_article or "skip")


def check_alone(option: str, given: object, given_too: Mapping[str, bool]) -> None:
    """Raise InputError if an option is given together with others that would have no effect then."""
    without_effect = [name for name, is_set in given_too.items() if is_set]
    if given and without_effect:
        raise InputError(f"{' and '.join(without_effect)} would have no effect with {option}: leave one out")
