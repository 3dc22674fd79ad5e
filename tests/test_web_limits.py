"""Half-sent requests do not hold connections of the search page open."""

from __future__ import annotations

import socket
import time
from threading import Thread

import pytest
import uvicorn

from dupgroups.web.limits import Impatient, limits


async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nA: b"])
def test_half_a_request_is_closed_in_time_and_a_whole_one_answered(monkeypatch, sent):
    monkeypatch.setattr(Impatient, "seconds", 0.5)
    config = uvicorn.Config(app, port=0, lifespan="off", log_level="error", **limits())
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    with socket.create_connection(listener.getsockname(), timeout=8) as client:
        client.sendall(sent)
        begin = time.monotonic()
        assert client.recv(100) == b""
        assert time.monotonic() - begin < 5
    with socket.create_connection(listener.getsockname(), timeout=8) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 204")
    server.should_exit = True
    thread.join(10)
