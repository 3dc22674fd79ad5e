"""`dup-groups train`: make the shipped weights again from labelled pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.files import check_place, reported
from dupgroups.cli.options import OUT
from dupgroups.cli.output import stderr, stdout
from dupgroups.text.counted import counted
from dupgroups_lab.commands.options import PacksArgument

FOLDS = "Number of folds of a cross-validation; 0, where allowed, for none."

train = typer.Typer(
    help="""Train a method on labelled data.

    Example:

        dup-groups train extraction news --method crf --out crf.npz
    """,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    add_completion=False,
)


@train.command("extraction")
def extraction(
    packs: PacksArgument,
    method: Annotated[
        str,
        typer.Option(
            help="The extractor to train: auto, 'auto favor=recall', crf, 'crf features=paper', maxent or "
            "subsequence.",
            metavar="METHOD",
        ),
    ] = "auto",
    out: Annotated[
        Path | None,
        typer.Option(help=OUT, metavar="METHOD.npz"),
    ] = None,
    folds: Annotated[int, typer.Option(help=FOLDS, min=0, metavar="NUMBER")] = 5,
    seeds: Annotated[
        int,
        typer.Option(
            help="Number of divisions into folds; the scores are means over them.",
            min=1,
            metavar="NUMBER",
        ),
    ] = 1,
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate",
            help="Write no weights, but print what each group of features of `auto` costs and brings.",
        ),
    ] = False,
) -> None:
    """Train an extractor on PACK..., and print its scores on sites not seen in training.

    It learns from the articles of the packs, `auto favor=recall` from all of their pages. Example:

        dup-groups train extraction news --method maxent --folds 0
    """
    from dupgroups_lab.extraction.ablation import ablation
    from dupgroups_lab.extraction.tables import print_blocks, print_validated
    from dupgroups_lab.extraction.validation import validated
    from dupgroups_lab.labels.pages import PAGES
    from dupgroups_lab.training.methods import trainer, used_pages
    from dupgroups_lab.training.network import read_examples

    training = trainer(method)
    console, target = stdout(), out or Path(f"{method.split()[0]}.npz")
    check_place(target, *(pack / PAGES for pack in packs))  # fails early
    with stderr().status("reading and aligning pages"):
        examples = list(read_examples(packs))
    if ablate:
        console.print("group, CPU milliseconds a page, gain of F1 in thousandths, its standard error")
        for name, milliseconds, gain, error in ablation(examples, folds, seeds):
            console.print(f"{name:10} {milliseconds:.3f} {1000 * gain:+5.1f} {1000 * error:4.1f}")
        return
    if folds:
        with stderr().status(f"cross-validating over {folds} parts of the sites"):
            rows, blocks = validated(examples, folds, training, seeds)
        often = f", mean of {seeds} divisions" if seeds > 1 else ""
        print_validated(console, f"{method}, cross-validated by site{often}", rows)
        print_blocks(console, method, blocks)
    with stderr().status("training on everything"):
        trained = training(examples)
    with reported(target):
        trained.save(target)
    used = used_pages(method, examples)
    sites = counted(len({example.page.site for example in used}), "site")
    console.print(f"{target}: weights from {counted(len(used), 'page')} of {sites}")
