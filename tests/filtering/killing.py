"""Filters, servers and writers that are killed at random moments; nothing may be lost or doubled."""

import random
import socket
import threading
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPException

from dupgroups.engines import open_engine
from dupgroups_filter.grouper import Groupers
from filtering.process import FilterProcess, filter_process
from filtering.running import all_bare, ask_over, bulk, documents, groups, make, offline, partition, sources
from servers.nodes import Node

BATCH = 6
LONGEST = 1.0  # seconds from the start of a life to its end, at most


class Corpus:
    """Documents for so many deaths, and the bulks that have not been answered yet."""

    def __init__(self, engine_url: str, deaths: int) -> None:
        self.engine_url, self.index = engine_url, make(engine_url)
        self.made = documents(6, 10 * deaths)
        ids = list(self.made)
        self.rest = [ids[start : start + BATCH] for start in range(0, len(ids), BATCH)]

    def write(self, connection: HTTPConnection) -> bool:
        """Whether the next bulk was answered, and all of it is stored."""
        lines = bulk({id_: self.made[id_] for id_ in self.rest[0]})
        try:
            answer = ask_over(connection, "POST", f"/{self.index}/_bulk", lines)
        except (OSError, HTTPException):
            connection.close()
            return False
        if answer.status != 200 or answer.json["errors"]:
            return False
        self.rest.pop(0)
        return True

    def check(self) -> None:
        """AssertionError unless all is stored once, and in its group as soon as somebody has looked."""
        with closing(open_engine(self.engine_url)) as engine:
            Groupers(engine).poll()
        assert all_bare(sources(self.engine_url, self.index)) == self.made
        assert partition(groups(self.engine_url)) == offline(self.made)


def write_through_deaths(engine_url: str, deaths: int, seed: int, kind: str, node: Node | None = None) -> int:
    """Write documents while a filter, a server or a writer is killed so many times; the number of deaths
    within a write. A filter and a server come back; who writes goes on after the last bulk that was answered.

    AssertionError unless everything is stored once, and in its group, in the end.
    """
    pile, rng, cut = Corpus(engine_url, deaths), random.Random(seed), 0
    with ExitStack() as stack:
        filter_ = stack.enter_context(filter_process(f"{engine_url}?retries=0"))
        for left in reversed(range(deaths + 1)):
            with closing(filter_.connection()) as connection:
                connection.connect()
                killer = threading.Timer(
                    rng.uniform(0, LONGEST), _kill, [kind, filter_, connection.sock, node]
                )
                if left:
                    killer.start()
                while pile.rest and (pile.write(connection) or not left):
                    pass
            if left:
                cut += bool(pile.rest)
                killer.join()
                if kind == "filter":
                    filter_ = stack.enter_context(filter_process(engine_url))
                elif node:
                    node.start()
                    node.wait()
    pile.check()
    return cut


def _kill(kind: str, filter_: FilterProcess, connection: socket.socket, node: Node | None) -> None:
    if kind == "filter":
        filter_.process.kill()
    elif kind == "server":
        assert node
        node.kill()
    else:
        with suppress(OSError):  # it has written all
            connection.shutdown(socket.SHUT_RDWR)
