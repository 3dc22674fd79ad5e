"""What is not filtered is passed on as it is, and its answer comes back as it is: bytes on real sockets."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from filtering.running import ask_port, filtering

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok"


@dataclass
class Recorder:
    """Answers every request with the same bytes and keeps what it got; `gate` holds the rest back."""

    port: int = 0
    answer: bytes = ANSWER
    rest: bytes = b""
    gate: threading.Event = field(default_factory=threading.Event)
    seen: list[bytes] = field(default_factory=list)
    connections: int = 0

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            while request := _request(connection):
                self.seen.append(request)
                connection.sendall(self.answer)
                if self.rest:
                    self.gate.wait(60)
                    connection.sendall(self.rest)
                if b"content-length" not in self.answer.lower() and b"chunked" not in self.answer.lower():
                    return

    @property
    def head(self) -> list[str]:
        return self.seen[-1].partition(b"\r\n\r\n")[0].decode().split("\r\n")

    @property
    def body(self) -> bytes:
        return self.seen[-1].partition(b"\r\n\r\n")[2]


def _request(connection: socket.socket) -> bytes:
    """One request, with its chunks as they came."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := connection.recv(65536)):
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [
        line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    ]
    while len(body) < int(lengths[0]) if lengths else b"chunked" in head and not body.endswith(b"0\r\n\r\n"):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def recording() -> Iterator[Recorder]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        recorder = Recorder(listener.getsockname()[1])
        threading.Thread(target=recorder.serve, args=(listener,), daemon=True).start()
        try:
            yield recorder
        finally:
            recorder.gate.set()
            listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def pair():
    with recording() as recorder:
        url = f"opensearch://127.0.0.1:{recorder.port}/articles?retries=0"
        with filtering(url, create=False) as filter_:
            yield recorder, filter_


@pytest.fixture
def recorder(pair):
    pair[0].seen.clear()
    pair[0].answer, pair[0].rest = ANSWER, b""
    return pair[0]


@pytest.fixture
def connection(pair):
    with socket.create_connection(("127.0.0.1", pair[1].port), timeout=60) as opened:
        yield opened


def receive(connection: socket.socket, end: bytes) -> bytes:
    data = b""
    while end not in data and (more := connection.recv(65536)):
        data += more
    return data


@pytest.mark.parametrize(
    "target",
    [
        "/a%2Fb/_search?q=x%20y+z&q=2&empty=&flag",
        "//double//slash/",
        "/%3Clogs-%7Bnow%2Fd%7D%3E/_doc/a%2fB%2F..%2f",
        "/a/../b/./_search",
        "/index/_search?q=%E4%B8%AD&x=a%26b%3Dc;d",
        "/_all/_search?scroll_id=" + "x" * 20_000,
        "/caf%C3%A9*,-b/_count?ignore_unavailable=true#",
        "/x:y@z/_doc/1?a=[1]&b={2}|",
    ],
)
def test_paths_and_queries_stay_as_they_are(recorder, connection, target):
    connection.sendall(f"GET {target} HTTP/1.1\r\nHost: filter\r\n\r\n".encode())
    assert receive(connection, b"ok").startswith(b"HTTP/1.1 200 OK\r\n")
    assert recorder.head[0] == f"GET {target.partition('#')[0]} HTTP/1.1"


def test_headers_stay_but_for_those_of_the_connection(recorder, connection):
    recorder.answer = (
        b"HTTP/1.1 299 Odd Reason\r\nContent-Length: 2\r\nX-elastic-product: E\r\n"
        b"Warning: one\r\nWarning: two\r\nSet-Cookie: a=b\r\nKeep-Alive: timeout=5\r\n"
        b"Content-Type: text/x\r\n\r\nok"
    )
    connection.sendall(
        b"GET / HTTP/1.1\r\nHost: filter\r\nAuthorization: Basic abc==\r\nX-Two: 1\r\nX-Two: 2\r\n"
        b"TE: trailers\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nAccept-Encoding: zstd\r\n"
        b"X-Opaque-Id: \xc3\xa9\r\n\r\n"
    )
    answer = receive(connection, b"ok").decode().split("\r\n")
    assert answer[0] == "HTTP/1.1 299 Odd Reason"
    for line in (
        "X-elastic-product: E",
        "Warning: one",
        "Warning: two",
        "Set-Cookie: a=b",
        "Content-Type: text/x",
    ):
        assert line in answer
    assert not any(line.startswith("Keep-Alive") for line in answer)
    sent = recorder.head[1:]
    assert f"Host: 127.0.0.1:{recorder.port}" in sent
    assert {
        "Authorization: Basic abc==",
        "X-Two: 1",
        "X-Two: 2",
        "X-Opaque-Id: é",
        "Accept-Encoding: zstd",
    } <= {*sent}
    names = [line.split(":")[0].lower() for line in sent]
    assert not {"te", "x-hop", "connection", "user-agent", "accept", "cookie"} & {*names}


def test_cookies_of_one_client_are_not_sent_for_another(recorder, pair):
    recorder.answer = ANSWER.replace(b"Content-Type", b"Set-Cookie: a=b\r\nContent-Type")
    for _ in range(2):
        assert ask_port(pair[1].port, "GET", "/").status == 200
    assert not any("cookie" in line.lower() for line in recorder.head)


def test_bodies_pass_in_both_ways_of_framing(recorder, connection):
    connection.sendall(b"POST /_search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nh\x00llo")
    receive(connection, b"ok")
    assert recorder.body == b"h\x00llo"
    assert "Content-Length: 5" in recorder.head
    connection.sendall(b"POST /_search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    connection.sendall(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    receive(connection, b"ok")
    assert b"".join(recorder.body.split(b"\r\n")[1::2]) == b"abcde"
    assert "Transfer-Encoding: chunked" in recorder.head
    connection.sendall(b"GET /_search HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
    receive(connection, b"ok")
    assert recorder.body == b"{}"
    connection.sendall(b"POST /_refresh HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
    receive(connection, b"ok")
    assert recorder.body == b""


def test_compressed_bodies_stay_compressed(recorder, connection):
    compressed = b"\x1f\x8b not really gzip"
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(compressed)
    recorder.answer = head + compressed
    request = b"POST /_search HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
    connection.sendall(request % len(compressed) + compressed)
    answer = receive(connection, b"really gzip")
    assert answer.endswith(b"\r\n\r\n" + compressed)
    assert b"Content-Encoding: gzip" in answer
    assert recorder.body == compressed


def test_head_has_a_length_and_no_body(recorder, connection):
    recorder.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nContent-Type: a/b\r\n\r\n"
    for _ in range(2):  # on one connection
        connection.sendall(b"HEAD /articles/_doc/1 HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = receive(connection, b"\r\n\r\n")
        assert b"Content-Length: 1234\r\n" in answer
        assert answer.endswith(b"\r\n\r\n")


def test_who_asks_first_is_told_to_continue(recorder, connection):
    for target in ("/_search", "/articles/_bulk"):
        connection.sendall(
            f"POST {target} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n".encode()
        )
        assert receive(connection, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"abc")
        assert receive(connection, b"ok").startswith(b"HTTP/1.1 200 OK")
        assert recorder.body == b"abc"


def test_answers_are_streamed(recorder, connection):
    recorder.answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n"
    recorder.rest = b"4\r\nlast\r\n0\r\n\r\n"
    recorder.gate.clear()
    connection.sendall(b"GET /_search HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b"first" in receive(connection, b"first")  # the cluster has not sent the rest
    recorder.gate.set()
    assert b"last" in receive(connection, b"0\r\n\r\n")


def test_an_answer_that_is_cut_is_cut_for_the_client(recorder, pair):
    recorder.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: a/b\r\n\r\ncut"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"opensearch://127.0.0.1:{listener.getsockname()[1]}/articles?retries=0"

        def cut() -> None:
            while True:
                try:
                    opened, _ = listener.accept()
                except OSError:
                    return
                opened.recv(65536)
                opened.sendall(recorder.answer)
                opened.close()

        threading.Thread(target=cut, daemon=True).start()
        with (
            filtering(url, create=False) as filter_,
            socket.create_connection(("127.0.0.1", filter_.port), timeout=60) as connection,
        ):
            connection.sendall(b"GET /_search HTTP/1.1\r\nHost: x\r\n\r\n")
            received = b""
            with pytest.raises(ConnectionResetError):  # noqa: PT012
                while more := connection.recv(65536):
                    received += more
                raise ConnectionResetError
            assert not received.endswith(b"0\r\n\r\n")
        listener.shutdown(socket.SHUT_RDWR)


def test_one_connection_serves_many_requests(recorder, connection):
    for number in range(20):
        connection.sendall(f"GET /{number}/_search HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert receive(connection, b"ok").endswith(b"ok")
    assert len(recorder.seen) == 20
    assert recorder.connections <= 4  # with those of the module


def test_a_cluster_that_is_not_there(pair):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"opensearch://127.0.0.1:{listener.getsockname()[1]}/articles?retries=0"
    with filtering(url, create=False) as filter_:
        for method, path in (("GET", "/_search"), ("PUT", "/articles/_doc/1")):
            answer = filter_.ask(method, path, {"body": "x"} if method == "PUT" else None)
            assert answer.status == 502
            assert answer.json["error"]["type"] == "no_answer_exception"
        health = filter_.ask("GET", "/_dup_groups/health").json
        assert health["status"] == "red"
        assert "does not answer" in health["problem"]
