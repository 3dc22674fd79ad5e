"""Union-find over numbers: the closure of pairs, named by the smallest, whatever the order of the pairs.

That of groups, which are named by the oldest, is in the laws of the plan.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.grouping.components import NumberedComponents
from grouping.test_plan_laws import closure

NODES = "01234567"
PAIRS = st.lists(st.sampled_from([a + b for a in NODES for b in NODES]), max_size=6)


@given(PAIRS, PAIRS)
def test_components_are_the_closure_of_the_pairs(first: list[str], then: list[str]) -> None:
    components = NumberedComponents(len(NODES))
    for pairs in (first, then):
        ends = np.array([[int(end) for end in pair] for pair in pairs], np.int64).reshape(-1, 2)
        components.join(ends[:, 0], ends[:, 1])
    expected = {node: int(min(part)) for part in closure(NODES, [*first, *then]) for node in part}
    assert components.roots(np.arange(len(NODES))).tolist() == [expected[node] for node in NODES]
