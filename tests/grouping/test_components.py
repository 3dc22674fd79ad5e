"""Union-find: the closure of pairs, named by the oldest, whatever the order of the pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.grouping import Components

NODES = "abcdefgh"
AGES = {name: (age, name) for name, age in zip(NODES, (3, 1, 4, 1, 5, 0, 2, 6), strict=True)}
PAIRS = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=9)


def joined(pairs: list[tuple[str, str]]) -> Components[str]:
    components = Components(AGES)
    for a, b in pairs:
        components.join(a, b)
    return components


def closure(node: str, pairs: list[tuple[str, str]]) -> set[str]:
    """All that is reached from a node, by walking."""
    reached, ahead = {node}, [node]
    while ahead:
        at = ahead.pop()
        near = {b for a, b in pairs if a == at} | {a for a, b in pairs if b == at}
        ahead += near - reached
        reached |= near
    return reached


@given(PAIRS)
def test_components_are_the_closure_of_the_pairs_named_by_the_oldest(pairs: list[tuple[str, str]]) -> None:
    components = joined(pairs)
    for node in NODES:
        oldest = min(closure(node, pairs), key=AGES.__getitem__)
        assert (components.root(node), components.name(node)) == (oldest, oldest)
    assert components.roots(NODES) == {components.root(node) for node in NODES}


def test_the_name_is_the_id_in_the_age_not_the_node() -> None:
    components = Components({("group", "old"): (1, "next"), ("document", "x"): (2, "x")})
    components.join(("document", "x"), ("group", "old"))
    assert components.name(("document", "x")) == "next"
