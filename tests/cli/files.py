"""Files of documents in every format, made for the tests of commands that read them."""

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from dupgroups.model import Page
from stories import round_up, story

QUAY = Page(id="a", title="The quay", text=story("a"), url="https://first.example/1")
ROUND_UP = Page(id="all", text=round_up(), url="https://all.example/1")
"""A story, and a page that has most of it and two others."""

FORMATS = "jsonl jsonl.gz csv csv.gz tsv parquet".split()


def table(rows: Sequence[Mapping[str, Any]], ending: str) -> bytes:
    """The rows in the format of a file name with this ending."""
    kind, _, compression = ending.partition(".")
    data = {"jsonl": _jsonl, "csv": _csv, "tsv": _csv, "parquet": _parquet}[kind](rows, kind)
    return {"": bytes, "gz": gzip.compress}[compression](data)


def _jsonl(rows: Sequence[Mapping[str, Any]], kind: str) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _csv(rows: Sequence[Mapping[str, Any]], kind: str) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if kind == "tsv" else ",")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def _parquet(rows: Sequence[Mapping[str, Any]], kind: str) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(rows)), file)
    return file.getvalue()


def html(text: str, title: str = "") -> bytes:
    """A page with a headline and the paragraphs of a text."""
    paragraphs = text.replace("\n", "</p><p>")
    head = f"<head><title>{title}</title></head>"
    return f"<html>{head}<body><article><p>{paragraphs}</p></article></body></html>".encode()
