"""Engines for tests that are about clusters only, and a proxy before their server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from dupgroups.engines import open_engine
from es_plugin.clusters import address
from es_plugin.proxy import Proxy, proxy

if TYPE_CHECKING:
    from dupgroups_es.base import ClusterEngine


@pytest.fixture
def opened() -> Iterator[Callable[[str], ClusterEngine]]:
    """Opens engines and closes them at the end."""
    with ExitStack() as stack:
        yield lambda url: stack.enter_context(closing(open_engine(url)))  # type: ignore[return-value, type-var]


@pytest.fixture
def between(engine_url: str) -> Iterator[Proxy]:
    """A proxy before the server of `engine_url`."""
    with proxy(address(engine_url)) as running:
        yield running
