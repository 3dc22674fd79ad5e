"""The commands of installed packages (and of the lab), from the entry-point group `dupgroups.commands`, and
what every command has, those of other packages too: -h, -v, -q; flags that name no type.

The name of an entry point is the name of the command. Its object is a `typer.Typer`: one with a single
function is a command, one with several is a group of commands.
"""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from dupgroups.cli.built_in import BUILT_IN, FORMER_NAMES, load_built_in
from dupgroups.cli.output import configure_logging, verbosity

GROUP = "dupgroups.commands"
PANELS = {
    "Group and search": ("demo", "group", "add", "backfill", "search", "serve"),
    "Maintain an index": (
        *("doctor", "follow", "alert", "filter", "sign", "regroup", "rollover", "replay", "delete"),
        *("keep-apart", "keep-together", "head", "corrections", "frames", "undo"),
    ),
    "Inspect and measure": (
        *("find", "extract", "explain", "groups", "stories", "stats", "methods"),
        *("label", "evaluate", "calibrate", "frequencies", "train"),
    ),
}
"""The panels of `dup-groups --help`, and the commands in each of them, in the order of use."""
_PANEL = {command: panel for panel, commands in PANELS.items() for command in commands}
_COMPLETION = ("install_completion", "show_completion")  # options of a program, not of a single command
HELP = {"help_option_names": ["--help", "-h"]}

_template = typer.Typer(add_completion=False)


def _use(context: typer.Context, option: typer.CallbackParam, given: Any) -> None:
    """Note what an option says; what was said before the command holds for it, unless it says otherwise."""
    if given or context.parent is None:
        setattr(verbosity, str(option.name), given)
    if given:
        configure_logging()


def _flag(*names: str, meaning: str) -> Any:
    return typer.Option(*names, help=meaning, callback=_use, expose_value=False)


_VERBOSE = _flag("--verbose", "-v", meaning="Log what happens, and print the traceback of an error.")
_QUIET = _flag("--quiet", "-q", meaning="Print only results and errors: no notes, no progress.")


@_template.command()
def _options(verbose: Annotated[bool, _VERBOSE] = False, quiet: Annotated[bool, _QUIET] = False) -> None:
    """Carry the options that `complete` gives to every command."""


def complete(command: Any) -> None:
    """Give a command, and all commands below it, the common options. Options of its own take precedence."""
    taken = {name for parameter in command.params for name in parameter.opts}
    command.params += [option for option in get_command(_template).params if not taken & set(option.opts)]
    named = command.get_params
    command.get_params = lambda context: [*map(_without_type, named(context))]
    for member in getattr(command, "commands", {}).values():
        complete(member)


def _without_type(parameter: Any) -> Any:
    """Recent versions of Typer would show `<bool>` for a flag, and `<list[Path]>` for files."""
    if parameter.param_type_name == "argument":
        parameter.display_type_rich = lambda ctx: None
    if getattr(parameter, "is_flag", False) and parameter.metavar is None:
        parameter.metavar = ""
    return parameter


class Commands(TyperGroup):
    """The commands of this package and those of entry points, in the order of PANELS.

    All get the common options. A command is loaded when it is run, and when all are listed. One of this
    package takes precedence over an entry point with the same name. An entry point that cannot be loaded
    causes one warning on stderr; all other commands still work.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._broken: set[str] = set()  # entry points that cannot be loaded
        complete(self)

    @cached_property
    def _points(self) -> dict[str, EntryPoint]:
        """The entry points by name; of two with the same name, the first."""
        points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
        return {point.name: point for point in reversed(points) if point.name not in BUILT_IN}

    @property
    def _waiting(self) -> list[str]:
        """The names of those that are not loaded yet, and were not tried."""
        return sorted((BUILT_IN | self._points.keys()) - self.commands.keys() - self._broken)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command with this name. If there is none, None: all are loaded then, to suggest a name."""
        cmd_name = FORMER_NAMES.get(cmd_name, cmd_name)
        if cmd_name not in self.commands:
            self._load([cmd_name] if cmd_name in BUILT_IN or cmd_name in self._waiting else self._waiting)
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Of an error in its options, leave out the words with which pydantic begins."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order of use."""
        self._load(self._waiting)
        return [*filter(self.commands.get, _PANEL), *sorted(self.commands.keys() - _PANEL)]

    def _load(self, names: list[str]) -> None:
        for name in names:
            if name in BUILT_IN:
                self.commands[name] = _finish(name, load_built_in(name))
            else:
                self._load_point(self._points[name])

    def _load_point(self, point: EntryPoint) -> None:
        try:
            loaded = point.load()
            if not isinstance(loaded, typer.Typer):
                raise TypeError(f"{point.value} is not a typer.Typer")
            command: Any = get_command(loaded)
            command.name = point.name
            command.params = [option for option in command.params if option.name not in _COMPLETION]
            self.commands[point.name] = _finish(point.name, command)
        except (Exception, SystemExit) as error:  # somebody else's module may raise anything
            self._broken.add(point.name)
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            source = f" of {point.dist.name}" if point.dist else ""
            what = f"the command {point.name!r}{source} cannot be loaded and is left out ({reason})"
            typer.secho(f"dup-groups: {what}; update or uninstall the package", fg="yellow", err=True)


def _finish(name: str, command: Any) -> Any:
    panel = getattr(command, "rich_help_panel", None) or _PANEL.get(name, "Of other packages")
    command.rich_help_panel = panel
    complete(command)
    return command
