"""Frames that are computed once, although several others are made of them."""

from __future__ import annotations

from pyspark.sql import DataFrame


def kept(frame: DataFrame) -> DataFrame:
    """The frame, computed now: in the checkpoint directory if the session has one, else on the executors.

    A plan that grows with each round of an algorithm would soon take longer to optimize than to run.
    """
    if frame.sparkSession.sparkContext.getCheckpointDir():
        return frame.checkpoint()
    return frame.localCheckpoint()
