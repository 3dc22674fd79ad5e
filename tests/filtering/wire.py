"""HTTP by hand: requests that no client would send, and answers before a client has tidied them."""

import http.client
import socket
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Reply:
    """An answer as it came; its status is 0 where the connection was closed without one."""

    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    is_continued: bool = False
    """Whether the server said `100 Continue` before."""

    def header(self, name: str) -> str:
        """The values of a header, joined; empty if there are none."""
        return ", ".join(value for known, value in self.headers if known.lower() == name.lower())


def head(method: str, target: str, version: str, headers: Sequence[tuple[str, str]]) -> bytes:
    lines = [f"{method} {target} {version}".strip(), *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode()


def exchange(port: int, sent: bytes, body: bytes = b"", timeout: float = 120) -> Reply:
    """The answer to one request on a connection of its own, waited for so many seconds. A head that says
    `Expect: 100-continue` is sent alone, and the body only when the server asks for it.
    """
    method = sent.split(b" ", 1)[0].decode()
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        asks = b"expect: 100-continue" in sent.lower()
        connection.sendall(sent if asks else sent + body)
        try:
            is_continued = asks and b" 100 " in connection.recv(64, socket.MSG_PEEK).split(b"\r\n")[0]
            if is_continued:
                connection.sendall(body)
            return _reply(connection, method, is_continued)
        except TimeoutError:
            return Reply(0, "no answer in time")
        except (http.client.HTTPException, ConnectionError):
            return Reply(0, "the connection was closed")


def _reply(connection: socket.socket, method: str, is_continued: bool) -> Reply:
    with http.client.HTTPResponse(connection, method=method) as response:
        response.begin()
        body = response.read()
    return Reply(response.status, response.reason, tuple(response.getheaders()), body, is_continued)
