"""From an index to items: which pairs are drawn, and honeypots."""

from collections import Counter

import pytest

from dupgroups.engines.base import Engine
from dupgroups.errors import InputError
from dupgroups_lab.labelling.drawing import (
    Honeypots,
    Plan,
    Pool,
    bin_of,
    draw,
    even_over_bins,
    read_pool,
    shown_documents,
)
from dupgroups_lab.labelling.model import Item, Rules
from dupgroups_lab.labelling.phrases import jaccard, phrases, sharing_pairs
from lab.labelling.projects import ALL, crawled, is_same

NONE = Honeypots({}, {})
RULES = Rules()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return crawled()


@pytest.fixture(scope="module")
def pool(engine: Engine) -> Pool:
    return read_pool(engine, 1_000)


def drawn(pool: Pool, honeypots: Honeypots = NONE) -> list[Item]:
    return draw(pool, Plan(8, window=ALL), RULES, honeypots)


def test_pairs_and_their_documents_become_items(pool: Pool) -> None:
    items = drawn(pool)
    pairs = [item for item in items if item.phase == "pairs"]
    assert len(pairs) == 8
    assert all(is_same(item.a, item.b) for item in pairs)  # made stories share no phrase
    assert {item.a for item in items if item.phase == "news"} == {
        id_ for item in pairs for id_ in item.documents
    }
    assert len({item.key for item in items}) == len(items)
    assert all(0 < item.jaccard <= 1 for item in pairs)
    assert drawn(pool) == items


def test_honeypots_are_items_with_an_answer_and_not_drawn_besides(pool: Pool) -> None:
    ids = next(item.documents for item in drawn(pool) if item.phase == "pairs")
    items = drawn(pool, honeypots=Honeypots({ids[0]: "no"}, {(ids[0], ids[1]): "containment"}))
    assert sorted(item.known for item in items if item.known) == ["no", "same"]
    assert not [item for item in items if item.documents in (ids, ids[:1]) and not item.known]


def test_a_honeypot_has_to_be_in_the_index(engine: Engine, pool: Pool) -> None:
    items = drawn(pool, honeypots=Honeypots({"nowhere": "yes"}, {}))
    with pytest.raises(InputError, match="no document 'nowhere'"):
        shown_documents(engine, items, pool)


# nine of ten pairs are almost different, as in any collection
VALUES = {(f"{number:03}", "x"): 0.01 if number % 10 else number / 1000 for number in range(1000)}


def test_bins_get_equal_numbers_as_far_as_there_are_pairs() -> None:
    drawn = even_over_bins(VALUES, 100, seed=0)
    assert len(drawn) == len(set(drawn)) == 100
    assert Counter(bin_of(VALUES[ids]) for ids in drawn) == dict.fromkeys(range(10), 10)


def text(*sentences: int) -> str:
    return " ".join(" ".join(f"w{number}x{word}" for word in range(20)) for number in sentences)


def test_pairs_share_a_phrase_of_the_window_and_have_their_jaccard() -> None:
    # 0 is in all documents, 1 in two of ten, every other sentence in one
    texts = [text(0, 1, 2), text(0, 1, 3), *(text(0, number) for number in range(4, 12))]
    ids = [f"d{number}" for number in range(10)]
    hashed = [phrases(written) for written in texts]
    found = sharing_pairs(ids, hashed, 100, seed=0, window=(0.2, 0.85))
    assert set(found) == {("d0", "d1")}
    assert found["d0", "d1"] == pytest.approx(jaccard(hashed[0], hashed[1]))
    assert len(sharing_pairs(ids, hashed, 100, seed=0, window=(0.0, 0.85))) == 45
