"""What judges say they measured: it agrees with their verdicts."""

from __future__ import annotations

import math
from itertools import product

import pytest

from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from dupgroups.methods.verdicts.base import Explaining
from dupgroups.model import Content, Record
from stories import reprint, running_chinese, story

PAIRS = [(name, judge) for name, kind in sorted(SIGNERS.items()) for judge in kind.judges]
CHINESE = running_chinese("zh")
TEXTS = [
    (story("a"), reprint(story("a"), 2)),
    (story("a"), story("b")),
    (story("a"), "\n".join(story("a").split("\n")[:3])),
    (CHINESE, "\n".join(CHINESE.split("\n")[2:])),
    (CHINESE, running_chinese("anders")),
]
NEEDED = {"resemblance": (0, 3), "overlap_factors": (0, 1), "henzinger": (0, 1, 2)}
"""Which of their signals a copy must pass; of other judges it is the first."""


@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_a_copy_is_what_passes_the_tests_of_a_copy(names: tuple[str, str]) -> None:
    signer, judge = SIGNERS[names[0]](), JUDGES[names[1]]()
    assert isinstance(judge, Explaining)
    for texts, hosts in product(TEXTS, ("ab", "aa")):
        a, b = (
            Record(text, text, host, signer(Content(text))) for text, host in zip(texts, hosts, strict=True)
        )
        verdict, signals = judge(a, b), judge.signals(a, b)
        assert [signal.value for signal in judge.signals(b, a)] == [signal.value for signal in signals]
        assert all(math.isfinite(signal.value) and math.isfinite(signal.threshold) for signal in signals)
        assert len({signal.name for signal in signals}) == len(signals)
        for signal in signals:
            parameters = signal.parameter.replace("+", ",").replace(" / 384", "").split(",")
            assert all(hasattr(judge, parameter.strip()) for parameter in parameters)
        if verdict.relation == "too_short":
            assert signals == ()
        else:
            passed = all(signals[place].passed for place in NEEDED.get(names[1], (0,)))
            assert (verdict.relation == "duplicate") is passed
