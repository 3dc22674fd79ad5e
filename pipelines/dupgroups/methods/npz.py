"""Arrays in a file of NumPy's npz format: written completely or not at all, and read without pickle."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError, MissingExtraError

T = TypeVar("T")
Arrays = dict[str, NDArray[Any]]


def save(path: Path, arrays: Mapping[str, Any]) -> None:
    """Replace the file with one of these arrays, atomically. Raises OSError, and then keeps the old file."""
    path = Path(os.path.realpath(path))  # a link stays
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read(
    path: str | Path, what: str, make: Callable[[Arrays], T], writer: str = "dup-groups frequencies"
) -> T:
    """The result of `make` for the arrays of a file.

    Raises ConfigError, which calls the file `what` and names the command `writer`, when the file cannot be
    read, or when `make` raises anything.
    """
    try:
        with np.load(Path(path), allow_pickle=False) as file:
            return make(dict(file))
    except MissingExtraError:
        raise
    except Exception as error:  # zipfile, zlib, numpy and json have no common error class for damaged files
        reason = error.strerror if isinstance(error, OSError) else None
        reason = reason or f"it is not a file of {what}; `{writer}` writes one"
        raise ConfigError(f"{what}: cannot read {str(path)!r}: {reason}") from error


@cache
def load_shipped(package: str, name: str, make: Callable[[Arrays], Any]) -> Any:
    """The result of `make` for the weights in a file of a package."""
    with resources.as_file(resources.files(package) / name) as path:
        return read(path, "weights", make)


def weights(package: str, method: str, file: str | None, make: Callable[[Arrays], T]) -> T:
    """The result of `make` for the weights of a method: those in its package, or those in a file.

    Raises ConfigError for a file that `dup-groups train extraction` has not written for this method.
    """
    if file is None:
        made: T = load_shipped(package, f"{method}.npz", make)
        return made

    def headed(arrays: Arrays) -> tuple[str, str]:
        return str(arrays["method"]), ", ".join(arrays["languages"].tolist())

    writer = "dup-groups train extraction"
    given, languages = read(file, "weights", headed, writer)
    if given != method:
        raise ConfigError(f"{file!r} has weights of {given!r} ({languages}), not of {method!r}")
    return read(file, "weights", make, writer)


def column(values: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """The array, checked: raises ValueError unless it is one-dimensional, TypeError unless of this type."""
    if values.ndim != 1:
        raise ValueError("its arrays are not one-dimensional")
    return values.astype(kind, casting="equiv", copy=False)
