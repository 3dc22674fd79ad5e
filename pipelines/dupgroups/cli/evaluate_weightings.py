"""`dup-groups evaluate weightings`: the tables of Alonso, Fetterly and Manasse on documents of one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import FieldName, JsonLines
from dupgroups.cli.evaluate import evaluate
from dupgroups.cli.progress import bars, teller

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups.evaluation.weightings import Row
    from dupgroups.model import Content
    from dupgroups.recipes import Recipes


@evaluate.command("weightings")
def weightings(
    docs: Annotated[Path, typer.Option(help="JSON Lines, gzipped or not.", metavar="DOCS.jsonl[.gz]")],
    labels: Annotated[Path, typer.Option(help="Labelled pairs: a,b,label.", metavar="PAIRS.csv")],
    positive: Annotated[
        str, typer.Option(help="Labels to be found, with commas between.", metavar="LABEL,...")
    ] = "duplicate",
    phrase: Annotated[int, typer.Option(min=1, max=32, help="Words of a phrase.")] = 7,
    field: Annotated[
        FieldName | None, typer.Option(help="Read only this; else html where a document has it, else text.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file that names the extractor.")] = None,
) -> None:
    """Best F1 and MCC of antecedent lists, phrase weightings and rare-phrase limits, beside the paper's F1.

    Similarities are exact, and every threshold is tried on these very documents. Example:

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv
    """
    from rich.console import Console

    from dupgroups.config import Config, from_toml
    from dupgroups.evaluation.labelled import check_labels, read_labels, truth
    from dupgroups.evaluation.weightings import ablation
    from dupgroups.recipes import Recipes

    wanted = positive.split(",")
    check_labels(wanted)
    pairs = read_labels(labels)
    console = Console(stderr=True, highlight=False, markup=False)
    lines = JsonLines(docs, field.value if field else None, teller(console))
    with bars(lines, console) as progress:
        contents = _contents(lines, Recipes(from_toml(config) if config else Config()), progress)
        told = truth(contents, pairs, positive=wanted)
        size = len(contents)
        found = ablation(
            contents, told, phrase, lambda done, total: progress("judge", done * size, total * size)
        )
    shown = Console(highlight=False, markup=False)
    for title, rows in (
        ("antecedents of SpotSigs", found.antecedents),
        ("weighting of phrases, without those of more than 50 %", found.weightings),
        ("phrases of more documents than this dropped, weighting df2", found.common),
    ):
        shown.print(_table(title, rows))
        shown.print()


def _contents(
    lines: JsonLines, recipes: Recipes, progress: Callable[[str, int, int | None], None]
) -> dict[str, Content]:
    found = {}
    for done, page in enumerate(lines, start=1):
        if page.id:
            found[page.id] = recipes.extract(page)
        progress("sign", done, None)
    return found


def _table(title: str, rows: Sequence[Row]) -> Table:
    from rich.table import Table

    names = ("paper's F1", "F1, all pairs", "at", "MCC", "F1, listed pairs", "at", "MCC")
    table = Table(title, *names, box=None, pad_edge=False)
    for row in rows:
        published = f"{row.published:.4f}" if row.published else "-"
        figures = (
            f"{x:.4f}" for each in (row.every, row.listed) for x in (each.f1, each.threshold, each.mcc)
        )
        table.add_row(row.name, published, *figures)
    return table
