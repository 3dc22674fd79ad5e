"""Components of a graph, with union-find as the oracle."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from pyspark.sql import SparkSession

from dupgroups.grouping.components import NumberedComponents
from dupgroups_spark.components import components

pytestmark = pytest.mark.spark


def test_components_are_those_of_union_find(spark: SparkSession) -> None:
    """A long chain in any order, a star, a thin random graph, edges that come twice."""
    rng, size = random.Random(3), 120
    names = rng.sample(range(40), 40)
    chain = list(pairwise(names))
    star = [(node, 50) for node in range(51, 60)]
    thin = [(rng.randrange(60, size), rng.randrange(60, size)) for _ in range(30)]
    edges = [(max(pair), min(pair)) for pair in [*chain, *star, *thin, *star] if len(set(pair)) == 2]
    wanted = NumberedComponents(size)
    wanted.join(*np.array(edges).T)
    roots = wanted.roots(np.arange(size)).tolist()
    found = components(spark.createDataFrame(edges, "node long, root long")).collect()
    assert sorted(map(tuple, found)) == [(node, root) for node, root in enumerate(roots) if node != root]
