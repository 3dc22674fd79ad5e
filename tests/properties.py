"""Properties that meet what they are about: a run of examples in which nothing was found has proven
nothing."""

from collections.abc import Callable
from functools import wraps
from typing import Any

_met = 0


def met(something: object) -> None:
    """Say that this example has what the property is about, if `something` is true or not empty."""
    global _met
    _met += bool(something)


def must_meet(least: int = 1) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Fail a property, from above `@given`, of whose examples fewer than `least` have called `met`."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(*given: Any, **named: Any) -> None:
            before = _met
            test(*given, **named)
            count = _met - before
            assert count >= least, f"only {count} examples met what the property is about: draw others"

        return run

    return decorate
