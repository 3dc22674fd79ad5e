"""Connected components by alternating large-star and small-star operations.

R. Kiveris, S. Lattanzi, V. Mirrokni, V. Rastogi and S. Vassilvitskii: Connected Components in MapReduce and
Beyond. SoCC 2014, sections 3.1 and 3.2. With N(u) the neighbours of u, and m(u) the smallest of N(u) and u:

    large-star: for each u connect all v > u of N(u) with m(u)
    small-star: for each u connect all v < u of N(u), and u itself, with m(u)

Neither changes what is connected; alternating, they end with a star around the smallest node of each
component, after O(log^2 n) rounds. No step needs all neighbours of a node in one place.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812


def components(edges: DataFrame) -> DataFrame:
    """The components of a graph whose nodes are numbers.

    `edges` has two columns, `node` and a smaller `root`, which are the columns of the result, too: each node
    with the smallest one of its component, without those that are the smallest themselves. No edges, no rows.
    """
    edges = persist(edges.distinct())
    while not _stars(edges):
        edges = persist(_small_star(_large_star(edges)))
    return edges


def _large_star(edges: DataFrame) -> DataFrame:
    both = edges.select("node", F.col("root").alias("neighbour"))
    both = both.union(edges.select("root", "node"))
    smallest = both.groupBy("node").agg(F.least("node", F.min("neighbour")).alias("root"))
    larger = both.where("neighbour > node").join(smallest, "node")
    return larger.select(F.col("neighbour").alias("node"), "root").distinct()


def _small_star(edges: DataFrame) -> DataFrame:
    """Every edge leads to a smaller node, so those of a node are its smaller neighbours."""
    smallest = edges.groupBy("node").agg(F.min("root").alias("smallest"))
    others = edges.join(smallest, "node").where("root > smallest").select("root", "smallest")
    return smallest.union(others).toDF("node", "root").distinct()


def _stars(edges: DataFrame) -> bool:
    """Whether each node has one edge to a smaller one, which has none."""
    roots = edges.select(F.col("root").alias("node")).distinct()
    several = edges.groupBy("node").count().where("count > 1").select("node")
    return edges.join(roots, "node", "left_semi").select("node").union(several).isEmpty()


def persist(frame: DataFrame) -> DataFrame:
    """The frame, computed now: in the checkpoint directory if the session has one, else on the executors.

    A plan that grows with each round of an algorithm would soon take longer to optimize than to run.
    """
    if frame.sparkSession.sparkContext.getCheckpointDir():
        return frame.checkpoint()
    return frame.localCheckpoint()
