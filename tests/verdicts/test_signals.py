"""What judges say they measured: it agrees with their verdicts."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dupgroups.model import Content, Record
from dupgroups.signatures import SIGNERS
from dupgroups.verdicts import JUDGES
from dupgroups.verdicts.base import Explaining
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
    for texts in TEXTS:
        signatures = [signer(Content(text)) for text in texts]
        for hosts in ("ab", "aa"):
            check(
                names[1],
                judge,
                [Record(*record) for record in zip(texts, texts, hosts, signatures, strict=True)],
            )


def check(name: str, judge: Explaining, records: list[Record]) -> None:
    a, b = records
    verdict, signals = judge(a, b), judge.signals(a, b)
    assert [signal.value for signal in judge.signals(b, a)] == [signal.value for signal in signals]
    assert all(math.isfinite(signal.value) and math.isfinite(signal.threshold) for signal in signals)
    assert len({signal.name for signal in signals}) == len(signals)
    if verdict.relation == "too_short":
        assert signals == ()
    else:
        passed = all(signals[place].passed for place in NEEDED.get(name, (0,)))
        assert (verdict.relation == "duplicate") is passed


@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_the_parameters_of_a_signal_are_those_of_the_judge(names: tuple[str, str]) -> None:
    signer, judge = SIGNERS[names[0]](), JUDGES[names[1]]()
    record: Any = Record("a", "a", "host", signer(Content(CHINESE)))
    for signal in judge.signals(record, record):  # type: ignore[attr-defined]
        named = signal.parameter.replace("+", ",").replace(" / 384", "").split(",")
        assert all(hasattr(judge, name.strip()) for name in named)
