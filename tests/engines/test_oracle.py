"""Clusters against SQLite: after the same random life they must answer alike."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from operator import methodcaller

import pytest

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Document, Query, Results
from engines.documents import document, signature
from es_plugin.clusters import ALL, servers

IDS = [f"d{n}" for n in range(12)]
KEYS = [f"k{n}" for n in range(8)]
WORDS = ["flood", "water", "fire", "the", "北京", "合作"]

SIGNATURES = [signature(*KEYS[:n], scheme=scheme) for n in (0, 1, 3, 8) for scheme in ("s1", "s2")]
QUERIES = [
    Query(text, mode=mode, language=language, site=site, author=author, copies=2, any_word=any_word)
    for text in ("", "flood", "the 北京", "water flood the")
    for mode in ("collapse", "head", "all")
    for any_word in (False, True)
    for language, site, author in ((None, None, None), ("en", None, None), (None, "Alpha", "B. Kim"))
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
    sizes = {(hit.group, hit.size, hit.sites) for hit in results.hits}
    return (results.stories, results.documents, results.facets, sizes)


@servers(ALL)
@pytest.mark.parametrize("seed", range(2))
def test_a_random_life_equals_the_reference(engine: Engine, seed: int) -> None:
    chance = random.Random(seed)
    reference = SQLiteEngine()
    for step in _life(chance, 25):
        step(engine)
        step(reference)
    assert state(engine) == state(reference)
    for query in QUERIES:
        assert numbers(engine.search(query)) == numbers(reference.search(query)), query


def _life(chance: random.Random, length: int) -> Iterator[methodcaller]:
    """Random steps in which a group that was merged away does not come back.

    The engines on a cluster keep redirects as chains: what led to such a group ends there when it comes back,
    while SQLite keeps leading to where its members went.
    """
    live = set(IDS)
    for _ in range(length):
        kind = chance.choices(["put", "touch", "delete"], [8, 1, 1])[0]
        if kind == "touch":
            yield methodcaller("touch", chance.sample(IDS, 3), chance.randrange(9))
        elif kind == "delete":
            yield methodcaller("delete", chance.sample(IDS, 2))
        else:
            losers = chance.sample(sorted(live), 1 if len(live) > 4 and chance.random() < 0.5 else 0)
            live -= set(losers)
            moves = {loser: chance.choice(sorted(live)) for loser in losers}
            batch = [_random_document(chance, sorted(live)) for _ in range(chance.randrange(5))]
            heads = {group: chance.choice(IDS) for group in chance.sample(sorted(live), 2)}
            labels = {} if moves else {chance.choice(IDS): chance.choice(sorted(live))}
            yield methodcaller("put", batch, moves=moves, labels=labels, heads=heads)


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
