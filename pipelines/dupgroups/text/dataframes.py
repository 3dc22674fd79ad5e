"""Frames and series of pandas and polars as documents, and results in their form. Neither is imported: what
has their methods is taken for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dupgroups.errors import InputError
from dupgroups.text.values import is_missing, names_of, read_part, value_at

RESULT = "dup_group"  # the name of a series of results


@dataclass(frozen=True)
class Table:
    """A frame or a series. `rows` are mappings, or the values of a series; `keys` the labels of the index, or
    the positions of what has none; `columns` is None for a series. `result` makes a series of results, with
    the same index, from a value for each row.
    """

    rows: list[Any]
    keys: list[Any]
    columns: Sequence[str] | None
    result: Callable[[list[Any]], Any]

    def check(self, names: Mapping[str, str]) -> None:
        """Raise InputError if it has no column for the text, lacks one of `names`, or repeats its labels."""
        if self.columns is not None:
            there = [column for column in self.columns if isinstance(column, str)]
            missing = [name for name in names.values() if name.partition(".")[0] not in there]
            contents = (name for part in ("html", "text") for name in names_of(part, names.get(part, part)))
            if missing or not any(name.partition(".")[0] in there for name in contents):
                what = f"no column {missing[0]!r}" if missing else "neither a column 'text' nor 'html'"
                columns = ", ".join(there) or "none"
                raise InputError(f"the frame has {what} (columns: {columns}): name yours, such as text=...")
        has_ids = any(name in (self.columns or ()) for name in names_of("id", names.get("id", "id")))
        if len(set(self.keys)) < len(self.keys) and not has_ids:
            raise InputError("the index has a label twice: reset_index() first, or name a column of ids")

    def fill_texts(self, names: Mapping[str, str]) -> list[Any]:
        """The rows, of which those without text have an empty one: so each of them gets a result."""
        if self.columns is None:
            return ["" if is_missing(row) else row for row in self.rows]
        name = names.get("text", "text")
        return [
            {**row, name: ""} if is_missing(read_part(partial(value_at, row), "text", name)) else row
            for row in self.rows
        ]


def table_of(value: Any) -> Table | None:
    """Read a frame or a series; None for anything else. Raises InputError for one that is lazy."""
    if hasattr(value, "collect_schema") and not hasattr(value, "to_dicts"):
        raise InputError("a LazyFrame has no rows yet: call its .collect() first")
    if hasattr(value, "to_frame") and hasattr(value, "to_list"):
        rows, columns, like = value.to_list(), None, value
    elif hasattr(value, "columns") and hasattr(value, "to_dicts"):  # of polars
        rows, columns, like = value.to_dicts(), value.columns, value.to_series
    elif hasattr(value, "columns") and hasattr(value, "to_dict") and hasattr(value, "index"):
        rows, columns, like = value.to_dict("records"), list(value.columns), value.index.to_series
    else:
        return None
    index = getattr(value, "index", None)

    def result(values: list[Any]) -> Any:
        kind = type(like() if columns else like)
        return kind(RESULT, values) if index is None else kind(values, index=index, name=RESULT)

    return Table(rows, [*range(len(rows))] if index is None else index.to_list(), columns, result)
