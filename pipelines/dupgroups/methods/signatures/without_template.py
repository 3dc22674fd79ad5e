"""A wrapper for any signer that strips the template of the host first (see `dupgroups.methods.templates`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dupgroups.methods.signatures.base import Signer, signatures_of
from dupgroups.methods.templates import Templates
from dupgroups.model import Content, Signature
from dupgroups.text.urls import host_of


@dataclass(frozen=True)
class WithoutTemplate:
    """Signs the text without the template of the page's host. The content itself is not changed."""

    signer: Signer
    templates: Templates

    @cached_property
    def scheme(self) -> str:
        """The scheme of the signer, followed by the version of the templates."""
        return f"{self.signer.scheme} templates={self.templates.version}"

    def __call__(self, content: Content) -> Signature:
        """The signature of the rest of the text; it has no keys when the rest is too short."""
        return self.many([content])[0]

    def many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, in the same order, by the fastest way that the signer offers."""
        signatures = signatures_of(
            self.signer, [replace(content, text=self._stripped(content)) for content in contents]
        )
        return [replace(signature, scheme=self.scheme) for signature in signatures]

    def _stripped(self, content: Content) -> str:
        return self.templates.strip(host_of(content.url), content.text)
