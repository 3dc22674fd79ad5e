"""Fixtures shared by all tests: one engine per kind of store, and the servers behind some of them."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

from dupgroups.cli.output import verbosity
from dupgroups.engines import Engine, open_engine
from engines.stores import stored_in

if TYPE_CHECKING:
    from servers import Pool

collect_ignore = [] if find_spec("pyspark") else ["spark"]  # where only the group `test` is installed

# Run in the background of a script they would ignore Ctrl+C, and so would the commands that they start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# However long it takes: that depends on what else the machine does, and what it loads first.
# The few are the same at each run, so that a commit which passed passes again; the many differ.
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", SLOW, max_examples=20, derandomize=True)
settings.register_profile("many", SLOW, max_examples=300)
# A mutant only has to fail, so nothing looks for the smallest example. All meet the same ones: with others,
# a property that meets too few of what it is about would kill a mutant, or stop the run, by chance.
settings.register_profile(
    "mutants", SLOW, max_examples=60, phases=[Phase.explicit, Phase.generate], derandomize=True
)
settings.load_profile("few")


@pytest.fixture(autouse=True)
def _output_as_it_was() -> Iterator[None]:
    """A command that runs in this process sets what is logged and printed, for all that come after it."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    verbosity.verbose = verbosity.quiet = False
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)


@pytest.fixture(scope="session", autouse=True)
def _settings_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Commands keep the numbers of the last search where the user's settings are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        yield


@pytest.fixture(scope="session", autouse=True)
def server_pool(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pool:
    """The servers of this run, shared by its workers: each started when a test first asks for it."""
    from servers import Pool

    folder = tmp_path_factory.getbasetemp()
    pool = Pool(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)
    request.config.add_cleanup(pool.close)  # outside of any test, for it may have to wait for another worker
    return pool


@pytest.fixture
def templates_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A template for all indices is seen by others: no other worker makes one, or compares answers."""
    from servers.cache import locked

    with locked(tmp_path_factory.getbasetemp().parent / "templates.lock"):
        yield


engine_url = stored_in()  # what the flow promises holds in one store as in another, by the contract


@pytest.fixture
def engine(engine_url: str) -> Iterator[Engine]:
    """An empty engine of each kind."""
    with closing(open_engine(engine_url)) as opened:
        yield opened


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are no name for a test unless they are a short text: those of gzip hold the time."""
    return argname if isinstance(val, bytes) and (len(val) > 40 or not val.isascii()) else None
