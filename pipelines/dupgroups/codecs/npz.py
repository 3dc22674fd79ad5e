"""Arrays in a file of numpy's npz format: written whole or not at all, read without any pickle."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError

T = TypeVar("T")


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
    """What `made` makes of the arrays of a file. Raises ConfigError, which names the file as `what`."""
    try:
        with np.load(Path(path), allow_pickle=False) as file:
            return made(dict(file))
    except (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        told = error.strerror if isinstance(error, OSError) else None
        reason = told or "it is no file of them; `dup-groups frequencies` writes one"
        raise ConfigError(f"{what}: cannot read {str(path)!r}: {reason}") from error
