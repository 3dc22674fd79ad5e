"""`dup-groups doctor`: check the engine, and say what to do about problems."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing, remove_made, settings_of, url_of
from dupgroups.cli.options import option
from dupgroups.cli.output import print_checks, print_json, stdout
from dupgroups.cli.progress import working
from dupgroups.engines import Engine
from dupgroups.errors import EngineError, MissingIndexError
from dupgroups.model import Check
from dupgroups.text.counted import count_noun


@commands.command("doctor")
def doctor(
    engine: options.Engine = None,
    deep: Annotated[
        bool, option("Read every document, and check every rule of the groups.", name="--deep")
    ] = False,
    remove: Annotated[
        bool, option("Delete what dup-groups has made: files and indices.", name="--remove")
    ] = False,
    yes: options.Yes = False,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Check an engine: server, client, mapping, documents without a group, signatures, refresh, blocks.

    --remove checks nothing: it lists what dup-groups has made and, once you confirm, deletes it: a SQLite
    file, an index of ours with all documents, or, of an index of other tools, the small indices beside it,
    with the former names of groups and the corrections. Stop all other dup-groups processes first. Documents
    of other tools keep our fields; `dup-groups backfill --undo` takes those back before.

    The exit status is 1 if there is a problem. Examples:

        dup-groups doctor --engine opensearch://localhost:9200/news

        dup-groups doctor --engine sqlite:///news.db --deep

        dup-groups doctor --engine opensearch://localhost:9200/articles --remove
    """
    options.check_alone("--remove", remove, {"--deep": deep, "--json": as_json})
    if remove:
        with closing(existing(engine, config)) as opened:
            if not remove_made(opened, url_of(engine, config), yes=yes):
                raise typer.Exit(1)
        return
    from dupgroups.bulk.audit import audit

    with closing(existing(engine, config)) as opened:
        checks = opened.check()
        try:
            checks += [_signatures(opened, config), _frames(opened)]
        except MissingIndexError:  # the first crawl makes it
            pass
        except EngineError as error:  # of an index that is not ours its checks say so
            if error.temporary:
                raise
        if deep and all(check.ok for check in checks):
            with working("reading every document"):
                checks += audit(opened, settings_of(config))
        name = opened.name
    if as_json:
        print_json({"engine": name, "checks": checks})
    else:
        stdout().print(name, style="italic")
        print_checks(checks)
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


def _frames(engine: Engine) -> Check:
    from dupgroups.flow.frame_log import list_frames

    count = len(list_frames(engine.corrections(fresh=True)))
    told = f"{count_noun(count, 'entry', 'entries')} of the log: `dup-groups frames` lists them"
    return Check("frames", True, told if count else "no text is known that several different stories have")


def _signatures(engine: Engine, config: Path | None) -> Check:
    """Check for documents that other methods signed: they are never compared with new documents."""
    from dupgroups.flow.method_set import MethodSet

    count = engine.count_outdated(MethodSet(settings_of(config)).schemes)
    if not count:
        return Check("signatures", True, "every document is signed by the current methods")
    be, them = ("is", "it") if count == 1 else ("are", "them")
    option = "" if config else " (with --config FILE if the crawl configures its methods)"
    detail = (
        f"{count_noun(count, 'document')} {be} signed by other methods: `dup-groups backfill` signs {them} "
        f"again{option}"
    )
    return Check("signatures", False, detail)
