"""`dup-groups sign`: sign documents in a stream, where no filter can stand."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dupgroups.cli.options import (
    ConfigOption,
    FieldsOption,
)
from dupgroups.cli.output import stderr

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)

PIECE = 262_144  # bytes that are read at most before they are signed


@app.command("sign")
def sign(
    bulk: Annotated[
        bool, typer.Option("--bulk", help="The lines are those of a _bulk: actions, and documents.")
    ] = False,
    fields: FieldsOption = None,
    config: ConfigOption = None,
) -> None:
    """Add the `dup_` fields to documents, one JSON object a line from standard input to standard output.

    For Logstash, Vector, Kafka consumers and cron: whatever writes these documents into an index that
    `dup-groups follow` groups, all signing is done before. Every line comes out, in its order, as soon as it
    is read; what is no object, or has no text, comes out as it is and is counted at the end. The
    id must be the one that the document gets; documents without it are signed by the grouper. Examples:

        cat docs.ndjson | dup-groups sign --fields id=url,text=body > signed.ndjson

        dup-groups sign --bulk < bulk.ndjson | curl --json @- URL/articles/_bulk
    """
    from dupgroups.config import Config, from_toml
    from dupgroups.engines.foreign import Fields
    from dupgroups.inputs.documents import PARTS
    from dupgroups_filter.signer import Signer
    from dupgroups_filter.stream import Stream

    names = Fields().renamed(fields, PARTS) if fields else Fields()
    signer = Signer(names, from_toml(config) if config else Config())
    stream, out = Stream(signer, None if bulk else names.id or ""), sys.stdout.buffer
    while piece := sys.stdin.buffer.read1(PIECE):  # type: ignore[union-attr]
        out.write(stream.feed(piece))
        out.flush()
    out.write(stream.finish())
    out.flush()
    stderr().print(f"{stream.signed:,} signed, {stream.passed:,} passed as they are")
