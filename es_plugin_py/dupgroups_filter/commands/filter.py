"""`dup-groups filter`: group what any writer writes, from between the writer and the cluster."""

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.engine import name_of, settings_of
from dupgroups.cli.output import url_host
from dupgroups.errors import InputError, require_extra

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("filter")
def filter_(
    engine: options.Engine = None,
    listen: Annotated[
        str,
        typer.Option(
            help="Address for the writers; they use it in place of the cluster's.", metavar="HOST:PORT"
        ),
    ] = "127.0.0.1:9201",
    fields: options.Fields = None,
    node: Annotated[
        list[str] | None,
        typer.Option(help="Another node of the cluster, used in turn (repeatable).", metavar="HOST:PORT"),
    ] = None,
    group: Annotated[
        bool,
        typer.Option(
            "--group/--no-group", help="Group the documents too, or leave that to `dup-groups follow`."
        ),
    ] = True,
    tls_cert: Annotated[
        Path | None, typer.Option(help="Certificate to speak TLS with, as PEM.", metavar="FILE")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The key of the certificate.", metavar="FILE")] = None,
    reuse_port: Annotated[
        bool, typer.Option("--reuse-port", help="Let a new filter listen before the old one ends.")
    ] = False,
    not_article: options.NotArticle = None,
    config: options.ConfigFile = None,
) -> None:
    """Sign the documents that other tools write through this port, and group them.

    Every request goes to the cluster at once, with its own credentials, and is answered by the cluster. The
    documents that are written into the index of --engine get the `dup_` fields on their way; behind it, the
    copies among them come into their group within about a second. Everything else passes as it is. A name
    with a * stands for every index that matches, now or later, and an alias for the indices behind it; all of
    them are grouped as one. SIGTERM ends it after the requests that have begun; SIGHUP reads the certificate
    again. Several filters run with --no-group next to one `dup-groups follow`. Examples:

        dup-groups filter --engine opensearch://search1:9200/news --fields text=body

        dup-groups filter --engine 'opensearch://search1:9200/news-*'

        dup-groups filter --engine URL --node search2:9200
    """
    with require_extra("filter", "The filter", "aiohttp", "multidict", "yarl"):
        from dupgroups_filter.filter_server import run, serve
    from dupgroups.model.field_names import Fields
    from dupgroups_filter.filter_options import FilterOptions

    host, port = address(listen, "--listen")
    for other in node or ():
        address(other, "--node")
    chosen = FilterOptions(
        engine,
        Fields().with_names(fields) if fields else None,
        options.skipping(settings_of(config), not_article),
        others=tuple(node or ()),
        group=group,
        certificate=str(tls_cert) if tls_cert else None,
        key=str(tls_key) if tls_key else None,
        shares_port=reuse_port,
    )

    def announce(port: int) -> None:
        address = f"{'https' if tls_cert else 'http'}://{url_host(host)}:{port}"
        typer.echo(f"Filter: {address} in front of {name_of(engine, config)} (Ctrl+C stops it)")

    run(serve(chosen, host, port, announce))


def address(text: str, option: str) -> tuple[str, int]:
    """Host and port. Raises InputError for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise InputError(f"{option} {text} is not an address: write HOST:PORT, such as 127.0.0.1:9201")
    return host.strip("[]"), int(port)
