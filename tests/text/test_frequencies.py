"""Document frequencies: counted as a dictionary counts them, kept in a file, told apart by version."""

from __future__ import annotations

from collections import Counter
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.text import frequencies
from dupgroups.text.frequencies import Frequencies

corpora = st.lists(st.lists(st.integers(0, 30), max_size=20), max_size=12)


def learn(corpus: list[list[int]], least: int = 1) -> Frequencies:
    return Frequencies.learn((np.array(each, np.uint64) for each in corpus), least)


@given(corpora, st.integers(1, 3), st.sampled_from([1, 7, 1 << 22]))
def test_counts_are_those_of_a_dictionary(corpus: list[list[int]], least: int, batch: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequencies, "_BATCH", batch)
        known = learn(corpus, least)
    truth = Counter(each for document in corpus for each in set(document))
    asked = np.arange(40, dtype=np.uint64)
    assert known.documents == len(corpus)
    expected = [count if (count := truth[each]) >= least else 0 for each in range(40)]
    assert known.of(asked).tolist() == expected
    assert known.idf(asked).tolist() == pytest.approx(
        [log((len(corpus) + 1) / (each + 1)) for each in expected]
    )


def test_rarity_goes_from_everywhere_to_nowhere() -> None:
    known = learn([[1, 2], [1], [1]])
    rarity = known.rarity(np.array([1, 2, 3], np.uint64)).tolist()
    assert rarity == pytest.approx([0.0, 0.5, 1.0])
    assert learn([]).rarity(np.array([1], np.uint64)).tolist() == [1.0]


@given(corpora, st.floats(0, 0.999))
def test_the_top_is_at_most_the_share(corpus: list[list[int]], share: float) -> None:
    known = learn(corpus)
    above = int((known.counts >= known.top(share)).sum())
    assert above <= share * len(known.features)
    if above < len(known.features):  # and the next lower limit would be too much
        lower = known.counts[known.counts < known.top(share)].max()
        assert (known.counts >= lower).sum() > int(share * len(known.features))


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    known = learn([[1, 2], [2, 3]])
    known.save(tmp_path / "words")
    again = Frequencies.open(str(tmp_path / "words"))
    assert again.version == str(again) == known.version
    assert again.of(np.array([2, 9], np.uint64)).tolist() == [2, 0]
    assert Frequencies.open(known) is known


def test_versions_tell_frequencies_apart() -> None:
    corpora = [[], [[]], [[1]], [[2]], [[1], [1]], [[1], []]]
    assert len({learn(each).version for each in corpora}) == len(corpora)


@pytest.mark.parametrize("content", [None, b"", b"no zip", b"PK\x03\x04 broken"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "words.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"frequencies: cannot read '.*words\.npz'"):
        Frequencies.open(path)
