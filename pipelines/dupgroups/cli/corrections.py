"""`dup-groups corrections`: the log of what people corrected, and the file of it that `group` reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.bulk.inputs.rows import Rows
from dupgroups.cli.console import app
from dupgroups.cli.engine import existing
from dupgroups.cli.options import OUT, ConfigOption, EngineOption, JsonOption
from dupgroups.cli.output import plain, print_json, stdout
from dupgroups.cli.tables import check_result, write_table
from dupgroups.errors import InputError
from dupgroups.model import Correction

if TYPE_CHECKING:
    from dupgroups.grouping import Corrections

HEADER = ("number", "kind", "a", "b", "by", "at")
PAIRS = ("keep-apart", "keep-together")


@app.command("corrections")
def corrections(
    newest: Annotated[
        int, typer.Option(min=1, max=10_000, help="Number of entries to list, the newest first.")
    ] = 50,
    out: Annotated[
        Path | None,
        typer.Option(help=OUT, metavar="CORRECTIONS.csv"),
    ] = None,
    engine: EngineOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List who kept which documents apart or together, or pinned a head, and what became of the groups.

    With `--out`, those that count go to a file, for `group --corrections`, and none is listed. Examples:

        dup-groups corrections --engine sqlite:///news.db

        dup-groups corrections --out corrections.csv --engine URL
    """
    from dupgroups.flow.document_names import headlines

    if out:
        check_result(out, config)
    with closing(existing(engine, config)) as opened:
        log = opened.corrections(fresh=True)
        names = headlines(opened, [id_ for entry in log[: -newest - 1 : -1] for id_ in entry.ids])
    if out:
        _export(out, log)
    elif as_json:
        print_json(log[: -newest - 1 : -1])
    else:
        _print(log, newest, names)


def _export(path: Path, log: Sequence[Correction]) -> None:
    from dupgroups.grouping.corrections import standing

    rows = []
    for entry in standing(log):
        a, b = (*entry.ids, "")[:2]
        rows.append((str(entry.number), entry.kind, a, b, entry.by, _at(entry)))
    write_table(path, HEADER, rows)


def _print(log: Sequence[Correction], newest: int, names: Mapping[str, str]) -> None:
    from dupgroups.cli.correct import described
    from dupgroups.web.wording import sizes

    undone = {entry.undoes: entry.number for entry in log}
    console = stdout()
    if not log:
        console.print("no corrections")
    for entry in log[: -newest - 1 : -1]:
        note = f", undone by {undone[entry.number]}" if entry.number in undone else ""
        console.print(f"{described(entry, names)}{note}", soft_wrap=True)
        now = "not carried out yet" if entry.after is None else f"{sizes(entry.after)} after"
        line = plain(f"{_at(entry)} by {entry.by}: {sizes(entry.before)} before, {now}")
        console.print(f"    {line}", style="dim", soft_wrap=True)


def _at(entry: Correction) -> str:
    from dupgroups.web.dates import instant

    return instant(entry.at) or ""


def read_corrections(path: Path | None) -> Corrections:
    """The corrections of a file that `dup-groups corrections --out` wrote; none without a file.

    Raises InputError for a row that is not a correction, and for corrections that contradict each other.
    Heads are passed over: groups without an index have none.
    """
    from dupgroups.grouping import Corrections
    from dupgroups.grouping.corrections import check_consistent, pair_of

    pairs: dict[str, dict[tuple[str, str], int]] = {kind: {} for kind in PAIRS}
    for number, row in Rows(path) if path else ():
        if isinstance(row, InputError):
            raise InputError(f"{path}, line {number}: {row}")
        kind, a, b = (str(row.get(name) or "") for name in ("kind", "a", "b"))
        if kind == "head":
            continue
        if kind not in PAIRS or not a or not b or a == b:
            wanted = "kind (keep-apart, keep-together or head), a and b, two different ids"
            raise InputError(f"{path}, line {number}: a correction needs {wanted}")
        pairs[kind].setdefault(pair_of(a, b), number)
    made = Corrections(pairs["keep-apart"], pairs["keep-together"])
    check_consistent(made)
    return made
