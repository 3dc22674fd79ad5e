"""`dup-groups extract`: the article of one page, as the crawl would store it."""

from __future__ import annotations

from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.methods import chosen
from dupgroups.cli.options import ConfigOption, ExtractorOption, JsonOption
from dupgroups.cli.output import plain, print_json, stdout
from dupgroups.cli.pages import PAGE, load

SHOWN = ("title", "author", "date", "language", "site", "url", "image")


@app.command("extract")
def extract(
    page: Annotated[str, typer.Argument(help=PAGE)],
    url: Annotated[str | None, typer.Option(help="The URL that the file was downloaded from.")] = None,
    extractor: ExtractorOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the article of a page: headline and other data, the confidence that it is one, and the text.

    Examples:

        dup-groups extract https://example.org/news/1.html

        dup-groups extract saved.html --url https://example.org/1.html --json

        curl https://example.org/news/1.html | dup-groups extract -
    """
    from dupgroups.method_set import MethodSet

    methods = MethodSet(chosen(config, extractor, None, None))
    content = methods.extract(load(page, url))
    if as_json:
        print_json(content)
        return
    console = stdout()
    for name in SHOWN:
        if value := getattr(content, name):
            console.print(f"{name}: {plain(value)}", soft_wrap=True)
    console.print(f"article: {content.article:.2f}\n" if content.text else "(no article found)")
    console.print("\n".join(map(plain, content.text.split("\n"))), soft_wrap=True)
