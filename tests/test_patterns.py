"""Regular expressions take linear time, whatever a page says; a new one is tested as soon as it is there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from dupgroups.text.snippets import _pattern
from dupgroups.text.words import _run_pattern
from patterns import Used, attacks, patterns

PACKAGES = ("dupgroups", "dupgroups_es", "newscrawl")

# functions that put patterns together, what they make, and how it is used
MADE = {
    "_run_pattern": (_run_pattern(), "findall"),
    "_pattern": (_pattern(["ferry", "a", "aa", "aaa", "春茶"]), "finditer"),
    "canonical": (re.compile(r"^(https?://[^/?]*?):80(?=[/?]|$)"), "sub"),
    "print_json": (re.compile("(?!\\n)[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e]"), "sub"),
}

SMALL, LARGE = 250, 2_000  # characters: eight times as many take a linear pattern eight times as long
SUPERLINEAR = 24.0  # between 8, linear, and 64, quadratic


def seconds(call: Callable[[], Any], tries: int) -> float:
    """The least processor time of some tries: what else the machine does only adds to it."""
    times = []
    for _ in range(tries):
        begin = time.thread_time()
        call()
        times.append(time.thread_time() - begin)
    return min(times)


def applied(pattern: re.Pattern[Any], method: str, text: str) -> Callable[[], Any]:
    given: Any = text.encode("utf-8", "surrogatepass") if isinstance(pattern.pattern, bytes) else text
    if method in ("match", "fullmatch"):
        return lambda: getattr(pattern, method)(given)
    return lambda: sum(1 for _ in pattern.finditer(given))  # as all others look through a text


def growth(pattern: re.Pattern[Any], method: str, small: str, large: str) -> float:
    """How many times as long the large text takes; measured again while it looks like too much."""
    least = float("inf")
    for tries in (1, 3, 9):
        taken = seconds(applied(pattern, method, small), 3 * tries)
        least = min(least, seconds(applied(pattern, method, large), tries) / max(taken, 1e-7))
        if least < SUPERLINEAR:
            break
    return least


def superlinear(used: Used) -> str:
    """An attack under which the pattern takes more than linear time, shortened; "" when there is none."""
    methods = {method if method in ("match", "fullmatch") else "finditer" for method in used.methods}
    for small, large in zip(attacks(used.pattern, SMALL), attacks(used.pattern, LARGE), strict=True):
        for method in methods:
            if growth(used.pattern, method, small, large) >= SUPERLINEAR:
                return f"{method} {large[:30]!r}...{large[-10:]!r}"
    return ""


def test_every_pattern_takes_linear_time() -> None:
    used = patterns(*PACKAGES)
    assert len(used) > 100
    assert {one.place: attack for one in used if (attack := superlinear(one))} == {}


@pytest.mark.parametrize("name", MADE)
def test_every_pattern_that_is_put_together_takes_linear_time(name: str) -> None:
    pattern, method = MADE[name]
    assert superlinear(Used(name, pattern, (method,))) == ""


@pytest.mark.parametrize(
    "pattern",
    [
        r'"@type"\s*:\s*\[?\s*"[A-Za-z]*(?:Article|BlogPosting|Report)"',
        r'="author"[^<>]*>',
        r"(?<![\w.#-])(\d*\.?\d+)(px|pt)",
        r"\s+[|-]+\s+",
        rb"<a\s+\w*\s*href",
    ],
)
def test_patterns_that_are_known_to_be_slow_are_noticed(pattern: str | bytes) -> None:
    assert superlinear(Used("", re.compile(pattern), ("search",)))
