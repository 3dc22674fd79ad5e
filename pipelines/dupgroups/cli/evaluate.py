"""`dup-groups evaluate`: how well the methods do on labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.console import app

evaluate = typer.Typer(help="Measure methods on labelled data.", no_args_is_help=True)
app.add_typer(evaluate, name="evaluate")


@evaluate.command("extraction")
def extraction(
    packs: Annotated[
        list[Path],
        typer.Option("--pack", help="A folder with pages.jsonl.gz; may be repeated.", metavar="DIR"),
    ],
    extractors: Annotated[
        str,
        typer.Option("--extractor", help="Names or module:Class, with commas between.", metavar="NAME,..."),
    ] = "auto,mss,heuristic,whole",
) -> None:
    """Precision, recall and F1 of extractors against gold texts, and their time in parses of the page.

    `auto`, `crf` and `maxent` have learned from most public packs: `dup-groups train extraction` tells their
    scores on unseen sites.
    """
    from rich.console import Console

    from dupgroups.evaluation.extraction_report import measured, print_scores

    console = Console()
    for name in extractors.split(","):
        with console.status(f"extracting with {name}"):
            scores, parses = measured(packs, name)
        print_scores(console, f"{name}: {parses:.1f} parses a page", scores)
