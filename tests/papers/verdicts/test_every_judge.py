"""What holds for every judge: signatures of another kind and wrong parameters are refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dupgroups.errors import ConfigError
from dupgroups.methods.verdicts import Judge
from dupgroups.model import Record
from dupgroups.text.hashing import Hashes, mix
from dupgroups_papers.codecs import set_codec, vector_codec, weight_codec
from dupgroups_papers.codecs.set_codec import pack_minima, pack_sample
from dupgroups_papers.verdicts.cosine_similarity import CosineSimilarity
from dupgroups_papers.verdicts.fingerprints import Fingerprints
from dupgroups_papers.verdicts.hamming import Hamming
from dupgroups_papers.verdicts.henzinger_rule import HenzingerRule
from dupgroups_papers.verdicts.jaccard import Jaccard
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors
from dupgroups_papers.verdicts.shared_supershingles import Supershingles
from methods.verdicts.records import hashes, record, refused

NEAR = "near must be above 0, and threshold at least near and at most 1"
SUPERSHINGLES = "supershingles must be between 1 and 255"
BITS = "bits must be between 192, which agree by chance, and 384"
WRONG: list[tuple[type[Any], str, list[dict[str, float]]]] = [
    (CosineSimilarity, NEAR, [{"near": 0.0}, {"near": 0.9}, {"threshold": 1.01}]),
    (Fingerprints, "least must be at least 1", [{"least": 0}]),
    (Hamming, "distance must be at least 0, and near at least distance", [{"distance": -1}, {"distance": 9}]),
    (HenzingerRule, SUPERSHINGLES, [{"supershingles": 0}, {"supershingles": 256}]),
    (HenzingerRule, "pieces must be between 0 and 64", [{"pieces": -1}, {"pieces": 65}]),
    (HenzingerRule, BITS, [{"bits": 191}, {"bits": 385}]),
    (Jaccard, NEAR, [{"near": 0.0}, {"near": 0.5}, {"threshold": 1.01}]),
    (Jaccard, "containment must be above 0 and at most 1", [{"containment": 0.0}, {"containment": 1.01}]),
    (OverlapFactors, "beta must be above 0 and at most alpha", [{"alpha": 0.4}, {"beta": 0.0}]),
    (OverlapFactors, "near must be above 0 and at most alpha", [{"near": 0.9}, {"near": 0.0}]),
    (
        OverlapFactors,
        "epsilon must be at least 0, and alpha + epsilon at most 1",
        [{"epsilon": 0.3}, {"epsilon": -0.1}, {"alpha": 1.2, "epsilon": 0}],
    ),
    (Supershingles, "size and least must be at least 1", [{"size": 0}, {"least": 0}]),
]


@pytest.mark.parametrize(
    ("judge", "sentence", "parameters"),
    [(judge, sentence, wrong) for judge, sentence, several in WRONG for wrong in several],
)
def test_wrong_parameters_are_refused(judge: type[Any], sentence: str, parameters: dict[str, float]) -> None:
    refused(lambda: judge(**parameters), sentence)


SET = record(set_codec.pack_sample(hashes(0, 9)))
PRINT, BITS_64, COMBINED = record(bytes(7) + b"\1"), record(bytes(8)), record(b"\1" + bytes(8 + 48))


FINGERPRINTS = "the judge 'fingerprints' reads signatures of imatch or fingerprint, not of 'other.1'"
HENZINGER = "the judge 'henzinger' reads signatures of henzinger, not of 'other.1'"
NO_SET = "the body of this signature is not a set: choose a judge that fits its signer"
OTHER_NUMBERS = "these signatures have different numbers of fingerprints: run `dup-groups backfill`"


@pytest.mark.parametrize(
    ("judge", "full", "body", "sentence"),
    [
        (Fingerprints(), PRINT, b"", FINGERPRINTS),
        (Fingerprints(), PRINT, bytes(9), FINGERPRINTS),
        (Fingerprints(), PRINT, bytes(16), OTHER_NUMBERS),
        (Hamming(), BITS_64, bytes(9), "the judge 'hamming' reads signatures of simhash, not of 'some.1'"),
        (HenzingerRule(), COMBINED, b"", HENZINGER),
        (HenzingerRule(), COMBINED, b"\0bits", HENZINGER),
        (HenzingerRule(), COMBINED, b"\1" + bytes(8), HENZINGER),
        (HenzingerRule(), COMBINED, b"\2" + bytes(12), HENZINGER),
        (Supershingles(), SET, b"no set", NO_SET),
    ],
)
def test_signatures_of_another_signer_are_refused(
    judge: Judge, full: Record, body: bytes, sentence: str
) -> None:
    refused(lambda: judge(full, record(body, scheme="other.1")), sentence)


def mixed(values: list[int]) -> Hashes:
    return mix(np.array(values, np.uint64) + np.uint64(1))


ONE = mixed([1])
ELEMENTS = weight_codec.pack_elements(ONE, np.array([1.0]))
FEW = weight_codec.pack_samples(mixed(list(range(8))), 1.0)


@pytest.mark.parametrize(
    ("measure", "a", "b"),
    [
        (set_codec.estimate_shared, pack_sample(ONE), pack_minima(ONE, 1)),
        (vector_codec.cosine, b"1234567", b"1234567"),
        (weight_codec.estimate_shared, b"no", b"no"),
        (weight_codec.estimate_shared, ELEMENTS, FEW),
    ],
)
def test_bodies_of_another_kind_are_a_wrong_configuration(
    measure: Callable[[bytes, bytes], object], a: bytes, b: bytes
) -> None:
    with pytest.raises(ConfigError):
        measure(a, b)
