"""`dup-groups reindex`: make documents that an earlier version stored findable as new ones are."""

from __future__ import annotations

from contextlib import closing

from dupgroups.cli.console import app
from dupgroups.cli.engine import existing
from dupgroups.cli.options import ConfigOption, EngineOption, JsonOption
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import bar


@app.command("reindex")
def reindex(engine: EngineOption = None, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Write every document again as it is, so that searches find other forms of its words, and phrases.

    `doctor` says when this is needed: after an upgrade to a version that stores more about words. Groups stay
    as they are. Safe to repeat, to interrupt, and to run beside a crawl. Example:

        dup-groups reindex --engine sqlite:///news.db
    """
    from dupgroups.model import Query
    from dupgroups.reindex import reindex as write_again
    from dupgroups.web.wording import counted

    with closing(existing(engine, config)) as opened:
        with bar("writing", opened.search(Query(mode="all", limit=0)).documents) as advance:
            written = write_again(opened, advance)
        opened.refresh()
    if as_json:
        print_json({"documents": written})
    else:
        stdout().print(f"{counted(written, 'document')} written again")
