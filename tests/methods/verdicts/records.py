"""Records to be judged, and the laws of every judge."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.verdicts import Judge
from dupgroups.model import Record, Signature, Verdict

TURNED = {"contains": "contained", "contained": "contains"}


def record(body: bytes, *, host: str = "", scheme: str = "some.1") -> Record:
    return Record("x", "x", host, Signature(scheme, ("key",), body))


def hashes(start: int, stop: int) -> NDArray[np.uint64]:
    """Members of a set; only their upper four bytes are stored."""
    return np.arange(start, stop, dtype=np.uint64) << np.uint64(32)


def judged(judge: Judge, a: Record, b: Record) -> Verdict:
    """The verdict, once score and relation are seen to be symmetric (`contains` turns to `contained`)."""
    verdict, back = judge(a, b), judge(b, a)
    assert back.score == verdict.score
    assert back.relation == TURNED.get(verdict.relation, verdict.relation)
    assert 0 <= verdict.score <= 1
    return verdict


def check_too_short(judge: Judge, full: Record) -> None:
    """A record without keys is too short, on either side; one with keys is not."""
    empty = Record("x", "x", "", Signature("some.1"))
    verdict = Verdict("too_short", 0.0, "At least one of them has too little running text to be compared.")
    assert judge(empty, full) == judge(full, empty) == judge(empty, empty) == verdict
    assert judge(full, full).relation == "duplicate"


def refused(make: Callable[[], Any], sentence: str) -> None:
    """A wrong parameter is a ConfigError of exactly this sentence."""
    with pytest.raises(ConfigError, match=f"^{re.escape(sentence)}$"):
        make()
