"""Which threshold would change a verdict: every value is tried on a judge that is built with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.flow.explain.thresholds import STEP, Change, changes
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from dupgroups.model import Content, Record, Signature, Verdict
from stories import reprint, running_chinese, story

PAIRS = [(name, judge) for name, kind in sorted(SIGNERS.items()) for judge in kind.judges]
CHINESE = running_chinese("zh")
TEXTS = {
    "reprint": (story("a"), reprint(story("a"), 2)),
    "excerpt": (story("a"), "\n".join(story("a").split("\n")[:2])),
    "half": ("\n".join(story("a").split("\n")[:4] + story("b").split("\n")[:4]), story("a")),
    "others": (story("a"), story("b")),
    "chinese": (CHINESE, "\n".join(CHINESE.split("\n")[:9]) + running_chinese("anders")),
}


def records(signer: Any, texts: tuple[str, str], hosts: tuple[str, str] = ("a", "b")) -> list[Record]:
    return [
        Record(name, name, host, signer(Content(text)))
        for name, text, host in zip("xy", texts, hosts, strict=True)
    ]


def check(judge: Any, change: Change, a: Record, b: Record) -> None:
    """The judge with this value gives this relation, and those with a value between give the present one."""
    present = judge(a, b).relation
    assert change.relation != present
    assert replace(judge, **{change.parameter: change.to})(a, b).relation == change.relation
    step = 1 if isinstance(change.value, int) else STEP
    nearer = change.to - step if change.to > change.value else change.to + step
    between = [nearer, change.value + (nearer - change.value) / 2]
    for value in between if step == STEP else map(round, between):
        assert replace(judge, **{change.parameter: value})(a, b).relation == present


@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_the_judge_with_the_value_gives_the_relation_and_the_one_before_it_does_not(
    names: tuple[str, str],
) -> None:
    signer, judge = SIGNERS[names[0]](), JUDGES[names[1]]()
    for texts in TEXTS.values():
        for hosts in (("a", "b"), ("a", "a")):
            a, b = records(signer, texts, hosts)
            for change in changes(judge, a, b):
                check(judge, change, a, b)


@dataclass(frozen=True)
class Steps:
    """A judge whose relation changes at `edge`; values of `level` beyond `limit` are not allowed."""

    level: int
    edge: int
    limit: int

    def __post_init__(self) -> None:
        if not 0 <= self.level <= self.limit:
            raise ConfigError("level must be allowed")

    def __call__(self, a: Record, b: Record) -> Verdict:
        return Verdict("duplicate" if self.level >= self.edge else "near", 0.0, "")


@given(st.integers(0, 400), st.integers(0, 500), st.integers(0, 400))
def test_the_nearest_value_is_found_wherever_it_is(level: int, edge: int, limit: int) -> None:
    judge = Steps(level, edge, max(level, limit))
    a = Record("a", "a", "", Signature(""))
    of_level = [change.to for change in changes(judge, a, a) if change.parameter == "level"]
    if level >= edge:
        assert of_level == ([edge - 1] if edge > 0 else [])
    else:
        assert of_level == ([edge] if edge <= judge.limit else [])
