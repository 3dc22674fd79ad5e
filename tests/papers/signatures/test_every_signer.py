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
    *(SimHash(), SimHash(features="words"), SimHash(features="slides")),
]


@pytest.mark.parametrize("signer", SIGNERS, ids=lambda signer: signer.scheme)
@pytest.mark.parametrize("text", ["the", "It is.", "。。。", "很短。", "!!"])
def test_a_tiny_text_has_no_keys(signer: Signer, text: str) -> None:
    assert not signer(Content(text))


WRONG: dict[type[Any], list[dict[str, Any]]] = {
    Cosine: [{"terms": 0}, {"draws": 2}, {"draws": 91}],
    Fingerprint: [],
    Henzinger: [{"size": 0}, {"minima": 13}, {"supershingle": 2}, {"bits": 100}, {"bits": 0}],
    IMatch: [
        *({"low": -0.1}, {"low": 0.7}, {"high": 1.1}, {"lexicons": 30}, {"dropped": 0.0}, {"dropped": 1.0}),
    ],
    PeriodString: [{"keys": 0}, {"keys": 31}, {"least": 3}, {"longest": 3}],
    Shingling: [
        *({"size": 0}, {"sketch": "best"}, {"modulus": 0}, {"supershingle": 0}, {"minima": 1}),
        *({"block_min_tokens": -1}, {"most_documents": 0}, {"top": 1.0}),
    ],
    SimHash: [
        *({"features": "letters"}, {"size": 0}, {"distance": 5}, {"distance": -1}, {"blocks": 65}),
        {"distance": 3, "blocks": 7},
    ],
    SpotSigs: [
        *({"antecedents": " "}, {"antecedents": 7}, {"spot_distance": 0}, {"chain_length": 0}),
        *({"minima": 1}, {"minima": 61}),
    ],
    WeightedPhrases: [
        *({"size": 0}, {"size": 33}, {"weighting": "tf"}, {"common": 0}, {"common": 101}, {"high": 1.1}),
        *({"low": 0.5, "high": 0.5}, {"similarity": 0}, {"similarity": 0.1}, {"recall": 1}),
        *({"samples": -1}, {"sentences": "some"}),
    ],
}
NAME_A_FILE = [Cosine, IMatch, Shingling, SimHash, WeightedPhrases]


@pytest.mark.parametrize(
    ("signer", "wrong"),
    [
        *((signer, wrong) for signer, wrongs in WRONG.items() for wrong in (*wrongs, {"least": 0})),
        *((signer, {"frequencies": "/no/such/file"}) for signer in NAME_A_FILE),
    ],
)
def test_wrong_parameters_are_refused(signer: type[Any], wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        signer(**wrong)
