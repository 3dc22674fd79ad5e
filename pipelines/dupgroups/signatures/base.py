"""What every signer is."""

from __future__ import annotations

from typing import Protocol

from dupgroups.model import Content, Signature


class Signer(Protocol):
    """Makes signatures: a frozen dataclass whose fields are the parameters of the published method.

    `scheme` names the method with everything that makes its signatures comparable. Signers are pure: the
    same content gives the same signature in every process and on every platform. A text with too few
    features gives `Signature(scheme)`, which matches nothing.
    """

    @property
    def scheme(self) -> str:
        """Name and parameters; signatures of two schemes never meet."""

    def __call__(self, content: Content) -> Signature:
        """The signature of a content."""
