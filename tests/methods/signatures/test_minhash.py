"""MinHash: keys find what resembles, stay few, and the signature stays small."""

from __future__ import annotations

import random

import pytest

from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.model import Content
from dupgroups.model.config import Config
from stories import story


def test_pairs_of_the_wanted_similarity_share_a_key_with_the_wanted_recall() -> None:
    """Of 30 sentences 6 are common to both, so that the key shingles have a resemblance of 0.2."""
    signer = MinHash(similarity=0.2, recall=0.95)
    rng = random.Random(1)
    found = 0
    for _ in range(400):
        words = ["".join(rng.choices("abcdefghij", k=5)) for _ in range(30 * 14)]
        sentences = [" ".join(words[at : at + 14]) + "." for at in range(0, len(words), 14)]
        one, two = (signer(Content(" ".join(part))) for part in (sentences[:18], sentences[12:]))
        found += not {*one.keys}.isdisjoint(two.keys)
    assert 0.91 < found / 400 <= 0.985


def test_a_signature_stays_small() -> None:
    assert len(MinHash(similarity=0.2, recall=0.95)(Content(story("a", 900))).keys) == 14
    text = " ".join(f"In the year {at} there were {at * 7} ships." for at in range(1500, 3000))
    signature = MinHash()(Content(text))
    assert sum(map(len, signature.keys)) == 29 * 5
    assert len(signature.body) == 196 + 44 * 3
    assert len(MinHash()(Content(story("a"))).body) == 196


PROGRAMME = "\n".join(
    f"{hour:02}.{minutes} {show} {what} {place}"
    for hour, minutes, show, what, place in zip(
        range(6, 24),
        ("15", "00", "45") * 6,
        ("Kitchen", "News", "Film", "Travel", "Quiz", "Nature", "Music", "Crime", "Weather") * 2,
        ("live", "repeat", "special", "tonight") * 5,
        ("Wexham", "Talmer", "Kessel", "Halvern", "Quarry", "Ellery", "Ostrand") * 3,
        strict=False,
    )
)


@pytest.mark.parametrize(
    "notes",
    [
        "All times are local, and may change. Subscribe to our newsletter for more. Write to the desk.",
        "Alle Angaben sind ohne Gewähr. Änderungen sind jederzeit möglich. Hinweise bitte an die Redaktion.",
    ],
)
def test_a_list_and_its_copy_with_notes_share_keys(notes: str) -> None:
    signer = MethodSet(Config()).signer("en")
    one, two = (signer(Content(text)) for text in (PROGRAMME, f"{PROGRAMME}\n{notes}"))
    assert len({*one.keys} & {*two.keys}) >= one.shared_keys
