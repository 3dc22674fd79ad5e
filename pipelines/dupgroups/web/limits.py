"""How long and how large a request may be before the server closes the connection."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0  # from the connection to the end of the first request's headers


class Impatient(H11Protocol):
    """Closes a connection whose headers do not arrive in time; uvicorn has no such limit."""

    seconds = SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Start the clock."""
        super().connection_made(transport)
        self.loop.call_later(self.seconds, self._close_idle)

    def _close_idle(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def limits() -> dict[str, Any]:
    """Options of uvicorn: seconds and bytes that a client may hold a connection without a whole request."""
    return {"http": Impatient, "timeout_keep_alive": 5, "h11_max_incomplete_event_size": 32_768}
