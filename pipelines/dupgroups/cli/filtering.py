"""`dup-groups filter`: group what any writer writes, between the writer and the cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import name_of
from dupgroups.cli.options import (
    ConfigOption,
    DateField,
    EngineOption,
    HtmlField,
    LanguageField,
    TextField,
    TitleField,
    UrlField,
)
from dupgroups.errors import InputError, MissingExtraError


@app.command("filter")
def filter_(
    engine: EngineOption = None,
    listen: Annotated[
        str,
        typer.Option(
            help="Address for the writers; they use it in place of the cluster's.", metavar="HOST:PORT"
        ),
    ] = "127.0.0.1:9201",
    text_field: TextField = "text",
    html_field: HtmlField = "",
    title_field: TitleField = "title",
    url_field: UrlField = "url",
    date_field: DateField = "date",
    language_field: LanguageField = "language",
    patience: Annotated[
        float,
        typer.Option(
            min=0.01,
            help="Seconds to wait for the groups of documents; then they are written without.",
            metavar="SECONDS",
        ),
    ] = 2.0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Answer 503 instead of writing documents without groups.")
    ] = False,
    max_body: Annotated[
        int, typer.Option(min=1, help="Largest body that is filtered, in bytes.", metavar="BYTES")
    ] = 100_000_000,
    config: ConfigOption = None,
) -> None:
    """Group documents while other tools write them: they write to this port in place of the cluster's.

    Documents that are written into the index of --engine get `dup_group` in the same write. Everything else
    is passed on as it is. A name with a * stands for every index that matches, now or later, and an alias for
    the indices behind it; each has groups of its own. SIGTERM ends it, after the requests that have begun.
    Examples:

        dup-groups filter --engine opensearch://localhost:9200/articles

        dup-groups filter --engine 'opensearch://localhost:9200/articles-*'

        dup-groups filter --engine URL --listen 0.0.0.0:9201 --html-field html
    """
    import asyncio

    try:
        from dupgroups.filtering.serve import serve
    except ModuleNotFoundError as error:
        if error.name not in ("aiohttp", "multidict", "yarl", "prometheus_client"):
            raise
        raise MissingExtraError("filter", "The filter") from error
    from dupgroups.config import Config, from_toml
    from dupgroups.engines.foreign import Fields
    from dupgroups.filtering.options import Options

    host, port = _address(listen)
    names = (text_field, html_field, title_field, url_field, date_field, language_field)
    text, html, title, url, date, language = (name or None for name in names)
    options = Options(
        engine,
        Fields(text, html, title, url, date, language),
        from_toml(config) if config else Config(),
        patience,
        strict,
        max_body,
    )

    def announce(port: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        typer.echo(f"Filter: http://{shown}:{port} in front of {name_of(engine, config)} (Ctrl+C stops it)")

    asyncio.run(serve(options, host, port, announce))


def _address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise InputError(f"--listen {listen} is no address: write HOST:PORT, such as 127.0.0.1:9201")
    return host.strip("[]"), int(port)
