"""Free TCP ports on loopback."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port nobody listens on, from the range the system hands out."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def is_free(port: int) -> bool:
    """Whether `port` can be listened on."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
