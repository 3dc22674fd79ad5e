"""Packages of strangers with entry points, as `pip install` leaves them in a folder on the path."""

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

Install = Callable[..., None]


@contextmanager
def installing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, group: str, modules: Mapping[str, str]
) -> Iterator[Install]:
    """Gives what installs a distribution of this name with these entry points of the group."""
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(str(folder))

    def install(distribution: str, *points: str) -> None:
        info = folder / f"{distribution}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *points, ""]))
        importlib.invalidate_caches()

    yield install
    for name in modules:
        sys.modules.pop(name, None)
