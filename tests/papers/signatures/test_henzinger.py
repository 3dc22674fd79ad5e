"""Henzinger's combination: supershingles, and the projection of the words."""

from __future__ import annotations

from dupgroups.model import Content
from dupgroups.text.sentences import tokens
from dupgroups_papers.signatures.henzinger import Henzinger
from dupgroups_papers.sketches.projections import project, widen
from stories import running_text


def test_the_body_holds_the_supershingles_and_then_the_bits() -> None:
    text = running_text("a")
    body = Henzinger()(Content(text)).body
    assert (body[0], len(body)) == (6, 1 + 6 * 8 + 48)
    assert body[49:] == project(widen(tokens(text).hashes, 6))
