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


def option(meaning: str, metavar: str | None = None, *, name: str | None = None, **settings: Any) -> Any:
    """An option of one command: what it means, and what stands for its value. Its name is that of the
    parameter, unless it is given, as for a flag.
    """
    return typer.Option(*filter(None, [name]), help=meaning, metavar=metavar, **settings)


# -- what every command may ask for

Engine = Annotated[
    str | None,
    option(
        "URL of the index. Default: that of --config, else DUPGROUPS_ENGINE, else sqlite:///dup-groups.db.",
        "URL",
        show_default=False,
    ),
]
ConfigFile = Annotated[Path | None, option("TOML file with your engine and methods.", "FILE.toml")]
Json = Annotated[bool, option("Print JSON instead of text.", name="--json")]
Batch = Annotated[int, option("Number of documents per batch.", "NUMBER", min=1, max=5000)]
DeadLetters = Annotated[Path, option("File of pages that cannot be stored, for `replay`.", dir_okay=False)]
DryRun = Annotated[bool, option("Print what would be done; write nothing.", name="--dry-run")]
Yes = Annotated[bool, option("Do not ask for confirmation.", name="--yes")]
All = Annotated[bool, option("Process all documents, not only new ones.", name="--all")]
Site = Annotated[str | None, option("Only this site, as `search` names it.", "SITE")]

Newest = Annotated[int, option("Number of entries to list, the newest first.", min=1, max=10_000)]
Since = Annotated[str | None, option("Only dates on this day or later, such as 2026-03-04.")]

OUT_HELP = "File to write the result to."

# -- pages that a command serves

Host = Annotated[str, option("Address to listen on.")]
Port = Annotated[int, option("Port of the page.", min=1, max=65535)]
AllowHost = Annotated[
    list[str] | None,
    option("Host name that requests may use, for a server behind a proxy (repeatable).", "NAME"),
]

# -- methods

Preset = Annotated[str | None, option("Extractor, signer and judge of a paper, such as cedar.", "NAME")]
Extractor = Annotated[
    str | None, option("Extractor for all languages, such as mss or 'auto favor=recall'.", "METHOD")
]
Signer = Annotated[
    str | None,
    option('Signer for all languages, such as "shingling size=2" (see `dup-groups methods`).', "METHOD"),
]
Judge = Annotated[str | None, option("Judge for all languages. Default: the judge of the signer.", "METHOD")]
Processes = Annotated[int | None, option("Number of processes. Default: one per core.", "NUMBER", min=1)]

# -- files of documents

_FORMATS = (
    "JSON (lines or a list), CSV, Parquet or WARC, or a folder of HTML; - is standard input (JSON or WARC)."
)
DOCUMENTS = f"Documents as {_FORMATS}"


def parse_path(text: str) -> Path:
    """The path of an argument. An empty one (an unset variable of a shell) would be the current folder."""
    if not text:
        raise typer.BadParameter("it is empty: name a file")
    return Path(text)


Documents = Annotated[Path, typer.Argument(help=DOCUMENTS, metavar="DOCS", parser=parse_path)]
Files = Annotated[
    list[Path], typer.Argument(help=f"Files of {_FORMATS}", metavar="FILES...", parser=parse_path)
]
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


def check_alone(name: str, given: object, given_too: Mapping[str, bool]) -> None:
    """Raise InputError if an option is given together with others that would have no effect then."""
    without_effect = [other for other, is_set in given_too.items() if is_set]
    if given and without_effect:
        raise InputError(f"{' and '.join(without_effect)} would have no effect with {name}: leave one out")
