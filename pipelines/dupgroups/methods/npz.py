"""Arrays in a file of NumPy's npz format: written completely or not at all, and read without pickle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError

T = TypeVar("T")


def save(path: Path, arrays: Mapping[str, Any]) -> None:
    """Replace the file with one of these arrays, atomically. Raises OSError, and then keeps the old file."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read(path: str | Path, what: str, make: Callable[[dict[str, NDArray[Any]]], T]) -> T:
    """The result of `make` for the arrays of a file.

    Raises ConfigError, which calls the file `what`, when the file cannot be read, or when `make`
    raises anything.
    """
    try:
        with np.load(Path(path), allow_pickle=False) as file:
            return make(dict(file))
    except Exception as error:  # zipfile, zlib, numpy and json have no common error class for damaged files
        reason = error.strerror if isinstance(error, OSError) else None
        reason = reason or f"it is not a file of {what}; `dup-groups frequencies` writes one"
        raise ConfigError(f"{what}: cannot read {str(path)!r}: {reason}") from error


def column(values: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """The array, checked: raises ValueError unless it is one-dimensional, TypeError unless of this type."""
    if values.ndim != 1:
        raise ValueError("its arrays are not one-dimensional")
    return values.astype(kind, casting="equiv", copy=False)
