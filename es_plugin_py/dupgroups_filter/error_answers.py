"""The answers that are the filter's own, in the form of the cluster's errors."""

import json

from aiohttp import web


class Unsigned(web.StreamResponse):
    """An answer without the Server that the library would add: no server behind the filter names one."""

    async def _prepare_headers(self) -> None:
        await super()._prepare_headers()
        self.headers.popall("Server", None)


class OwnAnswer(Unsigned, web.Response):
    """A whole answer of the filter's own."""


def error_answer(status: int, kind: str, reason: str) -> OwnAnswer:
    """An error as a cluster tells it. Clients of Elasticsearch take no answer without its header."""
    cause = {"type": kind, "reason": reason}
    body = {"error": {"root_cause": [cause], **cause}, "status": status}
    headers = {"Content-Type": "application/json", "X-Elastic-Product": "Elasticsearch"}
    return OwnAnswer(status=status, body=json.dumps(body).encode(), headers=headers)
