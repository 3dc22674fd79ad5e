"""Henzinger's combination: the projection measures angles, the supershingles find, both have to agree."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from math import acos, pi, sqrt

import numpy as np
import pytest

from dupgroups.errors import ConfigError
from dupgroups.model import Content, Record, Signature
from dupgroups.sketches.hashing import mix
from dupgroups.text.sentences import tokens
from dupgroups_papers.signatures.henzinger import Henzinger
from dupgroups_papers.sketches.projections import distance, project, widen
from dupgroups_papers.verdicts.henzinger import HenzingerRule
from stories import running_chinese, running_text


@pytest.mark.parametrize("kept", [0, 0.3, 0.7, 0.95, 1])
def test_bits_differ_as_the_angle_between_the_texts(kept: float) -> None:
    """Charikar: a bit differs with chance angle / pi. Mean of 40 pairs within four standard errors."""
    rng = random.Random(int(100 * kept))
    shares, truths = [], []
    for _ in range(40):
        one = [rng.randrange(2000) for _ in range(300)]
        two = [word if rng.random() < kept else rng.randrange(2000, 4000) for word in one]
        bits = [project(widen(mix(np.array(words, np.uint64) + np.uint64(1)), 6)) for words in (one, two)]
        shares.append(distance(*bits) / 384)
        a, b = Counter(one), Counter(two)
        dot = sum(a[word] * b[word] for word in a)
        norms = sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
        truths.append(acos(min(1.0, dot / norms)) / pi)
    truth = float(np.mean(truths))
    # the majority of a finite sum is only nearly normal, and ties count as zeros
    assert float(np.mean(shares)) == pytest.approx(truth, abs=4 * sqrt(0.25 / (384 * 40)) + 0.01)


def body(supers: list[int], bits: int) -> Record:
    head = bytes([len(supers)]) + np.array(supers, ">u8").tobytes()
    return Record("", "", "", Signature("henzinger.1", ("key",), head + bits.to_bytes(48, "big")))


@pytest.mark.parametrize(
    ("common", "differ", "relation"),
    [
        (6, 0, "duplicate"),
        (2, 29, "duplicate"),  # 384 - 29 = 355
        (2, 30, "near"),
        (1, 0, "near"),
        (1, 30, "different"),
        (0, 192, "different"),
    ],
)
def test_two_supershingles_and_then_355_bits(common: int, differ: int, relation: str) -> None:
    one = body([1, 2, 3, 4, 5, 6], 0)
    two = body([number if number <= common else number + 10 for number in range(1, 7)], (1 << differ) - 1)
    verdict = HenzingerRule()(one, two)
    assert verdict.relation == relation
    assert (verdict.score >= 0.5) is (relation == "duplicate")


@pytest.mark.parametrize("make", [running_text, running_chinese])
def test_only_what_differs_in_its_frame_is_found(
    make: Callable[[str], str],
) -> None:
    text, other = make("a"), make("b")
    signer, rule = Henzinger(), HenzingerRule()
    original, framed, alien = (
        Record("", "", "", signer(Content(page))) for page in (text, f"Page 7\n{text}\n2 comments", other)
    )
    assert set(original.signature.keys) & set(framed.signature.keys)
    assert rule(original, framed).relation in ("duplicate", "near")
    assert not set(original.signature.keys) & set(alien.signature.keys)
    assert rule(original, alien).relation == "different"
    assert len(original.signature.body) == 1 + 6 * 8 + 48
    assert original.signature.body[49:] == project(widen(tokens(text).hashes, 6))


@pytest.mark.parametrize("text", ["", "Too short by far.", "太短。"])
def test_a_tiny_text_has_no_keys(text: str) -> None:
    assert not Henzinger()(Content(text))


@pytest.mark.parametrize(
    "wrong",
    [{"size": 0}, {"minima": 13}, {"supershingle": 2}, {"bits": 100}, {"bits": 0}, {"least": 0}],
)
def test_wrong_parameters_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        Henzinger(**wrong)


@pytest.mark.parametrize("wrong", [{"supershingles": 0}, {"bits": 385}, {"bits": 100}])
def test_wrong_rules_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        HenzingerRule(**wrong)


def test_bodies_of_other_signers_are_a_wrong_configuration() -> None:
    for wrong in (b"", b"\0abc", b"\x06abc"):
        record = Record("", "", "", Signature("other", ("key",), wrong))
        with pytest.raises(ConfigError, match="reads signatures of henzinger, not of 'other'"):
            HenzingerRule()(record, record)
