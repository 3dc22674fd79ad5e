"""What every signer is."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Protocol

from dupgroups.model import Content, Signature


class Signer(Protocol):
    """Turns the text of an article into a signature. Pure: equal texts sign alike everywhere."""

    @property
    def scheme(self) -> str:
        """Name, version and unusual parameters: signatures of two schemes never meet."""

    def __call__(self, content: Content) -> Signature:
        """The signature; one without keys (it matches nothing) for a text with too few features."""


def scheme(name: str, version: int, signer: Any) -> str:
    """The scheme of a dataclass: its name, its version and the fields that differ from their defaults.

    The version changes whenever equal parameters give other signatures than before.
    """
    given = [
        f"{each.name}={value}"
        for each in fields(signer)
        if (value := getattr(signer, each.name)) != each.default
    ]
    return " ".join([f"{name}.{version}", *given])
