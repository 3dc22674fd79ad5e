"""What every signer is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, ClassVar, Protocol, runtime_checkable

from dupgroups.model import Content, Signature


class Signer(Protocol):
    """Turns the text of an article into a signature. Pure: equal texts sign alike everywhere."""

    @property
    def scheme(self) -> str:
        """Name, version and unusual parameters: signatures of two schemes never meet."""

    def __call__(self, content: Content) -> Signature:
        """The signature; one without keys (it matches nothing) for a text with too few features."""


class JudgedSigner(Signer, Protocol):
    """A signer that names the judges that read the bodies of its signatures; the first is its default."""

    judges: ClassVar[tuple[str, ...]]


@runtime_checkable
class ManySigner(Signer, Protocol):
    """A signer that is faster with many texts at once."""

    def many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, in their order: the same as one by one."""


def sign_all(signer: Signer, contents: Sequence[Content]) -> list[Signature]:
    """The signatures of these texts, in their order, as fast as the signer can."""
    if isinstance(signer, ManySigner):
        return signer.many(contents)
    return [signer(each) for each in contents]


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
