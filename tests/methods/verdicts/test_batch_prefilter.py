"""What a judge sees of many pairs at once is what it says of each."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.methods.verdicts.base import Bodies
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
from dupgroups.model import Content, Record
from stories import story


def texts() -> list[str]:
    """Of all degrees of resemblance, half of them with numerals that differ, one long."""
    rng = random.Random(2)
    made = [story("long", 9_000)]
    for name in "abc":
        lines = story(name, 300).split("\n")
        for kept in (6, 6, 5, 5, 4, 3, 2, 1):
            counts = (
                f"day {rng.randint(1, 2)} of {rng.randint(1, 9)} counts" for _ in range(rng.choice([2, 8]))
            )
            numerals = " ".join(counts) if kept % 2 else "no count"
            filling = story(f"{name}{rng.random()}", 50 * (6 - kept) * rng.randint(0, 1) or 1)
            made.append("\n".join([*rng.sample(lines, kept), filling, numerals + "."]))
    return made


def pairs(signer: MinHash) -> list[tuple[Record, Record]]:
    records = [
        Record(str(place), str(place), f"site{place % 2}", signer(Content(text)))
        for place, text in enumerate(texts())
    ]
    return [(a, b) for a in records for b in records if a is not b and a.signature and b.signature]


def bodies(records: list[Record]) -> Bodies:
    return Bodies.of([record.signature.body for record in records])


DIFFERENT = {0.1: 390, 1: 0}
"""How many of 600 pairs surely do not join, by `compare_from`. With 1 the judge is asked."""


@pytest.mark.parametrize("doubt", DIFFERENT)
@pytest.mark.parametrize("signer", [MinHash(), MinHash(bits=560)])
def test_a_pair_that_joins_or_is_doubtful_may_join(signer: MinHash, doubt: float) -> None:
    judge, pile = EvidenceJudge(compare_from=doubt), pairs(signer)
    may_join = judge.may_join(bodies([a for a, _ in pile]), bodies([b for _, b in pile]))
    verdicts = [judge(a, b) for a, b in pile]
    joins = np.array([verdict.relation not in ("near", "different") for verdict in verdicts])
    doubtful = np.array([verdict.doubtful for verdict in verdicts])
    assert doubtful.any() == (doubt < 1)
    assert joins.any()
    assert not ((joins | doubtful) & ~may_join).any()
    if signer == MinHash():
        assert np.count_nonzero(~may_join) == DIFFERENT[doubt]


def test_copies_are_nearer_than_parts_and_these_than_other_texts() -> None:
    whole, other, long = story("a"), story("b"), story("long", 9_000)
    part = "\n".join(whole.split("\n")[:4])
    others = [Record(text, text, "", MinHash()(Content(text))) for text in (whole, part, other, long)]
    nearness, is_sure = EvidenceJudge().nearness(bodies(others[:1] * 4), bodies(others))
    assert nearness[0] == 1 > nearness[1] > 0.5 > 0.1 > nearness[2] > nearness[3] == 0
    assert is_sure.tolist() == [True, True, True, False], "of bitmaps of two levels it is not sure"


def test_bitmaps_of_two_lengths_are_left_to_the_judge_which_refuses_them() -> None:
    numbers = " ".join(
        f"The {word} of {place} cost {place + 20} crowns." for place, word in enumerate("abcdefgh" * 5)
    )
    short, long, other = (
        Record(text, text, "", MinHash(bits=bits)(Content(text)))
        for bits, text in ((560, f"{story('a')} {numbers}"), (1_120, story("b")), (1_120, story("c")))
    )
    assert len(short.signature.body) > len(long.signature.body), "although its bitmap is shorter"
    for mixed, more in ((short, long), (long, short)):
        may_join = EvidenceJudge().may_join(bodies([mixed, long]), bodies([more, other]))
        assert may_join.tolist() == [True, False]
        with pytest.raises(ConfigError, match=r"^bitmaps of \d+ and \d+ bits cannot be compared$"):
            EvidenceJudge()(mixed, more)
    assert EvidenceJudge(compare_from=0).may_join(bodies([long]), bodies([other])).tolist() == [True]


def test_bodies_are_parts_of_one_array() -> None:
    made = Bodies.of([b"abc", b"", b"defgh"])
    assert [made.data[start:end].tobytes() for start, end in zip(made.starts, made.ends, strict=True)] == [
        b"abc", b"", b"defgh"
    ]  # fmt: skip
    some = made[np.array([2, 0])]
    assert (some.sizes.tolist(), some.heads(2).tobytes()) == ([5, 3], b"deab")
    assert (len(Bodies.of([])), Bodies.of([]).heads(2).shape) == (0, (0, 2))


def test_bodies_that_are_no_bitmaps_are_left_to_the_judge() -> None:
    empty = Bodies.of([b"B", b"x"])
    assert EvidenceJudge().may_join(empty, empty).tolist() == [True, True]
    nearness, is_sure = EvidenceJudge().nearness(empty, empty)
    assert (nearness.tolist(), is_sure.tolist()) == ([1, 1], [False, False])
