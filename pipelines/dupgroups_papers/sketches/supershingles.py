"""Supershingles.

Fetterly, Manasse, Najork: On the Evolution of Clusters of Near-Duplicate Web Pages (LA-WEB 2003), after
Broder et al. (1997): hashes of runs of min-values (`dupgroups_papers.sketches.min_values`). Very similar sets
probably share one, others hardly ever do.
"""

import numpy as np

from dupgroups.text.hashing import Hashes, mix, windows


def supershingles(values: Hashes, size: int, step: int = 1) -> Hashes:
    """Hashes of the runs of `size` values that begin at every `step`-th one."""
    return windows(values, size)[::step]


def numbered_supershingles(values: Hashes, size: int) -> Hashes:
    """Hashes of the successive, disjoint runs of `size` min-values, mixed with the place of the run."""
    hashes = supershingles(values, size, size)
    places = np.arange(len(hashes), dtype=np.uint64)
    return mix(hashes + places)
