"""Keys by which texts with a part of a text are found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dupgroups import Config
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.signatures import minhash
from dupgroups.methods.signatures.base import part_keys_of
from dupgroups.methods.signatures.minhash import MAX_PART_KEYS, MinHash
from dupgroups.methods.signatures.wrappers import Scoped
from dupgroups.model import Content
from stories import running_chinese, running_text, story

PROGRAMME = "\n".join(f"{hour}.30 {story(str(hour), 2)}" for hour in range(6, 30))
TEXTS = {
    "running text": ("en", running_text("quay")),
    "a short text": ("en", "The ferry struck a moored barge in thick fog, the coast guard of Talmer said."),
    "a list": ("en", PROGRAMME),
    "made words": ("en", story("quay")),
    "Chinese": ("zh", running_chinese("quay")),
    "short Chinese": ("zh", running_chinese("quay", 2)),
}


@pytest.mark.parametrize(("language", "text"), TEXTS.values(), ids=TEXTS)
def test_a_text_is_a_part_of_itself(language: str, text: str) -> None:
    signer = MethodSet(Config()).signer(language)
    keys = signer(Content(text)).keys
    assert len(keys) > 5
    assert set(keys) <= set(part_keys_of(signer, Content(text)))


@pytest.mark.parametrize(("language", "make"), [("en", running_text), ("zh", running_chinese)])
def test_a_long_text_has_most_keys_of_its_parts_and_no_more_than_a_search_takes(
    language: str, make: Callable[[str, int], str]
) -> None:
    signer = MethodSet(Config()).signer(language)
    parts = [make(f"part {number}", 20) for number in range(10)]
    whole = set(part_keys_of(signer, Content("\n".join(parts))))
    assert len(whole) <= MAX_PART_KEYS
    for part in parts:
        keys = set(signer(Content(part)).keys)
        assert len(keys & whole) >= 0.8 * len(keys)
    assert whole.isdisjoint(signer(Content(make("another", 20))).keys)


def test_of_a_huge_text_the_lowest_keys_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Content("\n".join(running_text(f"part {number}", 20) for number in range(60)))
    signer = MethodSet(Config()).signer("en")
    keys = part_keys_of(signer, text)
    monkeypatch.setattr(minhash, "MANY_NUMBERS", 6_000)
    assert part_keys_of(signer, text) == keys


def test_keys_of_a_scope_lead_to_that_scope_only() -> None:
    signer = Scoped(MinHash(), ("site",))
    here, there = (Content(running_text("quay"), site=site) for site in ("a.example", "b.example"))
    assert set(signer(here).keys) <= set(part_keys_of(signer, here))
    assert set(signer(here).keys).isdisjoint(part_keys_of(signer, there))


def test_a_signer_that_knows_no_parts_has_no_keys_for_them() -> None:
    signer = MethodSet(Config(preset="cedar")).signer("en")
    assert part_keys_of(signer, Content(running_text("quay"))) == ()
