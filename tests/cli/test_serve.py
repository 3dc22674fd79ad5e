"""`dup-groups serve`: under known names, over an index that is not there yet; and mistakes of `filter`."""

import json
import socket
import urllib.error
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from commands import error
from dupgroups import Deduper
from dupgroups.engines import open_engine
from es_plugin.clusters import ONE_OF_EACH, servers
from processes import Command, started
from stories import reprints

Start = Callable[[str], Command]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the search page over an engine."""
    words = ["-m", "dupgroups", "serve", "--port", "{port}", "--engine"]
    with ExitStack() as stack:
        yield lambda engine: stack.enter_context(started([*words, engine], tmp_path))


def check(engine_url: str, page: Command) -> None:
    """The page of an empty index says so, and shows what comes."""
    assert page.get("/healthz") == '{"status":"ok"}'
    assert "No documents yet" in page.get("/")
    with closing(Deduper(open_engine(engine_url))) as deduper:
        deduper.add_all(reprints(1, 2).values())
        deduper.engine.refresh()
    assert json.loads(page.get("/api/search"))["documents"] == 2
    said = page.stop()
    assert "Nothing is stored there yet" in said
    assert "To correct groups there, give --token-file; here: dup-groups keep-apart" in said


def test_over_a_file_that_is_not_there_yet(tmp_path: Path, start: Start) -> None:
    page = start(f"sqlite:///{tmp_path}/news.db")
    page.get("/")
    assert not (tmp_path / "news.db").exists(), "no file is made"
    with pytest.raises(urllib.error.HTTPError, match="400"):
        page.get("/", host="rebound.example")
    check(f"sqlite:///{tmp_path}/news.db", page)


@servers(ONE_OF_EACH)
@pytest.mark.slow  # what an empty store answers, the contract says
def test_over_an_index_that_is_not_there_yet(engine_url: str, start: Start) -> None:
    check(engine_url, start(engine_url))


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert "Address already in use" in error("serve", "--engine", "memory://", "--port", port)


def test_mistakes_of_the_filter_are_sentences() -> None:
    said = error("filter", "--engine", "opensearch://127.0.0.1:1/articles", "--listen", "localhost:http")
    assert "write HOST:PORT, such as 127.0.0.1:9201" in said
    assert "only an index of OpenSearch or Elasticsearch" in error("filter", "--engine", "sqlite:///news.db")
