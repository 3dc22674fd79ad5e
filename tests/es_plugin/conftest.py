"""Engines for tests that are about clusters only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from dupgroups.engines import open_engine

if TYPE_CHECKING:
    from dupgroups_es.base import ClusterEngine


@pytest.fixture
def opened() -> Iterator[Callable[[str], ClusterEngine]]:
    """Opens engines and closes them at the end."""
    with ExitStack() as stack:
        yield lambda url: stack.enter_context(closing(open_engine(url)))  # type: ignore[return-value, type-var]
