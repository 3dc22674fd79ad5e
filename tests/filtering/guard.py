"""A proxy that demands credentials, as a cluster with a security plug-in does."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from dupgroups.engines.url import EngineURL
from es_plugin.clusters import address
from es_plugin.proxy import Answer, Forward, Request, proxy
from filtering.process import FilterProcess, filter_process

WRITER, READER, FILTER = "writer", "reader", "filter"
"""Users, each with its name as password: who may everything, who may only read, and the filter itself."""


def credentials(user: str) -> dict[str, str]:
    """The headers that say who asks; none for nobody."""
    encoded = base64.b64encode(f"{user}:{user}".encode()).decode()
    return {"Authorization": f"Basic {encoded}"} if user else {}


_USERS = {credentials(user)["Authorization"]: user for user in (WRITER, READER, FILTER)}


@dataclass
class Guard:
    """`seen` has the user and the mark, the X-Opaque-Id, of each request; one whose mark is in `held` is not
    answered before that is set.
    """

    seen: list[tuple[str, str]] = field(default_factory=list)
    held: dict[str, threading.Event] = field(default_factory=dict)

    def decide(self, request: Request, forward: Forward) -> Answer:
        headers = {name.lower(): value for name, value in request.headers.items()}
        user, mark = _USERS.get(headers.get("authorization", ""), ""), headers.get("x-opaque-id", "")
        self.seen.append((user, mark))
        if mark in self.held:
            self.held[mark].wait(120)
        if user and (user != READER or request.method in ("GET", "HEAD")):
            return forward(request)
        error = {"type": "security_exception", "reason": "the guard refuses this"}
        status = 403 if user else 401
        refusal = json.dumps({"error": error, "status": status}).encode()
        return Answer(status, {"Content-Type": "application/json"}, refusal)


@contextmanager
def guarding(engine_url: str) -> Iterator[tuple[Guard, FilterProcess]]:
    """A filter before a server that refuses everybody else."""
    url, watched = EngineURL.parse(engine_url, {}), Guard()
    with proxy(address(engine_url)) as wire:
        wire.always = watched.decide
        own = f"{url.kind}://{FILTER}:{FILTER}@127.0.0.1:{wire.port}/{url.path}"
        with filter_process(own) as filter_:
            try:
                yield watched, filter_
            finally:
                for held in watched.held.values():
                    held.set()
