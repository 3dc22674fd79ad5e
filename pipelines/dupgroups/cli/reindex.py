"""`dup-groups reindex`: make stored documents findable as new ones are."""

from __future__ import annotations

from contextlib import closing

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import count, existing
from dupgroups.cli.options import ConfigOption, EngineOption, JsonOption
from dupgroups.cli.output import print_json, print_rejected
from dupgroups.cli.progress import bar
from dupgroups.text.counted import counted


@app.command("reindex")
def reindex(engine: EngineOption = None, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Rebuild the search terms of all documents, for example after an upgrade of the stemmer.

    Worth it after an upgrade of the stemmer or of the Chinese dictionary. Groups stay as they are. Safe to
    repeat, to interrupt, and to run beside a crawl. The exit status is 1 if the engine refused a document.
    Example:

        dup-groups reindex --engine sqlite:///news.db
    """
    from dupgroups.flow.reindex import reindex as write_again

    with closing(existing(engine, config)) as opened:
        with bar("writing", count(opened)) as advance:
            written = write_again(opened, advance)
        opened.refresh()
    if as_json:
        print_json(written)
    else:
        typer.echo(f"{counted(written.documents, 'document')} written again")
        print_rejected(written.failures)
    if written.failures:
        raise typer.Exit(1)
