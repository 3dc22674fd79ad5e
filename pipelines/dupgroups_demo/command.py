"""`dup-groups demo`: crawl the demo sites, show what was found, and serve it."""

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli import options
from dupgroups.errors import InputError, require_extra

app = typer.Typer()


@app.command("demo")
def demo(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Option(help="Where the demo keeps its documents.", metavar="FOLDER")
    ] = Path("demo"),
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the search page over it, and the sites, until Ctrl+C.")
    ] = False,
    port: options.Port = 8000,
    sites_port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the demo sites.")] = 8091,
) -> None:
    """Crawl seven small news sites on this machine into SQLite, and show the stories that were found.

    Nothing leaves the machine. With --serve the demo is crawled only the first time, and anybody on this
    machine may correct its groups. The exit status is 1 if a group is wrong.

    Examples:

        dup-groups demo

        dup-groups demo --serve
    """
    from dupgroups.cli.serve import serve as serve_page

    with require_extra("scrapy,web", "The demo"):
        import uvicorn  # noqa: F401 - before the crawl, not after it

        from dupgroups_demo.report import crawl_and_report, engine_of
        from dupgroups_demo.server import serve as serve_sites

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be created: {error.strerror or error}") from error
    with serve_sites(sites_port) as sites:
        wrong = 0
        if not serve or not (folder / "news.db").exists():
            wrong = crawl_and_report(folder, sites)
        if serve:
            context.obj = "demo visitor"
            serve_page(context, engine_of(folder), port=port)
    if wrong:
        raise typer.Exit(1)
