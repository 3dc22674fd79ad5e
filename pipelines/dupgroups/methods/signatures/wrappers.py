"""A wrapper for any signer: it keeps documents apart whose fields differ, so that no look-up leads across."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from dupgroups.methods.signatures.base import Signer, part_keys_of, signatures_of
from dupgroups.model import Content, Signature
from dupgroups.model.records import SCOPE_CHARS, SCOPE_MARK
from dupgroups.text.urls import host_of

KEY_BYTES = SCOPE_CHARS * 3 // 4  # of the digest in every key


@dataclass(frozen=True)
class Scoped:
    """Begins every key with a digest of the values of the fields `group_by`; bodies stay what they are."""

    signer: Signer
    group_by: tuple[str, ...]

    @cached_property
    def scheme(self) -> str:
        """The scheme of the signer, followed by the fields."""
        return f"{self.signer.scheme}{SCOPE_MARK}{','.join(sorted(set(self.group_by)))}"

    def __call__(self, content: Content) -> Signature:
        """The signature, whose keys only documents with the same values share."""
        return self.sign_many([content])[0]

    def sign_many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, in the same order, by the fastest way that the signer offers."""
        signed = []
        for content, own in zip(contents, signatures_of(self.signer, contents), strict=True):
            prefix = scope_digest(content, self.group_by)
            signed.append(Signature(self.scheme, tuple(f"{prefix}{key}" for key in own.keys), own.body))
        return signed

    def part_keys(self, content: Content) -> tuple[str, ...]:
        """See PartSigner."""
        prefix = scope_digest(content, self.group_by)
        return tuple(f"{prefix}{key}" for key in part_keys_of(self.signer, content))


def sign_in_scope(
    signer: Signer, former: Sequence[Signature], contents: Sequence[Content]
) -> list[Signature]:
    """The signatures of these texts in the scopes of former ones of the same documents."""
    signed = signatures_of(signer.signer if isinstance(signer, Scoped) else signer, contents)
    return [
        Signature(signer.scheme, tuple(f"{one.scope}{key}" for key in new.keys), new.body)
        for one, new in zip(former, signed, strict=True)
    ]


def scope_digest(content: Content, group_by: Sequence[str]) -> str:
    """12 characters that are the same for the documents of one scope: those with the same values."""
    host = host_of(content.url)
    known = {"language": content.language, "site": content.site or host, "host": host}
    values = [known[name] for name in sorted(known.keys() & set(group_by))]
    text = json.dumps([content.scope, *values]).encode()
    return b64encode(blake2b(text, digest_size=KEY_BYTES).digest()).decode()
