"""The search page on a free loopback port, in a thread of the test."""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import uvicorn
from starlette.applications import Starlette

from dupgroups.engines.base import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Document
from dupgroups.model.config import Config
from dupgroups.web.search_site import create_app
from dupgroups.web.sessions import Tokens
from processes import Answer, answer


@dataclass(frozen=True)
class Site:
    """A running search page."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(
        self,
        path: str,
        headers: Mapping[str, str] | None = None,
        *,
        method: str = "GET",
        body: bytes | None = None,
    ) -> Answer:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            return answer(connection, method, path, body, headers or {})


@contextmanager
def serving(
    engine: Engine,
    hosts: Sequence[str] | None = None,
    *,
    config: Config | None = None,
    tokens: Mapping[str, str] | None = None,
    visitor: str = "",
) -> Iterator[Site]:
    """Serve an engine until the block ends."""
    known = Tokens(tokens) if tokens else None
    app = create_app(engine, hosts=hosts, config=config, tokens=known, visitor=visitor)
    with serving_app(app) as port:
        yield Site(port)


@contextmanager
def serving_documents(
    documents: Iterable[Document], moves: Mapping[str, str] | None = None, **options: Any
) -> Iterator[Site]:
    """Serve documents that are stored as they are, in memory; `options` are those of `serving`."""
    with closing(SQLiteEngine()) as engine:
        engine.put(list(documents))
        engine.put([], moves=moves or {})
        with serving(engine, **options) as site:
            yield site


@contextmanager
def serving_app(app: Starlette) -> Iterator[int]:
    """Serve an application on a free port until the block ends; gives the port."""
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
