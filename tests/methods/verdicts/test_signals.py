"""What judges say they measured, and against which of their thresholds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from dupgroups.methods.verdicts.base import Explaining
from dupgroups.model import Content, Record, Signature
from stories import running_chinese

PAIRS = [
    (name, judge)
    for name, kind in sorted(SIGNERS.items())
    for judge in kind.judges
    if judge != "evidence"  # compares no thresholds, but adds
]
CHINESE = running_chinese("zh")
PART = "\n".join(CHINESE.split("\n")[2:])
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
    a, b = (Record(text, text, "a", signer(Content(text))) for text in (CHINESE, PART))
    measured = [
        (one.name, round(one.value, 3), round(one.threshold, 3), one.parameter) for one in judge.signals(a, b)
    ]
    assert measured == ON_ONE_HOST.get(names[1], measured)
    assert judge.signals(a, replace(b, signature=Signature(b.signature.scheme))) == (), "too short"
    elsewhere = judge.signals(replace(a, host="b"), b)
    assert [one.parameter for one in elsewhere] == [
        parameter.removesuffix(" + epsilon") for *_, parameter in measured
    ]
