"""The protocol of signers, and the code that signers share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar, Protocol, runtime_checkable

from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature

MOST_KEYS = 30
"""The most keys that the parameters of a published method may ask for; MinHash has its own `MAX_KEYS`.

An engine stores all keys of a signature, and every look-up asks for all."""


class Signer(Protocol):
    """Turns the text of an article into a signature. Pure: equal texts give equal signatures everywhere."""

    @property
    def scheme(self) -> str:
        """Name, version and non-default parameters: signatures of two schemes are never compared."""

    def __call__(self, content: Content) -> Signature:
        """The signature. A text with too few features gets one without keys, which matches nothing."""


@runtime_checkable
class BatchSigner(Signer, Protocol):
    """A signer that is faster with many texts at once."""

    def sign_many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, in the same order; equal to signing them one by one."""


def signatures_of(signer: Signer, contents: Sequence[Content]) -> list[Signature]:
    """The signatures of these texts, in the same order, by the fastest way that the signer offers."""
    if isinstance(signer, BatchSigner):
        return signer.sign_many(contents)
    return [signer(content) for content in contents]


@runtime_checkable
class PartSigner(Signer, Protocol):
    """A signer that knows the keys of the texts that have a part of a text."""

    def part_keys(self, content: Content) -> tuple[str, ...]:
        """The keys that the signatures of such texts may have; () for a text with too few features."""


def part_keys_of(signer: Signer, content: Content) -> tuple[str, ...]:
    """These keys; () if the signer does not know them."""
    return signer.part_keys(content) if isinstance(signer, PartSigner) else ()


class SchemeOfFields:
    """Base class of signers that are dataclasses: builds the scheme from name, version and fields.

    `VERSION` increases whenever the same parameters give signatures that differ from earlier ones.
    """

    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1

    @cached_property
    def scheme(self) -> str:
        """Name, version and the fields that differ from their defaults: "minhash.2 size=4 key_size=10"."""
        own: Any = self  # every subclass is a dataclass
        given = [(field.name, getattr(self, field.name), field.default) for field in fields(own)]
        parameters = (f"{name}={value}" for name, value, default in given if value != default)
        return " ".join([f"{self.NAME}.{self.VERSION}", *parameters])


def keys_needed(similarity: float, recall: float) -> int:
    """The number of keys that finds a pair of this similarity with probability `recall` (both 0 to 1).

    A pair shares none of n keys with probability (1 - similarity)^n. Raises ConfigError when more than
    `MOST_KEYS` are needed.
    """
    needed = math.log1p(-recall) / math.log1p(-similarity)
    keys = max(1, math.ceil(min(needed, 1e9)))  # of the smallest similarities, infinitely many are needed
    if keys > MOST_KEYS:
        what = f"{keys} keys would be needed to find pairs of similarity {similarity} with recall {recall}"
        cure = "raise the similarity or lower the recall"
        raise ConfigError(f"{what}, which is more than {MOST_KEYS}: {cure}")
    return keys
