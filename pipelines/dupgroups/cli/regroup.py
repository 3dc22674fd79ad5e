"""`dup-groups regroup`: bring together what several writers, or the death of one, left apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import count, existing_deduper
from dupgroups.cli.output import print_json
from dupgroups.cli.progress import bar, working
from dupgroups.engines import Engine
from dupgroups.model import Record
from dupgroups.text.batches import batches
from dupgroups.text.counted import count_noun

if TYPE_CHECKING:
    from dupgroups.flow.deduper import Deduper, Settled

MAIN_COPIES = "main copies"  # the check of a cluster that finds groups without their main copy
BATCH_DOCUMENTS = 200  # documents that are looked at together


@commands.command("regroup")
def regroup(
    engine: options.Engine = None,
    everything: options.All = False,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Put the groups right after crawlers that ran at the same time, or that died.

    Two crawlers may each store a copy of a story before the index shows them the other's. Every crawl looks
    again at its end; this command does it for crawls that did not finish. Use --all after a change of the
    configuration: it looks at everything again, and chooses every main copy anew. It does so without --all,
    too, if something else deleted main copies. Safe to repeat and to interrupt. Examples:

        dup-groups regroup --engine opensearch://localhost:9200/news

        dup-groups regroup --engine sqlite:///news.db --all
    """
    with existing_deduper(engine, config) as (opened, deduper):
        if everything or any(check.name == MAIN_COPIES and not check.ok for check in opened.check()):
            settled = _regroup_all(opened, deduper)
        else:
            with working("regrouping"):
                settled = deduper.regroup()
    if as_json:
        print_json(settled)
        return
    merged, moved = count_noun(settled.groups, "group"), count_noun(settled.regrouped, "document")
    looked = count_noun(settled.documents, "document")
    heads = f", {count_noun(settled.elected, 'group')} with another main copy" if settled.elected else ""
    typer.echo(f"{looked} looked at again: {merged} merged, {moved} moved to another group{heads}")


def _regroup_all(engine: Engine, deduper: Deduper) -> Settled:
    def records() -> Iterator[list[Record]]:
        for batch in batches((document.record.id for document in engine.scan()), BATCH_DOCUMENTS):
            yield list(engine.get(batch).values())
            advance(len(batch))

    with bar("regrouping", count(engine)) as advance:
        settled = deduper.regroup(records())
        engine.count_stories()
        return settled
