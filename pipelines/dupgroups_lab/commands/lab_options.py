"""Options and arguments that only commands of the lab share; the others are in `dupgroups.cli.options`."""

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.bulk.inputs.rows import STDIN
from dupgroups.cli.options import DOCUMENTS, parse_path
from dupgroups.errors import InputError

ExtractorsOption = Annotated[
    str,
    typer.Option(
        "--extractors",
        help="Extractors to compare, separated by commas: names or module:Class, then parameters, as in "
        "long_blocks min_block=5,mss.",
        metavar="METHOD,...",
    ),
]

DocumentsIfAny = Annotated[Path | None, typer.Argument(help=DOCUMENTS, metavar="[DOCS]", show_default=False)]
DocsOption = Annotated[Path, typer.Option("--docs", help=DOCUMENTS, metavar="DOCS", parser=parse_path)]
PacksArgument = Annotated[
    list[Path], typer.Argument(help="Folders with a pages.jsonl.gz.", metavar="PACK...")
]
LabelledPacksArgument = Annotated[
    list[Path], typer.Argument(help="Folders with a docs.jsonl.gz and a pairs.csv.", metavar="PACK...")
]

_LABELS = typer.Option("--labels", help="CSV file with labelled pairs: a,b,label.", metavar="PAIRS.csv")

LabelsOption = Annotated[Path, _LABELS]
LabelsIfAny = Annotated[Path | None, _LABELS]
PositiveOption = Annotated[
    str,
    typer.Option("--positive", help="Labels of the pairs to find, separated by commas.", metavar="LABEL,..."),
]


def check_again(path: Path) -> None:
    """Raise InputError if the file of --docs cannot be read a second time."""
    if path == STDIN:
        raise InputError("standard input can be read only once, and this needs it twice: name a file")
