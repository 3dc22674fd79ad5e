"""What holds for every signer, beyond the laws in `tests/methods/signatures`."""

from typing import Any

import pytest

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures import Signer
from dupgroups.model import Content
from dupgroups_papers.signatures.cosine import Cosine
from dupgroups_papers.signatures.fingerprint import Fingerprint
from dupgroups_papers.signatures.henzinger import Henzinger
from dupgroups_papers.signatures.imatch import IMatch
from dupgroups_papers.signatures.period_string import PeriodString
from dupgroups_papers.signatures.shingling import Shingling
from dupgroups_papers.signatures.simhash import SimHash
from dupgroups_papers.signatures.spotsigs import SpotSigs
from dupgroups_papers.signatures.weighted_phrases import WeightedPhrases
from stories import reprint, running_chinese

SIGNERS = [
    *(Cosine(), Fingerprint(), Henzinger(), IMatch(), PeriodString(), SpotSigs(), WeightedPhrases()),
    *(Shingling(), Shingling(modulus=1), Shingling(sketch="minima")),
    *(SimHash(), SimHash(features="words"), SimHash(features="slides")),
]


@pytest.mark.parametrize("signer", SIGNERS, ids=lambda signer: signer.scheme)
@pytest.mark.parametrize("text", ["the", "It is.", "。。。", "很短。", "!!"])
def test_a_tiny_text_has_no_keys(signer: Signer, text: str) -> None:
    assert not signer(Content(text))


@pytest.mark.parametrize("signer", SIGNERS, ids=lambda signer: signer.scheme)
def test_most_reprints_share_a_key(signer: Signer) -> None:
    """But for the fingerprint, which only equal texts share."""
    text = running_chinese("a")
    keys = set(signer(Content(text)).keys)
    found = [bool(keys & set(signer(Content(reprint(text, number))).keys)) for number in range(4)]
    assert sum(found) >= (0 if isinstance(signer, Fingerprint) else 3)


WRONG: list[tuple[type[Any], str, Any]] = [
    (Cosine, "terms", 0),
    (Cosine, "draws", 91),
    (Fingerprint, "least", 0),
    (Henzinger, "bits", 100),
    (IMatch, "lexicons", 30),
    (IMatch, "dropped", 1.0),
    (PeriodString, "keys", 31),
    (Shingling, "sketch", "best"),
    (Shingling, "top", 1.0),
    (SimHash, "distance", 5),
    (SpotSigs, "minima", 61),
    (WeightedPhrases, "weighting", "tf"),
    (WeightedPhrases, "common", 101),
    *((signer, "frequencies", "/no/such/file") for signer in (Cosine, IMatch, Shingling, SimHash)),
]


@pytest.mark.parametrize(("signer", "parameter", "value"), WRONG)
def test_wrong_parameters_are_refused(signer: type[Any], parameter: str, value: object) -> None:
    with pytest.raises(ConfigError):
        signer(**{parameter: value})
