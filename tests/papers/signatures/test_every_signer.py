"""What holds for every signer, beyond the laws in `tests/methods/signatures`."""

from __future__ import annotations

from typing import Any

import pytest

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures import Signer
from dupgroups.methods.verdicts import Judge
from dupgroups.model import Content, Record
from dupgroups_papers.signatures.cosine import Cosine
from dupgroups_papers.signatures.fingerprint import Fingerprint
from dupgroups_papers.signatures.henzinger import Henzinger
from dupgroups_papers.signatures.imatch import IMatch
from dupgroups_papers.signatures.period_string import PeriodString
from dupgroups_papers.signatures.shingling import Shingling
from dupgroups_papers.signatures.simhash import SimHash
from dupgroups_papers.signatures.spotsigs import SpotSigs
from dupgroups_papers.signatures.weighted_phrases import WeightedPhrases
from dupgroups_papers.verdicts.cosine import CosineSimilarity
from dupgroups_papers.verdicts.jaccard import Jaccard
from dupgroups_papers.verdicts.weighted_jaccard import WeightedJaccard
from stories import reprint, running_text


@pytest.mark.parametrize(
    ("signer", "judge"),
    [
        (Cosine(), CosineSimilarity()),
        (Shingling(), Jaccard()),
        (Shingling(modulus=1), Jaccard()),
        (Shingling(sketch="minima"), Jaccard()),
        (Shingling(size=4), Jaccard()),
        (SpotSigs(), Jaccard()),
        (WeightedPhrases(), WeightedJaccard()),
        (WeightedPhrases(samples=0), WeightedJaccard()),
    ],
)
def test_reprints_share_keys_and_are_judged_duplicates(signer: Signer, judge: Judge) -> None:
    text = running_text("a")
    original, other, *copies = (
        Record("", "", "", signer(Content(version)))
        for version in (text, running_text("b"), *(reprint(text, number) for number in range(3)))
    )
    for copy in copies:
        assert set(original.signature.keys) & set(copy.signature.keys)
        assert judge(original, copy).relation == "duplicate"
    assert judge(original, other).relation == "different"


SIGNERS = [
    *(Cosine(), Fingerprint(), Henzinger(), IMatch(), PeriodString(), SpotSigs(), WeightedPhrases()),
    *(Shingling(), Shingling(modulus=1), Shingling(sketch="minima")),
    *(SimHash(), SimHash(features="words")),
]


@pytest.mark.parametrize("signer", SIGNERS, ids=lambda signer: signer.scheme)
@pytest.mark.parametrize("text", ["the", "It is.", "。。。", "很短。", "!!"])
def test_a_tiny_text_has_no_keys(signer: Signer, text: str) -> None:
    assert not signer(Content(text))


WRONG: list[tuple[type[Any], str, list[Any]]] = [
    (Cosine, "terms", [0]),
    (Cosine, "draws", [2, 91]),
    (Fingerprint, "least", [0]),
    (Henzinger, "bits", [0, 100]),
    (IMatch, "lexicons", [30]),
    (IMatch, "dropped", [0.0, 1.0]),
    (PeriodString, "keys", [0, 31]),
    (Shingling, "sketch", ["best"]),
    (Shingling, "top", [1.0]),
    (SimHash, "distance", [-1, 5]),
    (SpotSigs, "minima", [1, 61]),
    (WeightedPhrases, "weighting", ["tf"]),
    (WeightedPhrases, "common", [0, 101]),
    *((signer, "frequencies", ["/no/such/file"]) for signer in (Cosine, IMatch, Shingling, SimHash)),
]


@pytest.mark.parametrize(
    ("signer", "parameter", "value"),
    [(signer, parameter, value) for signer, parameter, values in WRONG for value in values],
)
def test_wrong_parameters_are_refused(signer: type[Any], parameter: str, value: object) -> None:
    with pytest.raises(ConfigError):
        signer(**{parameter: value})
