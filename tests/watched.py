"""An engine whose calls are noted, and that can be made to fail, in front of a real one."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from dupgroups.engines import Engine
from dupgroups.errors import EngineError


class Watched:
    """Passes every call on to `engine` and notes it; `faults` replace methods of that name."""

    def __init__(self, engine: Engine, **faults: Callable[..., Any]) -> None:
        self.engine = engine
        self.faults = faults
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        method = self.faults.get(name) or getattr(self.engine, name)
        if not callable(method):
            return method

        @wraps(method)
        def noted(*args: Any, **options: Any) -> Any:
            self.calls.append((name, args))
            return method(*args, **options)

        return noted

    @property
    def names(self) -> list[str]:
        """The methods that were called, in order."""
        return [name for name, _ in self.calls]

    def given(self, name: str) -> list[Any]:
        """The first argument of every call of a method."""
        return [args[0] for called, args in self.calls if called == name]


def away(*_: Any, **__: Any) -> Any:
    """What a store does that cannot be reached."""
    raise EngineError("connection refused", temporary=True)
