"""What judges say they measured: it agrees with their verdicts."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest

from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from dupgroups.methods.verdicts.base import Explaining
from dupgroups.model import Content, Record
from stories import reprint, running_chinese, story

PAIRS = [
    (name, judge)
    for name, kind in sorted(SIGNERS.items())
    for judge in kind.judges
    if judge != "evidence"  # compares no thresholds, but adds
]
CHINESE = running_chinese("zh")
TEXTS = [
    (story("a"), reprint(story("a"), 2)),
    (story("a"), story("b")),
    (story("a"), "\n".join(story("a").split("\n")[:3])),
    (CHINESE, "\n".join(CHINESE.split("\n")[2:])),
    (CHINESE, running_chinese("anders")),
]
NEEDED = {"overlap_factors": (0, 1), "henzinger": (0, 1, 2)}
"""Which of their signals a copy must pass; of other judges it is the first."""

ON_ONE_HOST = {
    "cosine": [("cosine", 0.883, 0.87, "threshold"), ("cosine, to be similar", 0.883, 0.7, "near")],
    "fingerprints": [("fingerprints that agree", 0, 1, "least")],
    "hamming": [("differing bits", 5, 3, "distance"), ("differing bits, to be similar", 5, 8, "near")],
    "henzinger": [
        ("supershingles that agree", 1, 2, "supershingles"),
        ("bits that agree", 0.909, 0.924, "bits / 384"),
        ("pieces of the bits that are the same", 0, 1, "pieces"),
    ],
    "overlap_factors": [
        ("LCC / length of the shorter", 1.0, 1.0, "alpha + epsilon"),
        ("LCC / length of the longer", 0.917, 0.5, "beta"),
        ("LCC / length of the shorter, to be similar", 1.0, 0.5, "near"),
    ],
    "supershingles": [("supershingles common to both", 60, 1, "least")],
    "weighted_jaccard": [
        ("common to both", 0.871, 0.4, "threshold"),
        ("of the smaller in the larger", 0.989, 0.7, "containment"),
        ("common to both, to be similar", 0.871, 0.15, "near"),
    ],
}
"""Name, value, threshold and parameters of each signal, of a Chinese story and a part of it."""


@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_what_is_measured_of_a_copy_on_one_host(names: tuple[str, str]) -> None:
    signer, judge = SIGNERS[names[0]](), JUDGES[names[1]]()
    assert isinstance(judge, Explaining)
    a, b = (Record(text, text, "a", signer(Content(text))) for text in TEXTS[3])
    measured = [
        (one.name, round(one.value, 3), round(one.threshold, 3), one.parameter) for one in judge.signals(a, b)
    ]
    assert measured == ON_ONE_HOST.get(names[1], measured)
    elsewhere = judge.signals(replace(a, host="b"), b)
    assert [one.parameter for one in elsewhere] == [
        parameter.removesuffix(" + epsilon") for *_, parameter in measured
    ]


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
