"""What every signer is, and what signers share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import ClassVar, Protocol, runtime_checkable

from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature

MOST_KEYS = 30
"""Keys of a signature at most: an engine stores them all, and every look-up asks for them all."""


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
class BatchSigner(Signer, Protocol):
    """A signer that is faster with many texts at once."""

    def many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, in their order: the same as one by one."""


def sign_all(signer: Signer, contents: Sequence[Content]) -> list[Signature]:
    """The signatures of these texts, in their order, as fast as the signer can."""
    if isinstance(signer, BatchSigner):
        return signer.many(contents)
    return [signer(each) for each in contents]


class SchemeOfFields:
    """Base of signers that are dataclasses: the scheme is made of name, version and fields.

    `VERSION` changes whenever equal parameters give other signatures than before.
    """

    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1

    @cached_property
    def scheme(self) -> str:
        """Name, version and the fields that differ from their defaults: "minhash.2 size=4 key_size=10"."""
        given = [
            f"{field.name}={value}"
            for field in fields(self)  # type: ignore[arg-type]  # every subclass is a dataclass
            if (value := getattr(self, field.name)) != field.default
        ]
        return " ".join([f"{self.NAME}.{self.VERSION}", *given])


def keys_needed(similarity: float, recall: float) -> int:
    """Keys with which a pair of this similarity is found with the chance `recall`, both between 0 and 1.

    A pair shares none of n keys with chance (1 - similarity)^n. Raises ConfigError for more than `MOST_KEYS`.
    """
    keys = math.ceil(math.log(1 - recall) / math.log(1 - similarity))
    if keys > MOST_KEYS:
        raise ConfigError(
            f"{keys} keys would be needed to find pairs of similarity {similarity} with recall {recall}, "
            f"more than {MOST_KEYS}: raise the similarity or lower the recall"
        )
    return keys
