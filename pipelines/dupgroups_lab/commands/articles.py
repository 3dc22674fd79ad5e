"""`dup-groups train articles` and `evaluate articles`: the tree that separates articles from other pages."""

import json
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.files import check_place
from dupgroups.cli.options import option
from dupgroups.cli.progress import working
from dupgroups.text.counted import count_noun
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.lab_options import PacksArgument
from dupgroups_lab.commands.printed_tables import show
from dupgroups_lab.commands.train import FOLDS, train, write
from dupgroups_lab.measures.tabulated import Tabulated


@train.command("articles")
def train_articles(
    packs: PacksArgument,
    out: Annotated[Path, option(options.OUT_HELP, "FILE.json")] = Path("article_tree.json"),
) -> None:
    """Train the C4.5 tree that separates articles from other pages, and print it.

    The packs need page types. Example:

        dup-groups train articles newstype-en --out article_tree.json
    """
    from dupgroups_lab.labels.labelled_pages import PAGES
    from dupgroups_lab.training import train_article_tree

    check_place(out, *(pack / PAGES for pack in packs))
    with working("training"):
        cases = [train_article_tree.case_of(page) for page in train_article_tree.read_typed(packs)]
        root = train_article_tree.train(cases).root
    typer.echo(root)
    sites = count_noun(len({case.site for case in cases}), "site")
    learned = f"a tree from {count_noun(len(cases), 'page')} of {sites}"
    write(out, json.dumps(root.to_json(), indent=1) + "\n", learned)


@evaluate.command("articles")
def evaluate_articles(
    packs: PacksArgument,
    trials: Annotated[
        int, option("Number of cross-validations, each with different folds.", "NUMBER", min=1)
    ] = 20,
    folds: Annotated[int, option(FOLDS, "NUMBER", min=2)] = 10,
    as_json: options.Json = False,
) -> None:
    """Cross-validate the tree that separates articles from other pages, with and without link features.

    Prints the F1 of "article" over random folds, as in Standke's experiment, and with every site left out in
    turn: on all pages, and on those of sites with pages of both types, because on the others it is enough to
    recognise the site. Links are counted as absolute URLs, and as they are written. The packs need page
    types. Example:

        dup-groups evaluate articles newstype-en --trials 5
    """
    from dupgroups.content.article_methods import article_score
    from dupgroups.model import Page
    from dupgroups_lab.papers import standke
    from dupgroups_lab.training import train_article_tree

    rows = []
    with working("cross-validating"):
        pages = train_article_tree.read_typed(packs)
        for links in ("absolute", "as written"):
            cases = [train_article_tree.case_of(page, resolved=links == "absolute") for page in pages]
            for name, chosen in standke.selections(cases).items():
                rows.append((f"{name}, {links}", *standke.compare_cells(chosen, trials, folds)))
        auto = [article_score(Page(url=page.url, html=page.html)) >= 0.5 for page in pages]
    rows.append(("auto, as shipped", str(len(pages)), f"{standke.f1(cases, auto):.3f}", *"----"))
    tried, site = f"{trials} x {folds} folds", "site left out"
    columns = ("pages", tried, f"{tried}, with links", "gain of the links", site, f"{site}, with links")
    show([Tabulated(("article or not, F1: pages, links", *columns), rows)], None, as_json)
