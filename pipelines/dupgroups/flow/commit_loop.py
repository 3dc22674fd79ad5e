"""The one commit loop: write, and after a pause write again what other writers have overtaken.

H. T. Kung and J. T. Robinson: On Optimistic Methods for Concurrency Control. ACM Transactions on Database
Systems 6 (1981), 213-226. Writers do not lock each other out: each names the versions that it has seen, and
the store refuses what others have changed since.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from dupgroups.errors import ConflictError, EngineError

MAX_TRIES = 20  # that others overtake, before what is left counts as failed
PAUSE_SECONDS = 0.02  # seconds before the second try; the pauses grow, and are drawn by chance

Item = TypeVar("Item")
Result = TypeVar("Result")

Attempt = Callable[[Mapping[int, Item], bool], tuple[Mapping[int, Result], ConflictError | None]]
"""Gets the items that are left, by place, and whether others overtook the attempt before.

It returns the results of those that are done, by place, and the conflict if others overtook it. What it
leaves without a conflict is attempted again at once. A ConflictError that it raises concerns all items.
"""


@dataclass(frozen=True, slots=True)
class Refused:
    """The documents that a store did not write: `failures`, for good, with the reasons by id; `conflict`, if
    others have overtaken the rest.
    """

    failures: Mapping[str, str] = field(default_factory=dict)
    conflict: ConflictError | None = None

    @property
    def overtaken(self) -> frozenset[str]:
        """The ids of the documents that others have changed since they were read."""
        return self.conflict.ids - self.failures.keys() if self.conflict else frozenset()


def commit(
    items: Sequence[Item], attempt: Attempt[Item, Result]
) -> tuple[dict[int, Result], ConflictError | None]:
    """Attempt to write until nothing is left, or others have overtaken MAX_TRIES attempts: the results by
    place, and why the other items were not written.
    """
    left, results = dict(enumerate(items)), dict[int, Result]()
    conflict, overtaken = None, 0
    while left:
        try:
            done, conflict = attempt(left, conflict is not None)
        except ConflictError as error:
            done, conflict = {}, error
        results |= done
        left = {place: item for place, item in left.items() if place not in done}
        overtaken += conflict is not None
        if overtaken == MAX_TRIES:
            break
        if conflict and left:
            time.sleep(random.uniform(0, PAUSE_SECONDS * overtaken))  # noqa: S311
    return results, conflict if left else None


def commit_whole(attempt: Callable[[bool], Result]) -> Result:
    """The same for what is written as a whole or not at all: `attempt` gets whether others overtook it just
    before, and raises ConflictError when they do. Raises the last one if they always do.
    """
    results, conflict = commit([None], lambda _, again: ({0: attempt(again)}, None))
    if conflict:
        raise conflict
    return results[0]


def try_put(put: Callable[[], None]) -> Refused:
    """Let a store write documents, and return what it refused. Raises EngineError if it refused the call."""
    try:
        put()
    except ConflictError as error:
        return Refused(error.failures, error)
    except EngineError as error:
        if not error.failures or "" in error.failures:
            raise
        return Refused(error.failures)
    return Refused()
