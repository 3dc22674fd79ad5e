"""Arrays in a file of NumPy's npz format: written completely or not at all, and read without pickle."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError

T = TypeVar("T")

_MAX_RATIO = 100  # highest ratio by which our arrays can be compressed
_SMALL = 1_000_000  # bytes to which any file may unpack


def save(path: Path, arrays: Mapping[str, Any], *, compressed: bool = True) -> None:
    """Replace the file with one of these arrays, atomically. Raises OSError, and then keeps the old file."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            (np.savez_compressed if compressed else np.savez)(file, allow_pickle=False, **arrays)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read(path: str | Path, what: str, make: Callable[[dict[str, NDArray[Any]]], T]) -> T:
    """The result of `make` for the arrays of a file.

    Raises ConfigError, which calls the file `what`, when the file cannot be read, when it claims more than it
    holds, or when `make` raises anything.
    """
    try:
        _check_sizes(Path(path))
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


def _check_sizes(path: Path) -> None:
    """Raise ValueError for arrays that claim to be longer than the file: NumPy allocates before it reads."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        unpacked = sum(member.file_size for member in members)
        if unpacked > max(_SMALL, _MAX_RATIO * path.stat().st_size):
            raise ValueError("its arrays unpack to more than they can hold")
        for member in members:
            with archive.open(member) as file:
                if np.lib.format.read_magic(file) != (1, 0):
                    raise ValueError("its arrays have an unsupported version")
                shape, _, dtype = np.lib.format.read_array_header_1_0(file)
                if math.prod(shape) * dtype.itemsize != member.file_size - file.tell():
                    raise ValueError("its arrays are not as long as they say")
