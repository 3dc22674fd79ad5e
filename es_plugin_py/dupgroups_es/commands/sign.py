"""`dup-groups sign`: sign documents in a stream, where no filter can stand."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from dupgroups.cli import options
from dupgroups.cli.engine import settings_of
from dupgroups.cli.output import stderr

if TYPE_CHECKING:
    from dupgroups.model.field_names import Fields
    from dupgroups_es.document_signer import DocumentSigner

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)

PIECE_BYTES = 262_144  # bytes that are read at most before they are signed


@app.command("sign")
def sign(
    fields: options.Fields = None, not_article: options.NotArticle = None, config: options.ConfigFile = None
) -> None:
    """Add the `dup_` fields to documents, one JSON object a line from standard input to standard output.

    For Logstash, Vector, Kafka consumers and cron: documents are signed before they are written, and
    `dup-groups follow` then only has to group them. Every line comes out, in its order, as soon as it is
    read; what is not an object, or has no text or no id, comes out as it is and is counted at the end. The id
    must be the one that the document gets. Example:

        cat docs.ndjson | dup-groups sign --fields id=url,text=body > signed.ndjson
    """
    from dupgroups.bulk.inputs.page_reader import PARTS
    from dupgroups.model.field_names import Fields
    from dupgroups_es.document_signer import DocumentSigner

    names = Fields().with_names(fields, PARTS) if fields else Fields()
    signer = DocumentSigner(names, options.skipping(settings_of(config), not_article))
    out, rest, counts = sys.stdout.buffer, list[bytes](), Counter[str]()
    while piece := sys.stdin.buffer.read1(PIECE_BYTES):  # type: ignore[union-attr]
        lines, newline, begun = piece.rpartition(b"\n")
        if newline:
            signed = _sign(b"".join([*rest, lines]).split(b"\n"), signer, names, counts)
            out.write(b"".join(line + b"\n" for line in signed))
            out.flush()
            rest.clear()
        rest.append(begun)
    out.write(b"".join(_sign([b"".join(rest)] if any(rest) else [], signer, names, counts)))
    out.flush()
    stderr().print(f"{counts['signed']:,} signed, {counts['passed']:,} passed as they are")


def _sign(
    lines: Sequence[bytes], signer: DocumentSigner, fields: Fields, counts: Counter[str]
) -> list[bytes]:
    """The lines in their order, and counted; those that cannot be signed are as they were."""
    from dupgroups.engines.external_fields import value_of
    from dupgroups_es.document_signer import signed_text

    documents = [_document(line) for line in lines]
    ids = [value_of(document, fields.id) for document in documents]
    due = [number for number, id_ in enumerate(ids) if id_ and signer.has_text(documents[number])]
    records = signer.records([signer.page(str(ids[number]), documents[number]) for number in due])
    signed = [*lines]
    for number, record in zip(due, records, strict=True):
        text = signed_text(lines[number].decode("utf-8-sig"), documents[number], record)
        signed[number] = text.encode("utf-8", "surrogatepass")
    counts.update(signed=len(due), passed=len(lines) - len(due))
    return signed


def _document(line: bytes) -> Mapping[str, Any]:
    """The object of a line; {} for anything else."""
    try:
        document = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
