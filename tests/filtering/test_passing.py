"""What is not filtered is passed on as it is, and its answer comes back as it is: bytes on real sockets."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from filtering.running import Filter, filtering
from filtering.wire import exchange, head

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok"


@dataclass
class Recorder:
    """A cluster that answers every request with the same bytes and keeps what it got. `gate` holds the rest
    back; an answer that `is_cut` ends with its connection.
    """

    port: int = 0
    answer: bytes = ANSWER
    rest: bytes = b""
    is_cut: bool = False
    gate: threading.Event = field(default_factory=threading.Event)
    seen: list[bytes] = field(default_factory=list)
    connections: int = 0

    def serve(self, listener: socket.socket) -> None:
        while connection := accept(listener):
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            while request := _request(connection):
                self.seen.append(request)
                answer, rest, is_cut = self.answer, self.rest, self.is_cut  # the next test sets others
                connection.sendall(answer)
                if rest:
                    self.gate.wait(60)
                    connection.sendall(rest)
                if is_cut:
                    return

    @property
    def head(self) -> list[str]:
        return self.seen[-1].partition(b"\r\n\r\n")[0].decode().split("\r\n")

    @property
    def body(self) -> bytes:
        return self.seen[-1].partition(b"\r\n\r\n")[2]


def accept(listener: socket.socket) -> socket.socket | None:
    try:
        return listener.accept()[0]
    except OSError:
        return None


def _request(connection: socket.socket) -> bytes:
    """One request, with its chunks as they came."""
    head, _, body = receive(connection, b"\r\n\r\n").partition(b"\r\n\r\n")
    named = dict(line.lower().split(b": ") for line in head.split(b"\r\n")[1:])
    length = int(named.get(b"content-length", 0))
    while len(body) < length or (b"transfer-encoding" in named and not body.endswith(b"0\r\n\r\n")):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body if head else b""


def receive(connection: socket.socket, end: bytes) -> bytes:
    data = b""
    while end not in data and (more := connection.recv(65536)):
        data += more
    return data


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
def pair() -> Iterator[tuple[Recorder, Filter]]:
    with recording() as recorder:
        url = f"opensearch://127.0.0.1:{recorder.port}/articles?retries=0"
        with filtering(url, create=False, group=False) as filter_:
            yield recorder, filter_


@pytest.fixture
def recorder(pair: tuple[Recorder, Filter]) -> Recorder:
    pair[0].answer, pair[0].rest, pair[0].is_cut = ANSWER, b"", False
    return pair[0]


@pytest.fixture
def port(pair: tuple[Recorder, Filter]) -> int:
    return pair[1].port


@pytest.fixture
def connection(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as opened:
        yield opened


def test_headers_stay_but_for_those_of_the_connection(recorder: Recorder, port: int) -> None:
    """Cookies that a client gets are not sent for the next one."""
    recorder.answer = (
        b"HTTP/1.1 299 Odd Reason\r\nContent-Length: 2\r\nX-elastic-product: E\r\n"
        b"Warning: one\r\nWarning: two\r\nSet-Cookie: a=b\r\nKeep-Alive: timeout=5\r\n\r\nok"
    )
    sent = (
        b"GET / HTTP/1.1\r\nHost: filter\r\nAuthorization: Basic abc==\r\nX-Two: 1\r\nX-Two: 2\r\n"
        b"TE: trailers\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nAccept-Encoding: zstd\r\n"
        b"X-Opaque-Id: \xc3\xa9\r\n\r\n"
    )
    reply = [exchange(port, sent) for _ in range(2)][1]
    assert (reply.status, reply.reason) == (299, "Odd Reason")
    kept = {name: reply.header(name) for name in ("X-elastic-product", "Warning", "Set-Cookie", "Keep-Alive")}
    assert kept == {"X-elastic-product": "E", "Warning": "one, two", "Set-Cookie": "a=b", "Keep-Alive": ""}
    assert {*recorder.head[1:]} == {
        f"Host: 127.0.0.1:{recorder.port}",
        "Authorization: Basic abc==",
        "X-Two: 1",
        "X-Two: 2",
        "Accept-Encoding: zstd",
        "X-Opaque-Id: é",
    }


def test_answers_are_streamed(recorder: Recorder, connection: socket.socket) -> None:
    recorder.answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n"
    recorder.rest = b"4\r\nlast\r\n0\r\n\r\n"
    recorder.gate.clear()
    connection.sendall(b"GET /_search HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b"first" in receive(connection, b"first")  # the cluster has not sent the rest
    recorder.gate.set()
    assert b"last" in receive(connection, b"0\r\n\r\n")


ELSEWHERE = [  # PORT stands for the port of somebody else
    ("CONNECT", "@127.0.0.1:PORT"),
    ("GET", "http://127.0.0.1:PORT/"),
    ("GET", ":PORT/"),
    ("GET", "//127.0.0.1:PORT/"),
    ("GET", "/@127.0.0.1:PORT/"),
]


@pytest.mark.parametrize(("method", "target"), ELSEWHERE)
def test_no_target_leads_elsewhere(recorder: Recorder, port: int, method: str, target: str) -> None:
    with recording() as other:
        named = f"127.0.0.1:{other.port}"
        headers = (("Host", named), ("X-Forwarded-Host", named), ("Content-Length", "0"))
        target = target.replace("PORT", str(other.port))
        exchange(port, head(method, target, "HTTP/1.1", headers))
        assert other.connections == 0


@pytest.mark.parametrize(
    "sent",
    [
        b"garbage\r\n\r\n",
        b"PUT /articles/_doc/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\n{}x",
        b"PUT /articles/_doc/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    ],
    ids=["garbage", "two lengths", "no chunk"],
)
def test_what_is_not_http_is_refused_and_not_passed_on(recorder: Recorder, port: int, sent: bytes) -> None:
    recorder.seen.clear()
    reply = exchange(port, sent, timeout=10)
    assert reply.status == 400 or not reply.status
    assert not reply.header("Server")
    assert recorder.seen == []


@pytest.mark.parametrize(
    "framing", [b"Content-Length: 100\r\n\r\ncut", b"Transfer-Encoding: chunked\r\n\r\n9\r\ncut"]
)
def test_an_answer_that_is_cut_is_cut_for_the_client(recorder: Recorder, port: int, framing: bytes) -> None:
    recorder.answer, recorder.is_cut = b"HTTP/1.1 200 OK\r\n" + framing, True
    assert exchange(port, b"GET /_search HTTP/1.1\r\nHost: x\r\n\r\n").status == 0


def test_a_body_that_the_cluster_refuses_while_it_comes_is_answered_as_it_would() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            while connection := accept(listener):
                asks = b"100-continue" in receive(connection, b"\r\n\r\n").lower()
                connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n" if asks else b"")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", not asks, 0))
                connection.close()

        threading.Thread(target=refuse, daemon=True).start()
        url = f"opensearch://127.0.0.1:{listener.getsockname()[1]}/articles?retries=0"
        with filtering(url, create=False, group=False) as filter_:
            assert filter_.ask("PUT", "/other/_doc/1", {"body": "x" * 10_000_000}).status == 413
            listener.shutdown(socket.SHUT_RDWR)


def test_the_head_of_a_request_has_a_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupgroups_filter.filter_server.HEAD_SECONDS", 0.5)
    with recording() as cluster:
        url = f"opensearch://127.0.0.1:{cluster.port}/articles?retries=0"
        with (
            filtering(url, create=False, group=False) as filter_,
            socket.create_connection(("127.0.0.1", filter_.port), timeout=20) as opened,
        ):
            opened.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert receive(opened, b"\r\n\r\nok").startswith(b"HTTP/1.1 200")
            time.sleep(1)  # between requests a connection may be idle
            opened.sendall(b"GET / HTTP/1.1\r\nHo")
            assert opened.recv(100) == b""


def test_a_cluster_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"opensearch://127.0.0.1:{listener.getsockname()[1]}/articles?retries=0"
    with filtering(url, create=False) as filter_:
        for method, path, body in (("GET", "/_search", None), ("PUT", "/articles/_doc/1", {"body": "x"})):
            answer = filter_.ask(method, path, body)
            assert (answer.status, answer.json["error"]["type"]) == (502, "no_answer_exception")
        answer = filter_.ask("GET", "/_dup_groups/health")
        assert (answer.status, answer.json["status"]) == (503, "red")
        assert "does not answer" in answer.json["problem"]
