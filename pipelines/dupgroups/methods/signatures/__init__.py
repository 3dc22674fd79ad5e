"""Signers: functions from a Content to a Signature. One file per method; `SIGNERS` finds them by name.

Only the default is here: published methods are in `dupgroups_papers/signatures/`, where new ones go, too.
"""

from __future__ import annotations

from dupgroups.methods.registry import MethodTable
from dupgroups.methods.signatures.base import Signer
from dupgroups.methods.signatures.minhash import MinHash

__all__ = ["SIGNERS", "Signer"]

SIGNERS = MethodTable("signer", {"minhash": MinHash})
