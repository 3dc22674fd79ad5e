"""A client with patience: what is refused for now, and what is not answered, is sent again."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.engines.patience import Patience
from dupgroups.errors import EngineError
from dupgroups_es import shapes
from dupgroups_es.index_set import IndexSet
from dupgroups_es.positions import OwnWrites
from dupgroups_es.transport import Client, NoAnswerError, RefusedError, to_json

T = TypeVar("T")


class PatientClient:
    """`name` stands in messages and holds no secret; `unknown_user` is what they say of a server that does
    not accept the credentials. `client` and `patience` may be exchanged at any time. `retries` counts the
    requests that were sent again, `own_writes` knows what was written, and `sets` which names stand for
    several indices.
    """

    def __init__(
        self, client: Client, name: str, patience: Patience, unknown_user: str = "refused: 401"
    ) -> None:
        self.name = name
        self._unknown_user = unknown_user
        self.own_writes = OwnWrites()
        self.sets: dict[str, IndexSet] = {}
        self.retries = 0
        self.client = client
        self.patience = patience

    def close(self) -> None:
        self.client.close()

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        missing: bool = False,
        shape: Callable[[Any], Any] = shapes.object_of,
        **params: str,
    ) -> Any:
        """One request with JSON. `missing`: a 404 is answered by None instead of an error. `shape` raises
        NoAnswerError for what is not an answer to it, and returns what is of use in an answer."""
        data = None if body is None else to_json(body)
        try:
            return self.patiently(lambda: shape(self.client.send(method, path, params, data, lines=False)))
        except RefusedError as refused:
            if missing and refused.status == 404:
                return None
            raise self.error(refused) from None

    def ask_patiently(self, once: Callable[[], T]) -> T:
        """The result of `once`, as soon as there is one. Raises EngineError for what is refused."""
        try:
            return self.patiently(once)
        except RefusedError as refused:
            raise self.error(refused) from None

    def patiently(self, once: Callable[[], T]) -> T:
        """The same. Raises RefusedError for what is refused."""
        for pause in self.patience.pauses():
            try:
                return once()
            except RefusedError as error:
                if pause is None or not error.temporary:
                    raise
            except NoAnswerError as error:
                if pause is None:
                    raise self.silence(error) from None
            self.wait(pause)
        raise AssertionError("the last try returns or raises")

    def wait(self, pause: float) -> None:
        """Before a request is sent again."""
        self.retries += 1
        time.sleep(pause)

    def silence(self, error: NoAnswerError) -> EngineError:
        """The error of a server that does not answer."""
        return EngineError(f"{self.name} does not answer: {error}", temporary=True)

    def error(self, refused: RefusedError) -> EngineError:
        """The error of a server that refuses a request, in a sentence."""
        reason = self._unknown_user if refused.status == 401 else _explain_refusal(refused)
        return EngineError(f"{self.name} {reason}", temporary=refused.temporary)


def _explain_refusal(refused: RefusedError) -> str:
    if refused.blocked:
        is_full = "disk usage" in refused.reason or "read-only-allow-delete" in refused.reason
        cure = "free disk space on its nodes, then lift the block if the server does not do so itself"
        return f"takes no writes ({refused.reason}): {cure if is_full else 'lift this block of the index'}"
    if refused.status == 403:
        return f"does not allow this to the given user or key: {refused.reason}"
    if "index.max_result_window" in refused.reason:
        return f"gives too few results at once: set index.max_result_window to {MAX_WINDOW_HITS} or more"
    if refused.temporary:
        return f"is too busy ({refused}): try again later"
    return f"refused: {refused}"
