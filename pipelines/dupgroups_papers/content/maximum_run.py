"""The run of a sequence of scores that has the greatest sum: the maximum scoring subsequence, in linear time.

Ruzzo, Tompa: A Linear Time Algorithm for Finding All Maximal Scoring Subsequences, ISMB 1999, find the others
too; for the greatest one, the sums of all beginnings are enough.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def maximum_run(scores: Sequence[float] | NDArray[np.float64]) -> tuple[int, int]:
    """Start and end (exclusive) of the run with the greatest sum, the first and shortest among equals.

    (0, 0) when no score is positive.

    >>> maximum_run([1.0, -2.0, 3.0, -1.0, 2.0, -1.0])
    (2, 5)
    """
    total = np.append(0.0, np.cumsum(scores))
    stop = int(np.argmax(total - np.minimum.accumulate(total)))
    return stop - int(np.argmin(total[stop::-1])), stop
