"""Any signer, over the text without the template of its host (see `dupgroups.corpus.templates`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dupgroups.corpus.templates import Templates
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import Signer, sign_all
from dupgroups.text.urls import host_of


@dataclass(frozen=True)
class WithoutTemplate:
    """Signs what `signer` signs, less the template of the page's host. The content itself stays whole.

    `live`: the templates are still being learned, by who strips them from the text before it comes here.
    """

    signer: Signer
    templates: Templates
    live: bool = False

    @cached_property
    def scheme(self) -> str:
        """That of the signer, and the version of the templates."""
        known = self.templates
        name = f"live,{known.run},{known.common}" if self.live else known.version
        return f"{self.signer.scheme} templates={name}"

    def __call__(self, content: Content) -> Signature:
        """The signature of what is left; without keys when that is too little."""
        return self.many([content])[0]

    def many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, as fast as the signer can."""
        signed = sign_all(self.signer, [replace(each, text=self._left(each)) for each in contents])
        return [replace(each, scheme=self.scheme) for each in signed]

    def _left(self, content: Content) -> str:
        return content.text if self.live else self.templates.strip(host_of(content.url), content.text)
