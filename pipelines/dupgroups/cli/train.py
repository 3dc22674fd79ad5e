"""`dup-groups train`: the shipped weights, made again from labelled pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.console import app

train = typer.Typer(help="Train a method on labelled data.", no_args_is_help=True)
app.add_typer(train, name="train")


@train.command("extraction")
def extraction(
    packs: Annotated[list[Path], typer.Argument(help="Folders with pages.jsonl.gz.", metavar="PACK...")],
    out: Annotated[Path, typer.Option(help="Where the weights go.", metavar="FILE.npz")] = Path("auto.npz"),
    folds: Annotated[int, typer.Option(help="Cross-validate by site first; 0: don't.", min=0)] = 5,
) -> None:
    """Train the extractor `auto` on the articles of PACK... and print its scores on sites it has not seen."""
    from rich.console import Console

    from dupgroups.evaluation.extraction_report import print_scores, validated
    from dupgroups.evaluation.extraction_training import is_article, read_examples, train

    console = Console()
    with console.status("reading and aligning pages"):
        examples = list(read_examples(packs))
    if folds:
        with console.status(f"cross-validating over {folds} parts of the sites"):
            scores, blocks = validated(examples, folds)
        print_scores(console, "auto, trained without the site of the page", scores)
        console.print(
            f"blocks of articles: precision {blocks.precision:.3f}, recall {blocks.recall:.3f}, "
            f"pages without an error {blocks.exact:.3f}"
        )
    used = [each for each in examples if is_article(each)]
    with console.status("training on everything"):
        train(used).save(out)
    console.print(
        f"{out}: weights from {len(used)} articles of {len({each.page.site for each in used})} sites"
    )
