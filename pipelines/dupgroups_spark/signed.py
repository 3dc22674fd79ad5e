"""From the documents of a frame to their signatures, on the executors."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody names it
from pyspark.sql import types as T  # noqa: N812

from dupgroups.bulk.offline.corpus import Columns
from dupgroups.errors import InputError
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.model import Document, Page
from dupgroups.model.config import BUILT_IN, Config
from dupgroups.text.batches import batches
from dupgroups.text.document_like import as_page
from dupgroups.text.facts import add_title

SIGNED_COLUMNS = {
    "id": "string",
    "age": "bigint",
    "host": "string",
    "scheme": "string",
    "keys": "array<bigint>",
    "body": "binary",
    "published": "bigint",
    "length": "int",
    "canonical": "boolean",
    "text": "string",
}
"""The columns of signed documents, and their types."""

NEWEST_AGE = (1 << 63) - 1  # the age of a document that has none
BATCH_DOCUMENTS = 256  # documents that are signed together
AGE = "__age"  # no field of a document has this name

_WHOLE_NUMBER_TYPES = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_TIMES = (T.DateType, T.TimestampType, T.TimestampNTZType)
_TYPES: Mapping[str, tuple[type[T.DataType], ...]] = {
    "id": (T.StringType, *_WHOLE_NUMBER_TYPES),
    "text": (T.StringType,),
    "html": (T.StringType, T.BinaryType),
    "title": (T.StringType,),
    "url": (T.StringType,),
    "date": (T.StringType, *_TIMES),
    "language": (T.StringType,),
    "encoding": (T.StringType,),
}


def sign(frame: DataFrame, config: Config | None = None, *, order: str | None = None) -> DataFrame:
    """The signatures of documents, a row for each row of `frame`; `group` takes them instead of the texts.

    `frame` has `html` or `text` (html counts where a row has both), and may have `id`, `url`, `title`,
    `date`, `language`, `encoding`, and the fields of `Config.group_by`; other columns are passed over. A
    document without an id is named by its URL, one without either by a digest of its text; one without text
    gets an empty signature, which matches nothing. `order` names a column of whole numbers, dates or
    timestamps: the smallest is the oldest document, null the newest; without it all are equally old.

    The rows have `id`, `age` (from `order`), `host`, and the signature: `scheme`, `keys` (numbers) and
    `body`; besides `published` (minutes since 1970, null if unknown), `length` (characters), `canonical`, and
    `text`, which is compared where signatures leave a pair in doubt.
    Nothing is signed before the result is read; an empty frame gives an empty one. Raises InputError for
    columns that are missing or of another type.
    """
    config = config or Config()
    if not isinstance(frame, DataFrame):
        raise InputError(f"documents must be a DataFrame of Spark, not {type(frame).__name__}")
    rows = frame.select(*_fields(frame, config), _age(frame, order).alias(AGE))
    return rows.mapInArrow(partial(_sign_tables, config), ", ".join(map(" ".join, SIGNED_COLUMNS.items())))


def _fields(frame: DataFrame, config: Config) -> list[Column]:
    """The columns that signing reads. Raises InputError for those that it cannot read."""
    if not {"text", "html"} & set(frame.columns):
        raise InputError(
            f"there is no column text or html (columns: {', '.join(frame.columns)}): rename yours"
        )
    scopes = [name for name in config.group_by if name not in (*BUILT_IN, *_TYPES)]
    scopes = [name for name in scopes if name in frame.columns]
    return [*(_field(frame, name) for name in _TYPES if name in frame.columns), *map(column, scopes)]


def _field(frame: DataFrame, name: str) -> Column:
    kind = type_of(frame, name, *_TYPES[name])
    if name == "id":
        return column(name).cast("string").alias(name)
    if name == "date" and isinstance(kind, _TIMES):
        shape = "yyyy-MM-dd" if isinstance(kind, T.DateType) else "yyyy-MM-dd'T'HH:mm:ss"
        return F.date_format(column(name), shape).alias(name)
    return column(name)


def _age(frame: DataFrame, order: str | None) -> Column:
    if order is None:
        return F.lit(0).cast("bigint")
    if order not in frame.columns:
        raise InputError(f"there is no column {order} to order by (columns: {', '.join(frame.columns)})")
    kind = type_of(frame, order, *_WHOLE_NUMBER_TYPES, *_TIMES)
    value = (
        F.expr(f"unix_micros(cast(`{order}` as timestamp))") if isinstance(kind, _TIMES) else column(order)
    )
    return F.coalesce(value.cast("bigint"), F.lit(NEWEST_AGE))


def column(name: str) -> Column:
    """The column of this very name, which may have dots in it."""
    return F.col(f"`{name}`")


def type_of(frame: DataFrame, name: str, *allowed: type[T.DataType]) -> T.DataType:
    """The type of a column. Raises InputError for another one than these."""
    kind = frame.schema[name].dataType
    if not isinstance(kind, allowed):
        types = " or ".join(type_().simpleString() for type_ in allowed)
        raise InputError(f"column {name} is {kind.simpleString()}, and must be {types}: cast it")
    return kind


# -- on the executors


def _sign_tables(config: Config, tables: Iterator[Any]) -> Iterator[Any]:
    methods = MethodSet(config)
    for table in tables:
        for rows in batches(table.to_pylist(), BATCH_DOCUMENTS):
            documents = sign_all([_page(row, config) for row in rows], methods)
            yield _table(documents, [row[AGE] for row in rows])


def _page(row: dict[str, Any], config: Config) -> Page:
    """The page of a row, of which html counts before text, as where `dup-groups group` reads a file."""
    page = as_page({**row, "text": None if row.get("html") else row.get("text") or ""}, config.group_by)
    return replace(page, id=page.id or page.url)


def _table(documents: list[Document], ages: list[int]) -> Any:
    records = [document.record for document in documents]
    columns = Columns.of(records)
    offsets = pa.array([0, *columns.counts.cumsum()], pa.int32())
    arrays = [
        pa.array(columns.ids),
        pa.array(ages, pa.int64()),
        pa.array(columns.hosts),
        pa.array(columns.schemes),
        pa.ListArray.from_arrays(offsets, pa.array(columns.keys.view("int64"))),
        pa.array([record.signature.body for record in records], pa.binary()),
        pa.array([record.published for record in records], pa.int64()),
        pa.array([record.length for record in records], pa.int32()),
        pa.array([record.canonical for record in records]),
        # without lone surrogates, which Arrow refuses
        pa.array([add_title(one.content).encode("utf-8", "replace").decode() for one in documents]),
    ]
    return pa.RecordBatch.from_arrays(arrays, list(SIGNED_COLUMNS))
