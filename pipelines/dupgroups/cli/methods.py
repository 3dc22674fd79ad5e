"""`dup-groups methods`: list the available methods. Also the options by which other commands choose them."""

from __future__ import annotations

import sys
from collections import ChainMap
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupgroups.cli.console import app
from dupgroups.registry import lookup

if TYPE_CHECKING:
    from dupgroups.config import Config

MethodsFile = Annotated[
    Path | None,
    typer.Option("--config", help="TOML file with your methods.", metavar="FILE.toml"),
]
ExtractorOption = Annotated[
    str | None,
    typer.Option("--extractor", help="Extractor for all languages, such as mss.", metavar="METHOD"),
]
SignerOption = Annotated[
    str | None,
    typer.Option(
        "--signer",
        help='Signer for all languages, such as "shingling size=2" (see `dup-groups methods`).',
        metavar="METHOD",
    ),
]
JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge", help="Judge for all languages. Default: the judge of the signer.", metavar="METHOD"
    ),
]


def chosen(file: Path | None, extractor: str | None, signer: str | None, judge: str | None) -> Config:
    """The configuration of the options; the last three override the file. Raises ConfigError."""
    from dupgroups.config import Config, Method, Step, from_toml
    from dupgroups.method_choice import everywhere
    from dupgroups.method_set import MethodSet

    typed = (Step.typed(text) if text is not None else None for text in (extractor, signer, judge))
    config = everywhere(from_toml(file) if file else Config(), Method(*typed))
    MethodSet(config)  # raises errors now, not after the documents have been read
    return config


def chosen_unordered(
    file: Path | None, extractor: str | None, signer: str | None, judge: str | None
) -> Config:
    """The same for a command that sees pages in no order: it warns if templates were to be learned."""
    config = chosen(file, extractor, signer, judge)
    if config.hosts and config.hosts.live:
        typer.secho(
            "hosts.live is ignored: unlike a crawl, `group`, `backfill` and `evaluate duplicates`, this "
            "command signs whole pages. With `live = false` it leaves out the templates in the file.",
            fg="yellow",
            err=True,
        )
    return config


@app.command("methods")
def methods(
    name: Annotated[str | None, typer.Argument(help="The method to explain.", show_default=False)] = None,
) -> None:
    """List all extractors, signers and judges with their parameters, or explain one method.

    Examples:

        dup-groups methods

        dup-groups methods spotsigs
    """
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if name is None:
        console.print(_listed(), soft_wrap=True)
        return
    lookup("method", name, ChainMap(*_tables().values()))
    for kind, table in _tables().items():
        if name in table:
            console.print(f"{kind} {name}", style="bold")
            console.print(f"{sys.modules[table[name].__module__].__doc__}", soft_wrap=True)


def _tables() -> dict[str, dict[str, type[Any]]]:
    from dupgroups.content.extract import EXTRACTORS
    from dupgroups.signatures import SIGNERS
    from dupgroups.verdicts import JUDGES

    return {"extractor": EXTRACTORS, "signer": SIGNERS, "judge": JUDGES}


def _listed() -> str:
    lines = []
    for kind, table in _tables().items():
        lines.append(f"{kind}s" + (" (and the judge that reads them)" if kind == "signer" else ""))
        for name, cls in sorted(table.items()):
            judge = f" ({', '.join(cls.judges)})" if kind == "signer" else ""
            lines.append(f"  {name}{judge}: {_headline(cls)}")
            lines += [f"      {parameters}" for parameters in [_parameters(cls)] if parameters]
    return "\n".join(lines)


def _headline(cls: type[Any]) -> str:
    """The first sentence of the module that defines the method."""
    return " ".join((sys.modules[cls.__module__].__doc__ or "").partition("\n\n")[0].split())


def _parameters(cls: type[Any]) -> str:
    return " ".join(f"{field.name}={_default(field.default)}" for field in fields(cls) if field.init)


def _default(value: object) -> str:
    return "..." if value is MISSING else str(value)
