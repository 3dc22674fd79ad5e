"""Arrays in a file of numpy's npz format: written whole or not at all, read without any pickle."""

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

_MOST_PACKED = 100  # times that arrays of ours compress, at most
_SMALL = 1_000_000  # bytes that any file may unpack to


def save(path: Path, arrays: Mapping[str, Any], *, compressed: bool = True) -> None:
    """Write the arrays in place of the file at once. Raises OSError; the file that was there is kept then."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            (np.savez_compressed if compressed else np.savez)(file, allow_pickle=False, **arrays)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read(path: str | Path, what: str, made: Callable[[dict[str, NDArray[Any]]], T]) -> T:
    """What `made` makes of the arrays of a file. Raises ConfigError, which names the file as `what`, for one
    that cannot be read, that claims more than it holds, or of which `made` raises anything."""
    try:
        _check_sizes(Path(path))
        with np.load(Path(path), allow_pickle=False) as file:
            return made(dict(file))
    except Exception as error:  # zipfile, zlib, numpy and json have no error in common for a damaged file
        told = error.strerror if isinstance(error, OSError) else None
        reason = told or "it is no file of them; `dup-groups frequencies` writes one"
        raise ConfigError(f"{what}: cannot read {str(path)!r}: {reason}") from error


def column(values: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """An array of a file, when it is one-dimensional and of this type. Raises ValueError, TypeError."""
    if values.ndim != 1:
        raise ValueError("its arrays are not of one dimension")
    return values.astype(kind, casting="equiv", copy=False)


def _check_sizes(path: Path) -> None:
    """Raise ValueError for arrays longer than what is stored of them: numpy allocates before it reads."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        unpacked = sum(member.file_size for member in members)
        if unpacked > max(_SMALL, _MOST_PACKED * path.stat().st_size):
            raise ValueError("its arrays unpack to more than they can hold")
        for member in members:
            with archive.open(member) as file:
                if np.lib.format.read_magic(file) != (1, 0):
                    raise ValueError("its arrays are not of a version that is read here")
                shape, _, dtype = np.lib.format.read_array_header_1_0(file)
                if math.prod(shape) * dtype.itemsize != member.file_size - file.tell():
                    raise ValueError("its arrays are not as long as they say")
