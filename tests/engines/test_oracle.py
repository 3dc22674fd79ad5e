"""Every engine against the memory engine: after the same random life they must answer alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupgroups.engines import Engine, open_engine
from dupgroups.engines.memory import MemoryEngine
from dupgroups.model import Document, Query, Results
from engines.documents import document, signature

IDS = [f"d{n}" for n in range(12)]
KEYS = [f"k{n}" for n in range(8)]
WORDS = ["flood", "water", "fire", "the", "北京", "合作"]

ids = st.sampled_from(IDS)
documents = st.builds(
    document,
    ids,
    st.none() | ids,
    keys=st.lists(st.sampled_from(KEYS), max_size=4),
    scheme=st.sampled_from(["s1", "s2"]),
    body=st.binary(max_size=4),
    seen=st.integers(0, 5),
    last_seen=st.integers(0, 5),
    title=st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join),
    text=st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    date=st.sampled_from([None, "2026-01-01", "2026-01-02", "2026-01-02T03:04:05"]),
    language=st.sampled_from(["", "en", "zh"]),
    site=st.sampled_from([None, "", "Alpha", "Beta"]),
    author=st.sampled_from(["", "A. Lee", "A. Lee, B. Kim"]),
    image=st.sampled_from([None, "https://example.org/a.jpg"]),
    length=st.integers(0, 9),
    canonical=st.booleans(),
    published=st.none() | st.integers(-3, 3),
)

Step = Callable[[Engine], object]


def _put(
    batch: Sequence[Document], moves: Mapping[str, str], labels: Mapping[str, str], heads: Mapping[str, str]
) -> Step:
    return lambda engine: engine.put(batch, moves=moves, labels=labels, heads=heads)


def _touch(some: Sequence[str], when: int) -> Step:
    return lambda engine: engine.touch(some, when)


def _delete(some: Sequence[str]) -> Step:
    return lambda engine: engine.delete(some)


steps = st.one_of(
    st.builds(
        _put, st.lists(documents, max_size=5), *(st.dictionaries(ids, ids, max_size=3) for _ in range(3))
    ),
    st.builds(_touch, st.lists(ids, max_size=3), st.integers(0, 9)),
    st.builds(_delete, st.lists(ids, max_size=2)),
)

SIGNATURES = [signature(*KEYS[:n], scheme=scheme) for n in (0, 1, 3, 8) for scheme in ("s1", "s2")]
QUERIES = [
    Query(text, mode=mode, language=language, site=site, author=author, copies=2, any_word=any_word)
    for text in ("", "flood", "the 北京", "water flood the")
    for mode in ("collapse", "head", "all")
    for any_word in (False, True)
    for language, site, author in (
        (None, None, None),
        ("en", None, None),
        (None, "Alpha", None),
        (None, None, "B. Kim"),
    )
]


def state(engine: Engine) -> dict[str, object]:
    """Everything that can be asked of an engine but searches."""
    engine.refresh()
    return {
        "get": engine.get(IDS),
        "candidates": [engine.candidates(SIGNATURES, limit=limit) for limit in (3, 100)],
        "members": engine.members(IDS),
        "heads": engine.heads(IDS),
        "resolve": engine.resolve(IDS),
        "scan": list(engine.scan()),
        "copies": [engine.copies(id_) for id_ in IDS],
    }


def numbers(results: Results) -> tuple[object, ...]:
    """What must be equal on every engine, whatever its scores."""
    return (results.stories, results.documents, results.facets, _sizes(results))


def _sizes(results: Results) -> set[tuple[str, int, int]]:
    return {(hit.group, hit.size, hit.sites) for hit in results.hits}


@settings(max_examples=60)
@given(st.lists(steps, max_size=8))
def test_sqlite_equals_the_reference(life: list[Step]) -> None:
    with TemporaryDirectory() as directory, closing(open_engine(f"sqlite:///{directory}/x.db")) as engine:
        reference = MemoryEngine()
        for step in life:
            step(engine)
            step(reference)
        assert state(engine) == state(reference)
        for query in QUERIES:
            assert _without_cursor(engine.search(query)) == _without_cursor(reference.search(query))
        assert [check.name for check in engine.check() if not check.ok] in ([], ["heads"])


def _without_cursor(results: Results) -> tuple[object, ...]:
    return (results.hits, results.stories, results.documents, results.facets, results.cursor is None)


@pytest.mark.parametrize("seed", range(2))
def test_a_random_life_equals_the_reference(engine: Engine, seed: int) -> None:
    chance = random.Random(seed)
    reference = MemoryEngine()
    for step in _life(chance, 25):
        step(engine)
        step(reference)
    assert state(engine) == state(reference)
    for query in QUERIES:
        assert numbers(engine.search(query)) == numbers(reference.search(query)), query


def _life(chance: random.Random, length: int) -> Iterator[Step]:
    """Random steps in which a group that was merged away does not come back.

    The engines on a cluster keep redirects as chains: what led to such a group ends there when it comes back,
    while the embedded engines keep leading to where its members went.
    """
    live = set(IDS)
    for _ in range(length):
        kind = chance.choices(["put", "touch", "delete"], [8, 1, 1])[0]
        if kind == "touch":
            yield _touch(chance.sample(IDS, 3), chance.randrange(9))
        elif kind == "delete":
            yield _delete(chance.sample(IDS, 2))
        else:
            losers = chance.sample(sorted(live), 1 if len(live) > 4 and chance.random() < 0.5 else 0)
            live -= set(losers)
            moves = {loser: chance.choice(sorted(live)) for loser in losers}
            batch = [_random_document(chance, sorted(live)) for _ in range(chance.randrange(5))]
            heads = {group: chance.choice(IDS) for group in chance.sample(sorted(live), 2)}
            labels = {} if moves else {chance.choice(IDS): chance.choice(sorted(live))}
            yield _put(batch, moves, labels, heads)


def _random_document(chance: random.Random, groups: Sequence[str]) -> Document:
    id_ = chance.choice(IDS)
    return document(
        id_,
        id_ if id_ in groups and chance.random() < 0.5 else chance.choice(groups),
        keys=chance.sample(KEYS, chance.randrange(5)),
        scheme=chance.choice(["s1", "s2"]),
        body=chance.randbytes(3),
        seen=chance.randrange(6),
        last_seen=chance.randrange(6),
        title=" ".join(chance.choices(WORDS, k=chance.randrange(3))),
        text=" ".join(chance.choices(WORDS, k=chance.randrange(9))),
        date=chance.choice([None, "2026-01-01", "2026-01-02"]),
        language=chance.choice(["", "en", "zh"]),
        site=chance.choice([None, "Alpha", "Beta"]),
        length=chance.randrange(9),
        published=chance.choice([None, 7]),
    )


def test_the_order_of_results_equals_the_reference(tmp_path: Path) -> None:
    """BM25 of FTS5 and ours, over a few hundred texts of uneven lengths."""
    chance = random.Random(7)
    vocabulary = [f"w{n}" for n in range(60)]
    batch = [
        document(
            f"d{n}",
            title=" ".join(chance.choices(vocabulary, k=4)),
            text=" ".join(chance.choices(vocabulary, range(60, 0, -1), k=chance.randrange(5, 60))),
        )
        for n in range(300)
    ]
    reference = MemoryEngine()
    reference.put(batch)
    with closing(open_engine(f"sqlite:///{tmp_path}/x.db")) as engine:
        engine.put(batch)
        for text in ("w0", "w59", "w3 w4", "w1 w2 w3"):
            query = Query(text, mode="all", limit=50)
            ours, theirs = engine.search(query), reference.search(query)
            assert [hit.shown.id for hit in ours.hits] == [hit.shown.id for hit in theirs.hits]
