"""A loopback HTTP proxy that stands before a real server and makes trouble on the way."""

import http.client
import json
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from dupgroups.engines.url import EngineURL

PRODUCT = "X-Elastic-Product"


@dataclass
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Answer:
    """What goes back; None instead of it cuts the connection; `sent` cuts it within the body."""

    status: int
    headers: dict[str, str]
    body: bytes
    sent: int | None = None


Forward = Callable[[Request], Answer]
Fault = Callable[[Request, Forward], Answer | None]


@dataclass
class Proxy:
    """`faults` meet the next requests, one each; without faults requests pass. `seen` holds them all."""

    port: int = 0
    faults: list[Fault] = field(default_factory=list)
    always: Fault | None = None
    seen: list[Request] = field(default_factory=list)

    def trouble(self, *faults: Fault) -> None:
        self.seen.clear()
        self.faults[:] = faults

    def fault(self, request: Request) -> Fault:
        self.seen.append(request)
        return self.faults.pop(0) if self.faults else self.always or passing


@contextmanager
def proxy(server: str, certificate: Path | None = None) -> Iterator[Proxy]:
    """Listens on a free port for as long as the block lasts; with TLS where a certificate is given."""
    known = Proxy()
    listener = ThreadingHTTPServer(("127.0.0.1", 0), _handler(known, server.removeprefix("http://")))
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        listener.socket = context.wrap_socket(
            listener.socket, server_side=True, do_handshake_on_connect=False
        )
    known.port = listener.server_address[1]
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield known
    finally:
        listener.shutdown()
        listener.server_close()


def through(between: Proxy, engine_url: str, options: str = "") -> str:
    """The URL of the same index by way of the proxy."""
    url = EngineURL.parse(engine_url, {})
    return f"{url.kind}://127.0.0.1:{between.port}/{url.path}?{options}"


def certificate(path: Path) -> Path:
    """A certificate for 127.0.0.1 that signs itself, with its key."""
    kind = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    name = "-subj /CN=test -addext subjectAltName=IP:127.0.0.1"
    command = f"openssl req -x509 {kind} {name} -keyout {path} -out {path}.crt"
    subprocess.run(command.split(), check=True, capture_output=True)
    with path.open("ab") as file:
        file.write(Path(f"{path}.crt").read_bytes())
    return path


# -- faults


def only(path: str, fault: Fault) -> Fault:
    """A fault that meets requests with this in their path."""
    return lambda request, forward: fault(request, forward) if path in request.path else forward(request)


def passing(request: Request, forward: Forward) -> Answer:
    return forward(request)


def busy(status: int, product: str = "Elasticsearch") -> Fault:
    """The server says that it is too busy, or not ready."""
    error = {"type": "es_rejected_execution_exception", "reason": "queue is full"}
    return lambda request, forward: _json(status, {"error": error, "status": status}, product)


def cut(request: Request, forward: Forward) -> None:
    """The connection ends before the server has seen anything."""


def lost(request: Request, forward: Forward) -> None:
    """The server does what it was asked, and its answer is lost."""
    forward(request)


def halved(request: Request, forward: Forward) -> Answer:
    """The server does what it was asked, and half of the answer comes."""
    answer = forward(request)
    return replace(answer, sent=len(answer.body) // 2)


def late(seconds: float) -> Fault:
    """The server sees nothing, and nobody waits any more when the connection ends."""

    def fault(request: Request, forward: Forward) -> None:
        time.sleep(seconds)

    return fault


def too_large(limit: int) -> Fault:
    """Requests above so many bytes are refused, as by a server's http.max_content_length."""

    def fault(request: Request, forward: Forward) -> Answer:
        if len(request.body) > limit:
            return Answer(413, {}, b"")
        return forward(request)

    return fault


def instead(body: bytes) -> Fault:
    """The server does what it was asked, and something between answers in its place that all is well."""

    def fault(request: Request, forward: Forward) -> Answer:
        return replace(forward(request), status=200, body=body)

    return fault


def item_refused(id_: str) -> Fault:
    """The server takes a bulk request but for one item, for which it has no room now."""

    def fault(request: Request, forward: Forward) -> Answer:
        lines = request.body.splitlines(keepends=True)
        at = next((at for at in range(0, len(lines), 2) if f'"{id_}"'.encode() in lines[at]), None)
        if at is None:
            return forward(request)
        ((operation, action),) = json.loads(lines[at]).items()
        rest = b"".join(lines[:at] + lines[at + 2 :])
        headers = {name: value for name, value in request.headers.items() if name.lower() != "content-length"}
        answer = forward(replace(request, body=rest, headers=headers)) if rest else Answer(200, {}, b"{}")
        items = json.loads(answer.body).get("items", [])
        error = {"type": "es_rejected_execution_exception", "reason": "no room"}
        items.insert(at // 2, {operation: {**action, "status": 429, "error": error}})
        return _json(200, {"errors": True, "items": items}, answer.headers.get(PRODUCT, ""))

    return fault


# -- the wire


def _json(status: int, body: object, product: str) -> Answer:
    headers = {"Content-Type": "application/json"}
    if product:
        headers[PRODUCT] = product
    return Answer(status, headers, json.dumps(body).encode())


def _body(request: BaseHTTPRequestHandler) -> bytes:
    """The body of a request, of known length or in chunks."""
    if request.headers.get("Transfer-Encoding", "") != "chunked":
        return request.rfile.read(int(request.headers.get("Content-Length") or 0))
    body = bytearray()
    while size := int(request.rfile.readline().partition(b";")[0], 16):
        body += request.rfile.read(size)
        request.rfile.readline()
    while request.rfile.readline().strip():
        pass  # trailers
    return bytes(body)


def _handler(known: Proxy, server: str) -> type[BaseHTTPRequestHandler]:
    def forward(request: Request) -> Answer:
        connection = http.client.HTTPConnection(server)
        connection.request(request.method, request.path, request.body, request.headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        passed = ("Content-Type", "Content-Encoding", PRODUCT)
        kept = {name: answer.headers[name] for name in passed if name in answer.headers}
        return Answer(answer.status, kept, body)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            left_out = ("host", "connection", "transfer-encoding")
            headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
            request = Request(self.command, self.path, headers, _body(self))
            answer = known.fault(request)(request, forward)
            if answer is None:
                self.close_connection = True
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body[: answer.sent])
            if answer.sent is not None:
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any

        def log_message(self, *args: object) -> None:
            pass

    return Handler
