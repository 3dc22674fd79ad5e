"""`dup-groups calibrate`: from labelled pairs to thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import Docs, FieldOption, JsonLines, Labels, Positive
from dupgroups.cli.files import check_place, files_of, written
from dupgroups.cli.methods import ExtractorOption, JudgeOption, MethodsFile, SignerOption, chosen_unordered
from dupgroups.cli.progress import bars, teller

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups_lab.calibration.thresholds import Calibration
    from dupgroups_lab.measures.pairwise import Confusion


app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("calibrate")
def calibrate(
    docs: Docs,
    labels: Labels,
    out: Annotated[Path, typer.Option(help="Where the configuration goes.", metavar="CONFIG.toml")],
    precision: Annotated[
        float | None, typer.Option(min=0, max=1, help="Wanted precision; else the best F1.")
    ] = None,
    positive: Positive = "duplicate",
    field: FieldOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: MethodsFile = None,
) -> None:
    """Choose the threshold of each language from labelled pairs, and write it into a configuration.

    Languages that are signed alike share a threshold. Quote no figure from the documents that a threshold was
    chosen on: evaluate on others. Example:

        dup-groups calibrate --docs news.jsonl.gz --labels pairs.csv --precision 0.99 --out news.toml

        dup-groups evaluate duplicates --docs other.jsonl.gz --labels other.csv --config news.toml
    """
    from rich.console import Console

    from dupgroups_lab.calibration import thresholds
    from dupgroups_lab.calibration.config_file import to_toml
    from dupgroups_lab.labels.pairs import check_labels, read_labels

    console = Console(stderr=True, highlight=False, markup=False)
    settings = chosen_unordered(config, extractor, signer, judge)
    check_place(out, docs, labels, config, *files_of(settings))
    to_toml(settings)  # refuses now what could not be written in the end
    wanted = positive.split(",")
    check_labels(wanted)
    pairs = read_labels(labels)
    lines = JsonLines(docs, field.value if field else None, teller(console))
    with bars(lines, console) as progress:
        found = thresholds.calibrate(
            lines, pairs, settings, precision=precision, positive=wanted, progress=progress
        )
    with written(out) as file:
        file.write(to_toml(found.config))
    shown = Console(highlight=False, markup=False)
    for sentence in found.left:
        shown.print(f"Left as it is: {sentence}.", style="yellow", soft_wrap=True)
    shown.print(_table(found))
    shown.print(f"Configuration: {out}", soft_wrap=True)


def _table(found: Calibration) -> Table:
    from rich.table import Table

    table = Table("methods", "documents", "parameter", "from", "to", "P, R, F1 before", "after", box=None)
    for each in found.found:
        table.add_row(
            ", ".join(each.methods),
            f"{each.documents:,}",
            each.parameter,
            f"{each.old:g}",
            f"{each.new:g}",
            _figures(each.before),
            _figures(each.after),
        )
    return table


def _figures(pairs: Confusion) -> str:
    return f"{pairs.precision:.4f}, {pairs.recall:.4f}, {pairs.f1:.4f}"
