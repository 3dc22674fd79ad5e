"""`dup-groups keep-apart`, `keep-together`, `head` and `undo`: what people know better than any signature.
`corrections` lists it, and writes the file of it that `group` reads.
"""

from __future__ import annotations

import getpass
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dupgroups.bulk.inputs.rows import Rows
from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing, existing_deduper
from dupgroups.cli.options import option
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.search import DOCUMENT_HELP, document_id
from dupgroups.cli.tables import check_result, write_table
from dupgroups.errors import InputError
from dupgroups.model import PROGRAM, Correction, CorrectionKind
from dupgroups.text.terminal import plain

if TYPE_CHECKING:
    from dupgroups.grouping.constraints import Corrections

HEADER = ("number", "kind", "a", "b", "by", "at", "marks")
PAIRS = ("keep-apart", "keep-together")

FirstArgument = Annotated[str, typer.Argument(metavar="A", help=f"A document: {DOCUMENT_HELP}.")]
SecondArgument = Annotated[str, typer.Argument(metavar="B", help="Another document.")]
BY_HELP = "Your name for the log. Default: your user name."
ByOption = Annotated[str | None, option(BY_HELP, "NAME", show_default=False)]

_STAYS = """

    It holds until it is undone, even if a page is crawled again, with a new text or signature. Examples:

        dup-groups keep-apart 1 1.2 --engine sqlite:///news.db

        dup-groups keep-together 1 https://example.org/1.html --engine URL
"""


@commands.command(
    "keep-apart",
    help="Keep two documents out of one group, however alike they are. The others go where more speaks "
    f"for them.{_STAYS}",
)
@commands.command(
    "keep-together", help=f"Keep two documents in one group, however different they are.{_STAYS}"
)
def keep(
    context: typer.Context,
    a: FirstArgument,
    b: SecondArgument,
    by: ByOption = None,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Keep two documents apart or together, as the name of the command says."""
    _correct(cast("CorrectionKind", context.command.name), (a, b), by, engine, config, as_json)


@commands.command("head")
def head(
    a: FirstArgument,
    by: ByOption = None,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Make a document the main copy of its story, which stands for it in searches.

    The name of the group stays that of its oldest member. Example:

        dup-groups head 1f0c54cdd8 --engine sqlite:///news.db
    """
    _correct("head", (a,), by, engine, config, as_json)


@commands.command("undo")
def undo(
    number: Annotated[int, typer.Argument(min=1, help="Number of the entry.", metavar="NUMBER")],
    by: ByOption = None,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Undo a correction or a frame by its number; `dup-groups corrections` and `frames` list them.

    The groups then follow the remaining corrections. A frame that is undone is not learned again. Example:

        dup-groups undo 3 --engine sqlite:///news.db
    """
    _correct("undo", [str(number)], by, engine, config, as_json)


def _correct(
    kind: CorrectionKind,
    names: Sequence[str],
    by: str | None,
    engine: str | None,
    config: Path | None,
    as_json: bool,
) -> None:
    """Enter a correction of the documents with these names, or undo the one with this number."""
    from dupgroups.flow.document_names import headlines

    with existing_deduper(engine, config) as (opened, deduper):
        try:
            who = by or getpass.getuser()
        except (KeyError, OSError, ImportError) as error:  # a container may run as a number without a name
            raise InputError("your user has no name here: give your name with --by") from error
        if kind == "undo":
            entry = deduper.undo(int(names[0]), by=who)
        else:
            entry = deduper.correct(kind, *(document_id(opened, name) for name in names), by=who)
        documents = headlines(opened, entry.ids)
    if as_json:
        print_json(entry)
    else:
        typer.echo(describe_entry(entry, documents))


def describe_entry(entry: Correction, headlines: Mapping[str, str]) -> str:
    """Describe an entry of the log in one line that is safe on a terminal."""
    ids = [plain(headlines[id_] or id_) for id_ in entry.ids] or [""]
    why = ", though the first was changed" if entry.keeps_page else ""
    said = {
        "keep-apart": f"{ids[0]} and {ids[-1]} are kept apart",
        "keep-together": f"{ids[0]} and {ids[-1]} are kept together{why}",
        "head": f"{ids[0]} is the main copy of its story",
        "undo": f"number {entry.undoes} is undone",
    }
    return f"correction {entry.number}: {said[entry.kind]}"


# -- the log


@commands.command("corrections")
def corrections(
    newest: options.Newest = 50,
    out: Annotated[Path | None, option(options.OUT_HELP, "CORRECTIONS.csv")] = None,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """List who kept which documents apart or together, or chose a main copy.

    `--out` writes those in force to a file for `group --corrections`, and lists none. Examples:

        dup-groups corrections --engine sqlite:///news.db

        dup-groups corrections --out corrections.csv --engine URL
    """
    from dupgroups.flow.document_names import headlines
    from dupgroups.grouping.constraints import active_entries, entries_of_documents

    if out:
        check_result(out, config)
    with closing(existing(engine, config)) as opened:
        log = entries_of_documents(opened.corrections(fresh=True))
        names = headlines(opened, [id_ for entry in log[: -newest - 1 : -1] for id_ in entry.ids])
    if out:
        write_table(out, HEADER, map(_row, active_entries(log)))
    elif as_json:
        print_json(log[: -newest - 1 : -1])
    else:
        _print(log, newest, names)


def _row(entry: Correction) -> tuple[str, ...]:
    a, b = (*entry.ids, "")[:2]
    return str(entry.number), entry.kind, a, b, entry.by, _at(entry), " ".join(entry.marks[:2])


def _print(log: Sequence[Correction], newest: int, names: Mapping[str, str]) -> None:
    undone = {entry.undoes: entry.number for entry in log}
    console = stdout()
    if not log:
        console.print("no corrections")
    for entry in log[: -newest - 1 : -1]:
        note = f", undone by {undone[entry.number]}" if entry.number in undone else ""
        console.print(f"{describe_entry(entry, names)}{note}")
        line = plain(f"{_at(entry)} by {entry.by}{'' if entry.carried_out else ', not carried out yet'}")
        console.print(f"    {line}", style="dim")


def _at(entry: Correction) -> str:
    from dupgroups.presentation.date_formats import instant

    return instant(entry.at) or ""


def read_corrections(path: Path | None) -> Corrections:
    """The corrections of a file that `dup-groups corrections --out` wrote; none without a file.

    Raises InputError for a row that is not a correction, and for corrections that contradict each other.
    Heads are passed over: groups without an index have none.
    """
    from dupgroups.grouping.constraints import Corrections, check_consistent

    entries = []
    for number, row in Rows(path) if path else ():
        if isinstance(row, InputError):
            raise InputError(f"{path}, line {number}: {row}")
        kind, a, b = (str(row.get(name) or "") for name in ("kind", "a", "b"))
        if kind == "head":
            continue
        if kind not in PAIRS or not a or not b or a == b:
            wanted = "kind (keep-apart, keep-together or head), a and b, two different ids"
            raise InputError(f"{path}, line {number}: a correction needs {wanted}")
        marks = tuple(str(row.get("marks") or "").split())
        if row.get("by") == PROGRAM or len({*marks}) == 1:  # these two pages are meant, and not their copies
            marks = a, b
        entries.append(Correction(number, cast(CorrectionKind, kind), (a, b), "", 0, marks=marks))
    made = Corrections.of(entries)
    check_consistent(made)
    return made
