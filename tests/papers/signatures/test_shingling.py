"""Shingling: the sets are the texts' shingles, sketches estimate what the sets give exactly."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.model import Content
from dupgroups_papers.codecs.set_codec import estimate_shared
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.signatures.shingling import Shingling
from stories import story

words = st.lists(
    st.sampled_from("to be or not that is the question ay there".split()), min_size=20, max_size=60
)
exact = Shingling(modulus=1)


def shingle_set(text: list[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(text[at : at + size]) for at in range(len(text) - size + 1)}


@given(one=words, two=words, size=st.integers(1, 6))
def test_whole_sets_give_what_sets_of_words_give(one: list[str], two: list[str], size: int) -> None:
    signer = Shingling(size=size, modulus=1, least=1, supershingle=1)
    bodies = (signer(Content(" ".join(words))).body for words in (one, two))
    a, b = shingle_set(one, size), shingle_set(two, size)
    assert estimate_shared(*bodies) == (len(a & b), len(a), len(b))


def test_chinese_can_be_cut_into_words_of_a_dictionary_of_ones_own(tmp_path: Path) -> None:
    (own := tmp_path / "own.txt").write_text("创新办 9 n\n\n杭研大厦\n", "utf-8")
    text = Content("他來到杭研大廈，李小福在创新办。")
    cutting = {"modulus": 1, "least": 1, "supershingle": 1, "tokens": "words"}
    by_words, by_own = (Shingling(1, **cutting, dictionary=file) for file in (None, str(own)))
    assert [len(signer.features(text)) for signer in (exact, by_words, by_own)] == [13, 8, 6]
    assert estimate_shared(by_own(text).body, by_own(Content("他来到杭研大厦。")).body) == (3, 6, 3)
    assert len({exact.scheme, by_words.scheme, by_own.scheme}) == 3
    own.write_text("创新办")
    assert Shingling(1, dictionary=str(own)).scheme != by_own.scheme


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"dictionary": "none.txt"}, r"cannot read 'none\.txt': No such file"),
        ({"tokens": "words", "frequencies": Frequencies.learn([])}, "frequencies count shingles"),
    ],
)
def test_a_dictionary_that_cannot_be_used_is_one_sentence(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        Shingling(**given)


def overlapping(seed: int, common: int, alone: int) -> tuple[str, str]:
    """Two texts of `common + alone` words each, of which `common` in a row are the same."""
    rng = random.Random(seed)
    made = ["".join(rng.choices("abcdefghij", k=6)) for _ in range(common + 2 * alone)]
    return " ".join(made[: common + alone]), " ".join(made[alone:])


@pytest.mark.parametrize("sketch", [{"modulus": 8}, {"sketch": "minima"}])
@pytest.mark.parametrize(("common", "alone"), [(500, 60), (100, 500)])
def test_sketches_estimate_resemblance_within_their_error(
    sketch: dict[str, str | int], common: int, alone: int
) -> None:
    """The mean over 30 pairs is within four of its standard errors, and so is the spread."""
    signer = Shingling(**sketch)  # type: ignore[arg-type]
    judged = []
    for seed in range(30):
        one, two = (signer(Content(text)).body for text in overlapping(seed, common, alone))
        both, a, b = estimate_shared(one, two)
        judged.append(both / (a + b - both))
    truth = (common - 1) / (common + 2 * alone - 1)
    samples = 84 if "sketch" in sketch else (common + 2 * alone) / 8
    error = (truth * (1 - truth) / samples) ** 0.5
    assert abs(np.mean(judged) - truth) < 4 * error / 30**0.5
    assert 0.6 * error < np.std(judged) < 1.5 * error


def test_short_blocks_can_be_left_out() -> None:
    menu = "\n".join(["Home page", "About us"] * 20)
    text = story("a", 300)
    kept = Shingling(block_min_tokens=10)
    assert kept(Content(f"{menu}\n{text}")).body == kept(Content(text)).body
    assert exact(Content(f"{menu}\n{text}")).body != exact(Content(text)).body


def learned(boiler: str) -> Frequencies:
    return Frequencies.learn(exact.features(Content(f"{boiler}\n{story(str(n))}")) for n in range(12))


@pytest.mark.parametrize("limit", [{"most_documents": 12}, {"top": 0.03}])
def test_shingles_of_too_many_documents_are_dropped(limit: dict[str, float]) -> None:
    boiler = story("boiler", 60)
    signer = Shingling(modulus=1, frequencies=learned(boiler), **limit)  # type: ignore[arg-type]
    full, bare = (signer(Content(body_text)).body for body_text in (f"{boiler}\n{story('a')}", story("a")))
    both, a, b = estimate_shared(full, bare)
    assert (both, b) == (b, 159)
    assert a - b <= 1  # the shingle across the border
    assert not signer(Content(boiler))
