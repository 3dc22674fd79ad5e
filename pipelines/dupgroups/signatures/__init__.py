"""Signers: functions from a Content to a Signature. One file per method; `SIGNERS` lists them by name."""

from __future__ import annotations

from dupgroups.signatures.base import JudgedSigner, Signer
from dupgroups.signatures.cosine import Cosine
from dupgroups.signatures.fingerprint import Fingerprint
from dupgroups.signatures.henzinger import Henzinger
from dupgroups.signatures.imatch import IMatch
from dupgroups.signatures.minhash import MinHash
from dupgroups.signatures.period_string import PeriodString
from dupgroups.signatures.shingling import Shingling
from dupgroups.signatures.simhash import SimHash
from dupgroups.signatures.spotsigs import SpotSigs
from dupgroups.signatures.weighted_phrases import WeightedPhrases

__all__ = ["SIGNERS", "JudgedSigner", "Signer"]

SIGNERS: dict[str, type[JudgedSigner]] = {
    "cosine": Cosine,
    "fingerprint": Fingerprint,
    "henzinger": Henzinger,
    "imatch": IMatch,
    "minhash": MinHash,
    "period_string": PeriodString,
    "shingling": Shingling,
    "simhash": SimHash,
    "spotsigs": SpotSigs,
    "weighted_phrases": WeightedPhrases,
}
