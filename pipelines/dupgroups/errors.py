"""The exceptions of dup-groups, by who has to act. Each message says what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager


class DupGroupsError(Exception):
    """Base class of all errors that dup-groups raises deliberately."""


class ConfigError(DupGroupsError, ValueError):
    """A setting is wrong: the user has to change it."""


class MissingIndexError(ConfigError):
    """There is no index or file of this name: it is mistyped, or nothing has been stored yet."""


class InputError(DupGroupsError, ValueError):
    """A file or page from the user cannot be processed: the user has to look at it."""


class LeftOutError(InputError):
    """Most of the input was left out. What was done with the rest is kept, so it is raised at the end."""


class MissingExtraError(DupGroupsError, ImportError):
    """An optional dependency is not installed.

    >>> MissingExtraError("web", "The search page")
    MissingExtraError("The search page needs an extra: pip install 'dup-groups[web]'")
    """

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'dup-groups[{extra}]'")


@contextmanager
def require_extra(extra: str, what: str, *modules: str) -> Iterator[None]:
    """Raise MissingExtraError where one of these modules, or any but ours, is imported and not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        is_ours = (error.name or "").startswith("dupgroups")
        if is_ours or (modules and error.name not in modules):
            raise
        raise MissingExtraError(extra, what) from error


class EngineError(DupGroupsError):
    """The engine failed, for some documents or for all. `failures` maps ids to reasons; "" is the whole call.

    `temporary`: the same call may succeed later (refused connection, 429, 503, time-out), so retry.
    """

    def __init__(
        self, message: str, *, failures: Mapping[str, str] | None = None, temporary: bool = False
    ) -> None:
        super().__init__(message)
        self.failures = dict(failures or {})
        self.temporary = temporary


class ConflictError(EngineError):
    """Another writer has changed what the call was based on: read the store again and make a new plan.

    `ids` are the documents that were not stored for that reason. The rest of the call was written, unless the
    store writes in transactions: then nothing was written, and `ids` holds every document of the call.
    """

    def __init__(
        self, message: str, *, ids: Collection[str], failures: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, failures=failures, temporary=True)
        self.ids = frozenset(ids)
