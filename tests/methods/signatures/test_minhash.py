"""MinHash: keys of runs and of pairs of words find what resembles, and are few; signatures stay small."""

from __future__ import annotations

import random
from hashlib import blake2b
from itertools import combinations

import pytest

from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.model import Content, Signature
from dupgroups.model.config import Config
from dupgroups.text.news_words import pages_and_words
from stories import misread, news_text, story


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


def signed(text: str) -> Signature:
    return MethodSet().signatures([Content(text)])[0]


def test_misread_copies_share_a_key_and_other_texts_hardly_ever() -> None:
    copies = [[set(signed(misread(news_text(str(n)), c, 0.04)).keys) for c in "ab"] for n in range(40)]
    assert sum(bool(one & two) for one, two in copies) >= 38
    assert sum(bool(one & two) for (one, _), (two, _) in combinations(copies, 2)) <= 8


def test_texts_on_one_subject_hardly_ever_share_a_key() -> None:
    """Every seventh word is one of twelve names, the others are as frequent as in the news."""
    counts = {word: n for n, some in pages_and_words()[1] for word in some.split() if word.isascii()}
    rng = random.Random(1)
    names = rng.sample([word for word in counts if 4 <= len(word) <= 7], 12)
    keys = []
    for _ in range(40):
        drawn = rng.choices([*counts], [*counts.values()], k=300)
        words = [word if n % 7 else rng.choice(names) for n, word in enumerate(drawn)]
        lines = (" ".join(words[start : start + 15]).capitalize() for start in range(0, 300, 15))
        keys.append(set(signed(".\n".join([*lines, ""])).keys))
    assert sum(bool(one & two) for one, two in combinations(keys, 2)) <= 8


def test_a_signature_has_at_most_31_keys_and_takes_483_bytes() -> None:
    numerals = " ".join(f"{word} {place}" for place, word in enumerate(news_text("b", 60).split()))
    for text in (news_text("a"), news_text("a", 300), numerals, story("c")):
        signature = signed(text)
        assert len(signature.keys) <= 31
        assert sum(map(len, signature.keys)) + len(signature.body) <= 483


def test_many_texts_have_the_pairs_of_one_text_and_these_stay_what_is_stored() -> None:
    foreign = " ".join(f"wort{n} satz{n}" for n in range(40)) + "."
    texts = [foreign if n == 7 else news_text(str(n), 1 + n % 30) for n in range(40)]
    many = MethodSet().signatures([Content(text) for text in texts])
    assert many == [signed(text) for text in texts]
    assert blake2b(repr(many).encode(), digest_size=8).hexdigest() == "44080957f9fa9340"
