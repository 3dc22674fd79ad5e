"""`dup-groups train`: make the shipped weights again from labelled pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli import options
from dupgroups.cli.files import check_place, open_for_writing, report_write_errors
from dupgroups.cli.output import stdout
from dupgroups.cli.progress import teller, working
from dupgroups.errors import InputError
from dupgroups.text.counted import count_noun
from dupgroups_lab.commands.lab_options import DocumentsIfAny, LabelledPacksArgument, PacksArgument
from dupgroups_lab.commands.printed_tables import show
from dupgroups_lab.labels.labelled_pairs import DOCUMENTS_FILE, PAIRS_FILE
from dupgroups_lab.measures.tabulated import Tabulated, decimals, percents

if TYPE_CHECKING:
    from dupgroups_lab.training.network import Example
    from dupgroups_lab.training.trainable_methods import Trainer

FOLDS = "Number of folds of a cross-validation."

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
    out: Annotated[Path | None, typer.Option(help=options.OUT_HELP, metavar="METHOD.npz")] = None,
    folds: Annotated[int, typer.Option(help=FOLDS, min=0, metavar="NUMBER")] = 5,
    seeds: Annotated[
        int,
        typer.Option(
            help="Number of divisions into folds; the scores are means over them.", min=1, metavar="NUMBER"
        ),
    ] = 1,
) -> None:
    """Train an extractor on PACK..., and print its scores on sites not seen in training.

    It learns from the articles of the packs; `auto favor=recall` learns from all of their pages. --folds 0
    prints no scores. Example:

        dup-groups train extraction news --method maxent --folds 0
    """
    from dupgroups_lab.labels.labelled_pages import PAGES
    from dupgroups_lab.training.network import read_examples
    from dupgroups_lab.training.trainable_methods import save, trainer, used_pages

    training = trainer(method)
    console, target = stdout(), out or Path(f"{method.split()[0]}.npz")
    check_place(target, *(pack / PAGES for pack in packs))  # fails early
    with working("reading and aligning pages"):
        examples = list(read_examples(packs))
    if folds:
        _show_validation(method, training, examples, folds, seeds)
    with working("training on everything"):
        trained = training(examples)
    used = used_pages(method, examples)
    with report_write_errors(target):
        save(target, method, trained, used)
    sites = count_noun(len({example.page.site for example in used}), "site")
    console.print(f"{target}: weights from {count_noun(len(used), 'page')} of {sites}")


@train.command("rarity")
def rarity(
    out: Annotated[Path, typer.Option(help=options.OUT_HELP, metavar="FILE.txt")] = Path("word_rarity.txt"),
    documents: DocumentsIfAny = None,
    language: Annotated[
        str, typer.Option("--written-in", help="Language of the documents.", metavar="CODE")
    ] = "",
) -> None:
    """Write the table of the common words of languages, from the library wordfreq.

    With a file of documents it counts the words of their language in them, and takes the other languages from
    the table of this installation. Examples:

        dup-groups train rarity --out word_rarity.txt

        dup-groups train rarity news.jsonl.gz --written-in sw --out word_rarity.txt
    """
    from dupgroups_lab.training.word_rarity_table import table_of_library, table_of_texts

    if (documents is None) == bool(language):
        raise InputError("give both a file of documents and --written-in, or neither")
    check_place(out, documents)
    if documents:
        lines = PageReader(documents, teller(), fields_of_file(None))
        table = table_of_texts(language, (page.text or "" for page in lines))
    else:
        with working("reading the words of wordfreq"):
            table = table_of_library()
    write(out, table, count_noun(len(table.split()), "word"))


@train.command("names")
def names(
    documents: options.Documents,
    out: Annotated[Path, typer.Option(help=options.OUT_HELP, metavar="FILE.txt")] = Path(
        "name_characters.txt"
    ),
) -> None:
    """Write the table of the Chinese characters that names are written with, as counted in documents.

    Example:

        dup-groups train names news.jsonl.gz --out name_characters.txt
    """
    from dupgroups_lab.training.name_character_table import table_of_names

    check_place(out, documents)
    lines = PageReader(documents, teller(), fields_of_file(None))
    table = table_of_names(page.text or "" for page in lines)
    write(out, table, count_noun(sum(map(len, table.splitlines()[1:])), "character"))


@train.command("judge")
def judge(
    packs: LabelledPacksArgument,
    out: Annotated[Path, typer.Option(help=options.OUT_HELP, metavar="FILE.tsv")] = Path("judge.tsv"),
    threshold: Annotated[
        float,
        typer.Option(help="Probability from which two texts are one story.", metavar="SHARE", min=0, max=1),
    ] = 0.5,
) -> None:
    """Train the default judge on PACK..., and print what it is right about in stories not seen in training.

    It learns from the pairs labelled duplicate or non, and from pairs that it makes of the texts, such as one
    with another number. The table has the labelled pairs of each pack, those of short texts, and each kind of
    made pairs. Examples:

        dup-groups train judge news

        dup-groups train judge news wires --out judge.tsv --threshold 0.6
    """
    from dupgroups_lab.training.train_judge import cross_validate, fit_model, read_examples, tabulate

    check_place(out, *(pack / file for pack in packs for file in (DOCUMENTS_FILE, PAIRS_FILE)))
    with working("reading and making pairs"):
        examples = [example for example in read_examples(packs) if example.joins is not None]
    with working("cross-validating over parts of the stories"):
        rows = tabulate(examples, cross_validate(examples), threshold)
    cells = [(row.name, f"{row.right:,}", f"{row.count:,}", *decimals([row.f1])) for row in rows]
    show([Tabulated(("stories not seen", "right", "pairs", "weighted F1"), cells)], rows)
    with working("training on everything"):
        model = fit_model(examples)
    learned = f"{count_noun(len(examples), 'pair')} of {count_noun(len(packs), 'pack')}"
    head = f"# The judge: a measure, then its knots and the points there; from {learned}.\n"
    write(out, head + model.as_text, f"curves from {learned}")


@train.command("fields")
def fields(
    packs: PacksArgument,
    out: Annotated[Path, typer.Option(help=options.OUT_HELP, metavar="FILE.tsv")] = Path("date_ranker.tsv"),
) -> None:
    """Train the ranker of dates in sight on PACK..., and print what it finds on sites not seen in training.

    It learns from the pages that declare their date, with the declaration hidden. Example:

        dup-groups train fields news --out date_ranker.tsv
    """
    from dupgroups_lab.labels.labelled_pages import PAGES
    from dupgroups_lab.training.train_date_ranker import cross_validate, fit_ranker, read_dated_pages

    check_place(out, *(pack / PAGES for pack in packs))
    with working("reading pages"):
        pages = [*read_dated_pages(packs)]
    with working("training, and cross-validating over parts of the sites"):
        model, counts = fit_ranker(pages), cross_validate(pages)
    cells = [f"{counts[name]:,}" for name in ("right", "wrong", "missing")]
    show([Tabulated(("sites not seen", "right", "wrong", "missing"), [("dates", *cells)])], counts)
    learned = f"{count_noun(len(pages), 'page')} of {count_noun(len({page.site for page in pages}), 'site')}"
    head = f"# Dates in sight: a measure, then its knots and the points there; from {learned}.\n"
    write(out, head + model.as_text, f"curves from {learned}")


def write(out: Path, text: str, contents: str) -> None:
    """Write what was learned to a file, and say what it has."""
    with open_for_writing(out) as file:
        file.write(text)
    typer.echo(f"{out}: {contents}")


def _show_validation(
    method: str, training: Trainer, examples: Sequence[Example], folds: int, seeds: int
) -> None:
    """Scores by row; block precision and recall and document accuracy, beside those of CEDAR's method."""
    from dupgroups_lab.extraction.scores import PUBLISHED_SCORES
    from dupgroups_lab.extraction.validation import cross_validate

    with working(f"cross-validating over {folds} parts of the sites"):
        rows, blocks = cross_validate(examples, folds, training, seeds)
    often = f", mean of {seeds} divisions" if seeds > 1 else ""
    cells = []
    for name, row in rows.items():
        score = row.score
        values = (score.precision, score.recall, score.f1, row.error, score.page_f1)
        cells.append((name, str(score.pages), *decimals(values)))
    head = (f"{method}, cross-validated by site{often}", "number", "P", "R", "F1", "error", "mean F1")
    shares = [("unknown sites", *percents((blocks.precision, blocks.recall, blocks.exact)))]
    if published := PUBLISHED_SCORES.get(method.partition(" ")[0]):
        shares.append(("CEDAR, known sites", *decimals(published, 1)))
    columns = ("blocks of articles, %", "precision", "recall", "pages without an error")
    show([Tabulated(head, cells), Tabulated(columns, shares)], rows)
