"""Rounds over the groups of an index."""

from __future__ import annotations

from typing import Any

from dupgroups_es.positions import Position, Shard
from dupgroups_es.rounds import Rounds

SHARD = Shard("articles", "uuid", 0)


def page(after: str | None, **sizes: int) -> dict[str, Any]:
    buckets = [{"key": {"group": name}, "doc_count": size} for name, size in sizes.items()]
    return {"buckets": buckets, **({"after_key": {"group": after}} if after else {})}


def test_a_round_goes_over_all_groups_and_is_not_repeated_without_news() -> None:
    rounds, before, after = Rounds(), {SHARD: Position(5, 5)}, {SHARD: Position(6, 6)}
    assert rounds.begin(before)
    assert not rounds.noted(page("b", a=3, b=2))
    assert rounds.after == "b"
    assert rounds.begin(before)  # the same round goes on, whatever was written
    assert rounds.noted(page(None))
    assert not rounds.begin(before)
    assert rounds.begin(after)


def test_a_group_that_shrinks_is_seen_in_the_next_round() -> None:
    rounds = Rounds()
    assert rounds.noted(page(None, a=4, b=2))
    assert [rounds.has_shrunk("a", size) for size in (3, 4, 5)] == [True, False, False]
    assert not rounds.has_shrunk("b", 1)  # one document that is left cannot come apart
    assert rounds.noted(page(None, a=3))
    assert not rounds.has_shrunk("a", 3)
