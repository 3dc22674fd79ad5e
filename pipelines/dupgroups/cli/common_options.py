"""What every command has, those of other packages too: -h, -v, -q; flags that name no type."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.main import get_command

from dupgroups.cli.output import configure_logging, verbosity

HELP = {"help_option_names": ["--help", "-h"]}

_template = typer.Typer(add_completion=False)


def _use(context: typer.Context, option: typer.CallbackParam, given: Any) -> None:
    """Note what an option says; what was said before the command holds for it, unless it says otherwise."""
    if given or context.parent is None:
        setattr(verbosity, str(option.name), given)
    if given:
        configure_logging()


def _flag(*names: str, help: str) -> Any:  # noqa: A002 - as typer names it
    return typer.Option(*names, help=help, callback=_use, expose_value=False)


@_template.command()
def _options(
    verbose: Annotated[
        bool, _flag("--verbose", "-v", help="Log what happens, and print the traceback of an error.")
    ] = False,
    quiet: Annotated[
        bool, _flag("--quiet", "-q", help="Print only results and errors: no notes, no progress.")
    ] = False,
) -> None:
    """Carry the options that `complete` gives to every command."""


def complete(command: Any) -> None:
    """Give a command, and all commands below it, the common options. Options of its own take precedence."""
    taken = {name for parameter in command.params for name in parameter.opts}
    command.params += [option for option in get_command(_template).params if not taken & set(option.opts)]
    named = command.get_params

    def get_params(context: Any) -> list[Any]:
        return list(map(_without_type, named(context)))

    command.get_params = get_params
    for member in getattr(command, "commands", {}).values():
        complete(member)


def _without_type(parameter: Any) -> Any:
    """Recent versions of Typer would show `<bool>` for a flag, and `<list[Path]>` for files."""
    if parameter.param_type_name == "argument":
        parameter.display_type_rich = lambda ctx: None
    if getattr(parameter, "is_flag", False) and parameter.metavar is None:
        parameter.metavar = ""
    return parameter
