"""`dup-groups methods`: list the available methods. Also how other commands choose them."""

from __future__ import annotations

import sys
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import settings_of
from dupgroups.cli.output import print_json, stdout
from dupgroups.methods.registry import lookup
from dupgroups.model.config import Config, Method, Step

NamedMethod = tuple[str, str, type[Any]]


def choose_methods(
    file: Path | None, preset: str | None, extractor: str | None, signer: str | None, judge: str | None
) -> Config:
    """The configuration of the options; the others override the file. Raises ConfigError."""
    from dupgroups.flow.method_set import MethodSet
    from dupgroups.methods.method_choice import use_everywhere

    typed = (Step.parse(text) if text is not None else None for text in (extractor, signer, judge))
    settings = settings_of(file)
    config = use_everywhere(replace(settings, preset=preset or settings.preset), Method(*typed))
    MethodSet(config)  # raises errors now, not after the documents have been read
    return config


@commands.command("methods")
def methods(
    name: Annotated[str | None, typer.Argument(help="The method to explain.", show_default=False)] = None,
    as_json: options.Json = False,
) -> None:
    """List all extractors, signers and judges with their parameters, or explain one method.

    Examples:

        dup-groups methods

        dup-groups methods spotsigs
    """
    available = _available()
    if name is not None:
        lookup("method", name, {name_: cls for _, name_, cls in available})
    shown = [method for method in available if name in (None, method[1])]
    if as_json:
        print_json([_describe_method(*method) for method in shown])
    elif name is None:
        _list(shown)
    else:
        for kind, _, cls in shown:
            stdout().print(f"{kind} {name}", style="bold")
            stdout().print(f"{sys.modules[cls.__module__].__doc__}")


def _available() -> list[NamedMethod]:
    from dupgroups.content.page_analysis import EXTRACTORS
    from dupgroups.methods.signatures import SIGNERS
    from dupgroups.methods.verdicts import JUDGES

    tables = (EXTRACTORS, SIGNERS, JUDGES)
    return [(table.kind, name, cls) for table in tables for name, cls in sorted(table.load_all().items())]


def _describe_method(kind: str, name: str, cls: type[Any]) -> dict[str, Any]:
    parameters = {field: None if value is MISSING else value for field, value in _parameters(cls).items()}
    described = {"kind": kind, "name": name, "description": _headline(cls), "parameters": parameters}
    return described | ({"judges": list(cls.judges)} if kind == "signer" else {})


def _list(methods: list[NamedMethod]) -> None:
    console, last = stdout(), ""
    for kind, name, cls in methods:
        if kind != last:
            console.print(f"{kind}s" + (" (and the judge that reads them)" if kind == "signer" else ""))
        judge = f" ({', '.join(cls.judges)})" if kind == "signer" else ""
        console.print(f"  {name}{judge}: {_headline(cls)}")
        if given := _parameters(cls).items():
            parameters = (f"{field}={'...' if value is MISSING else value}" for field, value in given)
            console.print(f"      {' '.join(parameters)}")
        last = kind


def _headline(cls: type[Any]) -> str:
    """The first sentence of the module that defines the method."""
    return " ".join((sys.modules[cls.__module__].__doc__ or "").partition("\n\n")[0].split())


def _parameters(cls: type[Any]) -> dict[str, Any]:
    return {field.name: field.default for field in fields(cls) if field.init}
