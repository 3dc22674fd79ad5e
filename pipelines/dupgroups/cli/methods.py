"""`dup-groups methods`: list the available methods. Also how other commands choose them."""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Iterator
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import settings_of
from dupgroups.cli.options import JsonOption
from dupgroups.cli.output import print_json, stderr, stdout
from dupgroups.config import Config, Method, Step
from dupgroups.registry import lookup


def chosen(file: Path | None, extractor: str | None, signer: str | None, judge: str | None) -> Config:
    """The configuration of the options; the last three override the file. Raises ConfigError."""
    from dupgroups.method_choice import everywhere
    from dupgroups.method_set import MethodSet

    typed = (Step.typed(text) if text is not None else None for text in (extractor, signer, judge))
    config = everywhere(settings_of(file), Method(*typed))
    MethodSet(config)  # raises errors now, not after the documents have been read
    return config


def chosen_unordered(
    file: Path | None, extractor: str | None, signer: str | None, judge: str | None
) -> Config:
    """The same for a command that sees pages in no order: it warns if templates were to be learned."""
    config = chosen(file, extractor, signer, judge)
    if config.hosts and config.hosts.live:
        stderr().print(
            "hosts.live is ignored: unlike a crawl, `group`, `backfill` and `evaluate duplicates`, this "
            "command signs whole pages. With `live = false` it leaves out the templates in the file.",
            style="yellow",
        )
    return config


@app.command("methods")
def methods(
    name: Annotated[str | None, typer.Argument(help="The method to explain.", show_default=False)] = None,
    as_json: JsonOption = False,
) -> None:
    """List all extractors, signers and judges with their parameters, or explain one method.

    Examples:

        dup-groups methods

        dup-groups methods spotsigs
    """
    if name is not None:
        lookup("method", name, ChainMap(*_tables().values()))
    if as_json:
        print_json([_described(kind, method) for kind, method in _all() if name in (None, method)])
    elif name is None:
        stdout().print(_listed(), soft_wrap=True)
    else:
        _explain(name)


def _explain(name: str) -> None:
    console = stdout()
    for kind, table in _tables().items():
        if name in table:
            console.print(f"{kind} {name}", style="bold")
            console.print(f"{sys.modules[table[name].__module__].__doc__}", soft_wrap=True)


@cache
def _tables() -> dict[str, dict[str, type[Any]]]:
    from dupgroups.content.extract import EXTRACTORS
    from dupgroups.signatures import SIGNERS
    from dupgroups.verdicts import JUDGES

    return {table.kind: table.loaded() for table in (EXTRACTORS, SIGNERS, JUDGES)}


def _all() -> Iterator[tuple[str, str]]:
    """Kind and name of every method, in the order of the list."""
    yield from ((kind, name) for kind, table in _tables().items() for name in sorted(table))


def _described(kind: str, name: str) -> dict[str, Any]:
    cls = _tables()[kind][name]
    parameters = {
        field.name: None if field.default is MISSING else field.default for field in fields(cls) if field.init
    }
    described = {"kind": kind, "name": name, "description": _headline(cls), "parameters": parameters}
    return described | ({"judges": list(cls.judges)} if kind == "signer" else {})


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
