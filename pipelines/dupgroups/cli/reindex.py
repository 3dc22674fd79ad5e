"""`dup-groups reindex`: make stored documents findable as new ones are."""

from __future__ import annotations

from contextlib import closing

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import existing
from dupgroups.cli.options import ConfigOption, EngineOption, JsonOption
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import bar

SHOWN = 10  # refused documents that are listed


@app.command("reindex")
def reindex(engine: EngineOption = None, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Write every document again as it is, so that searches find its words as they are cut and stemmed now.

    Worth it after an upgrade of the stemmer or of the Chinese dictionary. Groups stay as they are. Safe to
    repeat, to interrupt, and to run beside a crawl. The exit status is 1 if the engine refused a document.
    Example:

        dup-groups reindex --engine sqlite:///news.db
    """
    from dupgroups.flow.reindex import reindex as write_again
    from dupgroups.model import Query
    from dupgroups.text.counted import counted

    with closing(existing(engine, config)) as opened:
        with bar("writing", opened.search(Query(mode="all", limit=0)).documents) as advance:
            written = write_again(opened, advance)
        opened.refresh()
    if as_json:
        print_json(written)
    else:
        stdout().print(f"{counted(written.documents, 'document')} written again")
        for id_, reason in list(written.failures.items())[:SHOWN]:
            stdout().print(f"rejected {id_}: {reason}", style="red", soft_wrap=True)
    if written.failures:
        raise typer.Exit(1)
