"""`dup-groups serve`: the search page."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing, name_of, settings_of
from dupgroups.cli.options import option
from dupgroups.cli.output import stderr, url_host
from dupgroups.errors import InputError, require_extra

_EXTRA = ("uvicorn", "starlette", "itsdangerous", "jinja2", "babel")


@commands.command("serve")
def serve(
    context: typer.Context,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8000,
    allow_host: options.AllowHost = None,
    token_file: Annotated[
        Path | None,
        option(
            "File of `NAME TOKEN` lines; a token unlocks corrections on the page.",
            "FILE",
            name="--token-file",
            envvar="DUPGROUPS_TOKEN_FILE",
        ),
    ] = None,
) -> None:
    """Serve the search page and its JSON API; Ctrl+C stops it.

    You can start it before the first crawl: the page is empty then, and shows documents when they are stored.
    Everyone who can reach it can read the index, so only this machine can unless you set --host. Correcting
    groups on the page takes a token of --token-file; commands such as `keep-apart` need none.

    Examples:

        dup-groups serve

        dup-groups serve --engine opensearch+https://localhost:9200/news --port 8080
    """
    with require_extra("web", "The search page", *_EXTRA):
        import uvicorn

        from dupgroups.web.search_site import create_app
    from dupgroups.engines.lazy import LazyEngine
    from dupgroups.web.security import LOOPBACK
    from dupgroups.web.sessions import Tokens

    local, visitor = host in LOOPBACK, context.obj or ""  # the demo names its visitors
    tokens = Tokens.read(token_file) if token_file else None
    with closing(LazyEngine(lambda: existing(engine, config))) as opened:
        is_there = opened.is_there()  # raises now, not in requests, if the index cannot be searched
        check_free(host, port)
        name = name_of(engine, config)
        typer.echo(f"Search page: http://{url_host(host)}:{port}/ over {name} (Ctrl+C stops it)")
        if visitor:
            typer.echo("Groups can be corrected there: see the buttons on the page of a story.")
        elif not tokens:
            stderr().print("To correct groups there, give --token-file; here: dup-groups keep-apart --help")
        if not is_there:
            stderr().print("Nothing is stored there yet: the page is empty until a crawl begins.")
        if not local:
            stderr().print("Everyone who can reach this address can read the index: reading needs no log-in.")
        hosts = [*LOOPBACK, *(allow_host or ())] if local or allow_host else None
        site = create_app(opened, hosts=hosts, config=settings_of(config), tokens=tokens, visitor=visitor)
        uvicorn.run(site, host=host, port=port, log_level="warning", server_header=False)


def check_free(host: str, port: int) -> None:
    """Raise InputError if the port cannot be used, before the page is announced."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"the page cannot be served: {reason}; choose another --host or --port") from error
