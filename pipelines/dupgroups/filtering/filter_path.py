"""The parameter `filter_path` of a cluster: what of an answer is wanted. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

Path = Sequence[str]

_NOTHING = object()


def filtered(answer: Any, filter_path: str) -> Any:
    """What the paths leave of an answer; {} if they leave nothing.

    Paths are separated by commas, names in them by dots; * stands for a part of a name, ** for any number of
    names, and - before a path takes away what it leads to. Lists are passed through.

    >>> filtered({"took": 3, "items": [{"index": {"status": 201}}]}, "items.*.status")
    {'items': [{'index': {'status': 201}}]}
    >>> filtered({"took": 3, "errors": False}, "-took")
    {'errors': False}
    """
    paths = [path.strip() for path in filter_path.split(",") if path.strip()]
    wanted = [path.split(".") for path in paths if not path.startswith("-")]
    unwanted = [path[1:].split(".") for path in paths if path.startswith("-")]
    left = _including(answer, wanted) if wanted else answer
    left = _excluding(left, unwanted) if unwanted else left
    return {} if left is _NOTHING else left


def _including(value: Any, paths: Sequence[Path]) -> Any:
    if any(not path or path == ["**"] for path in paths):
        return value
    if isinstance(value, list):
        return _some([_including(item, paths) for item in value])
    if not isinstance(value, dict):
        return _NOTHING
    kept = {name: _including(inner, _below(name, paths)) for name, inner in value.items()}
    return _some_of(kept)


def _excluding(value: Any, paths: Sequence[Path]) -> Any:
    if any(not path or path == ["**"] for path in paths):
        return _NOTHING
    if isinstance(value, list) and value:
        return _some([_excluding(item, paths) for item in value])
    if not isinstance(value, dict) or not value:
        return value
    return _some_of({name: _excluding(inner, _below(name, paths)) for name, inner in value.items()})


def _below(name: str, paths: Sequence[Path]) -> list[Path]:
    """What is left of the paths behind a name."""
    left: list[Path] = []
    for path in paths:
        if path and path[0] == "**":
            left.append(path)
            left += _below(name, [path[1:]])
        elif path and fnmatchcase(name, path[0].replace("[", "[[]").replace("?", "[?]")):
            left.append(path[1:])
    return left


def _some(values: list[Any]) -> Any:
    kept = [value for value in values if value is not _NOTHING]
    return kept or _NOTHING


def _some_of(values: dict[str, Any]) -> Any:
    kept = {name: value for name, value in values.items() if value is not _NOTHING}
    return kept or _NOTHING
