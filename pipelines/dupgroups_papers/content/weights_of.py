"""The weights of an extractor that learns: those that are shipped with the package, or those of a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import TypeVar

from dupgroups.methods import npz

T = TypeVar("T")


def weights_of(method: str, file: str | None, make: Callable[[npz.Arrays], T]) -> T:
    """What `make` builds of the arrays: those of `method`.npz in this package, or those of the file.

    Raises ConfigError for a file that has no weights of this method.
    """
    return _shipped(method, make) if file is None else npz.weights(file, method, make)


@cache
def _shipped(method: str, make: Callable[[npz.Arrays], T]) -> T:
    with resources.as_file(resources.files(__package__) / f"{method}.npz") as path:
        return npz.read(path, "weights", make)
