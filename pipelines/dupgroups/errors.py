"""The errors of dup-groups, grouped by who must act. Each message says what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Collection, Mapping


class DupGroupsError(Exception):
    """Base of every error that dup-groups raises on purpose."""


class ConfigError(DupGroupsError, ValueError):
    """A setting is wrong: the user changes it."""


class InputError(DupGroupsError, ValueError):
    """A file or a page that was handed in cannot be used: the user looks at it."""


class MissingExtraError(DupGroupsError, ImportError):
    """An optional dependency is not installed.

    >>> MissingExtraError("web", "The search page")
    MissingExtraError("The search page needs an extra: pip install 'dup-groups[web]'")
    """

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'dup-groups[{extra}]'")


class EngineError(DupGroupsError):
    """The engine did not take everything. `failures` maps document ids to reasons; "" is the whole call.

    `temporary` says that the same call may succeed later (refused connection, 429, 503, time-out): retry.
    """

    def __init__(
        self, message: str, *, failures: Mapping[str, str] | None = None, temporary: bool = False
    ) -> None:
        super().__init__(message)
        self.failures = dict(failures or {})
        self.temporary = temporary


class ConflictError(EngineError):
    """Somebody else wrote meanwhile what the call rests on: look again, and make another plan.

    `ids` are the documents that were not stored for that reason; everything else of the call was written, or
    nothing at all where the store writes in transactions: then `ids` holds every document of the call.
    """

    def __init__(
        self, message: str, *, ids: Collection[str], failures: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, failures=failures, temporary=True)
        self.ids = frozenset(ids)
