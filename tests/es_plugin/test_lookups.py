"""What a search for candidates answers."""

from __future__ import annotations

from dupgroups_es.lookups import Sharing


def test_a_hit_says_how_many_keys_it_shares() -> None:
    assert Sharing.of({"sort": [3.0, "a"], "_seq_no": 7, "_primary_term": 1}) == Sharing("a", 3, (7, 1))
