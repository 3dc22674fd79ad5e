"""Document frequencies: counted as a dictionary counts them, kept in a file, distinguished by version."""

from collections import Counter
from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import windows
from dupgroups.text.sentences import tokens
from dupgroups_papers.corpus import frequencies
from dupgroups_papers.corpus.frequencies import Frequencies

corpora = st.lists(st.lists(st.integers(0, 30), max_size=20), max_size=12)


def learn(corpus: list[list[int]], least: int = 1) -> Frequencies:
    return Frequencies.learn((np.array(features, np.uint64) for features in corpus), least)


@given(corpora, st.integers(1, 3))
def test_counts_are_those_of_a_dictionary(corpus: list[list[int]], least: int) -> None:
    known = learn(corpus, least)
    truth = Counter(feature for document in corpus for feature in set(document))
    asked = np.arange(40, dtype=np.uint64)
    assert known.documents == len(corpus)
    expected = [count if (count := truth[feature]) >= least else 0 for feature in range(40)]
    assert known.of(asked).tolist() == expected
    assert known.idf(asked).tolist() == pytest.approx(
        [log((len(corpus) + 1) / (count + 1)) for count in expected]
    )


@given(corpora, st.integers(1, 40), st.integers(1, 30))
def test_in_bounded_memory_no_count_is_too_low_by_more_than_it_says(
    corpus: list[list[int]], most: int, batch: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequencies, "_BATCH_FEATURES", batch)
        known = Frequencies.learn((np.array(features, np.uint64) for features in corpus), most=most)
    truth = Counter(feature for document in corpus for feature in set(document))
    counts = known.of(np.arange(31, dtype=np.uint64)).tolist()
    assert all(truth[feature] - known.error <= counts[feature] <= truth[feature] for feature in range(31))
    assert len(known.features) <= most + batch + 20  # what is held, and what one document more can bring
    if len(truth) <= most:
        assert known.error == 0


@given(st.lists(st.text("ab c", max_size=12), max_size=6), st.integers(1, 3), st.integers(1, 3))
def test_the_spectrum_counts_every_distinct_phrase_once(texts: list[str], size: int, least: int) -> None:
    """Words are not in it, and phrases too rare for the file are."""
    held = Counter(phrase for text in texts for phrase in set(windows(tokens(text).hashes, size).tolist()))
    truth = Counter(held.values())
    spectrum = Frequencies.of_texts(texts, size, least).spectrum
    assert spectrum
    assert dict(zip(spectrum.counts.tolist(), spectrum.phrases.tolist(), strict=True)) == truth
    assert spectrum.size == size
    for limit in range(1, 8):
        above = sum(count >= limit for count in held.values())
        assert spectrum.at_least(limit) == pytest.approx(above / max(len(held), 1))


@given(corpora, st.floats(0, 0.999), st.integers(1, 4))
def test_the_top_is_at_most_the_share_of_all_phrases(
    corpus: list[list[int]], share: float, least: int
) -> None:
    """Also of those that are too rare to be kept. The next limit would be too much: ties go together."""
    known = learn(corpus, least)
    spectrum, limit = known.spectrum, known.top_frequency(share)
    assert spectrum
    assert spectrum.at_least(limit) <= share
    assert limit == 1 or spectrum.at_least(int(spectrum.counts[spectrum.counts < limit].max())) > share


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    known = replace(learn([[1, 2], [2, 3]]), error=3)
    known.save(tmp_path / "words")
    again = Frequencies.open(str(tmp_path / "words"))
    assert again.version == str(again) == known.version
    assert again.of(np.array([2, 9], np.uint64)).tolist() == [2, 0]
    assert again.error == 3
    assert again.spectrum
    assert again.spectrum.phrases.tolist() == [2, 1]
    assert again.spectrum.counts.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "array"), [("features", np.array([1.0, 2.0])), ("phrase_counts", np.array([2, 1], np.uint32))]
)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, name: str, array: np.ndarray) -> None:
    path = tmp_path / "words.npz"
    learn([[1, 2], [2]]).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **{**arrays, name: array})
    with pytest.raises(ConfigError, match="frequencies: cannot read"):
        Frequencies.open(path)
