"""`dup-groups extract`: the article of one page, as the crawl would store it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.methods import ExtractorOption, MethodsFile, chosen
from dupgroups.cli.pages import load
from dupgroups.cli.search import plain

SHOWN = ("title", "author", "date", "language", "site", "url", "image")


@app.command("extract")
def extract(
    page: Annotated[str, typer.Argument(help="A file (html or plain text) or a URL.")],
    url: Annotated[str | None, typer.Option(help="The URL that the file was downloaded from.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    extractor: ExtractorOption = None,
    config: MethodsFile = None,
) -> None:
    """Print the article of a page: headline and other data, the confidence that it is one, and the text.

    Examples:

        dup-groups extract https://example.org/news/1.html

        dup-groups extract saved.html --url https://example.org/news/1.html --extractor mss --json
    """
    from rich.console import Console

    from dupgroups.method_set import MethodSet

    methods = MethodSet(chosen(config, extractor, None, None))
    content = methods.extract(load(page, url))
    if as_json:
        typer.echo(json.dumps(asdict(content), ensure_ascii=False))
        return
    console = Console(highlight=False, markup=False)
    for name in SHOWN:
        if value := getattr(content, name):
            console.print(f"{name}: {plain(value)}", soft_wrap=True)
    console.print(f"article: {content.article:.2f}\n" if content.text else "(no article found)")
    console.print("\n".join(map(plain, content.text.split("\n"))), soft_wrap=True)
