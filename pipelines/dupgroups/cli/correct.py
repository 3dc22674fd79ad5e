"""`dup-groups keep-apart`, `keep-together`, `head` and `undo`: what people know better than any signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import existing_deduper
from dupgroups.cli.last_search import NAMED, document_id
from dupgroups.cli.options import ConfigOption, EngineOption, JsonOption
from dupgroups.cli.output import plain, print_json

if TYPE_CHECKING:
    from dupgroups.model import Correction, CorrectionKind

FirstArgument = Annotated[str, typer.Argument(metavar="A", help=f"A document: {NAMED}.")]
SecondArgument = Annotated[str, typer.Argument(metavar="B", help="Another document.")]
ByOption = Annotated[
    str | None,
    typer.Option(
        "--by", help="Who wants it, for the log. Default: your user name.", metavar="NAME", show_default=False
    ),
]

_STAYS = """The others go where their ties are strongest.

    It holds for every later crawl, new text and new signature, until it is undone. Examples:

        dup-groups keep-apart 1 1.2 --engine sqlite:///news.db

        dup-groups keep-together 1 https://example.org/1.html --engine URL
"""


@app.command("keep-apart", help=f"Keep two documents out of one group, however alike they are. {_STAYS}")
@app.command("keep-together", help=f"Keep two documents in one group, however different they are. {_STAYS}")
def keep(
    context: typer.Context,
    a: FirstArgument,
    b: SecondArgument,
    by: ByOption = None,
    engine: EngineOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep two documents apart or together, as the name of the command says."""
    _correct(cast("CorrectionKind", context.command.name), (a, b), by, engine, config, as_json)


@app.command("head")
def head(
    a: FirstArgument,
    by: ByOption = None,
    engine: EngineOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a document stand for its group in searches, whichever the configuration would elect.

    The name of the group stays that of its oldest member. Example:

        dup-groups head 1f0c54cdd8 --engine sqlite:///news.db
    """
    _correct("head", (a,), by, engine, config, as_json)


@app.command("undo")
def undo(
    number: Annotated[int, typer.Argument(min=1, help="Number of the correction.", metavar="NUMBER")],
    by: ByOption = None,
    engine: EngineOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Undo a correction by its number; `dup-groups corrections` lists them.

    The groups become those that the remaining corrections make. Example:

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
    from dupgroups.web.wording import sizes

    with existing_deduper(engine, config) as (opened, deduper):
        who = by or _user()
        if kind == "undo":
            entry = deduper.undo(int(names[0]), by=who)
        else:
            entry = deduper.correct(kind, *(document_id(opened, name) for name in names), by=who)
        documents = headlines(opened, entry.ids)
    if as_json:
        print_json(entry)
    else:
        groups = f"{sizes(entry.before)} before, {sizes(entry.after or {})} now"
        typer.echo(f"{described(entry, documents)}; {plain(groups)}")


def _user() -> str:
    import getpass

    from dupgroups.errors import InputError

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:  # a container may run as a number without a name
        raise InputError("your user has no name here: say with --by who enters the correction") from error


def described(entry: Correction, headlines: Mapping[str, str]) -> str:
    """What an entry of the log says, in one line that is safe on a terminal."""
    ids = [plain(headlines[id_] or id_) for id_ in entry.ids]
    said = {
        "keep-apart": f"{ids[0]} and {ids[-1]} are kept apart",
        "keep-together": f"{ids[0]} and {ids[-1]} are kept together",
        "head": f"{ids[0]} is the head of its group",
        "undo": f"undoes correction {entry.undoes}",
    }
    return f"correction {entry.number}: {said[entry.kind]}"
