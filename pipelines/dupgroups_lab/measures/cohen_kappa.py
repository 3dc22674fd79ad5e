"""The agreement of two assessors beyond chance.

Cohen: A Coefficient of Agreement for Nominal Scales (1960). With p the share of items on which the two agree,
and e the share expected if each had answered at random with the frequencies of that assessor's answers:

    kappa = (p - e) / (1 - e)

1 for perfect agreement, 0 for what chance gives, below 0 for less than that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """-1 to 1, from the two answers to every item; None without items, and if only one answer was ever given.

    >>> cohen_kappa([("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15)
    0.4
    """
    items = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    agreed = items * sum(a == b for a, b in pairs)  # whole numbers keep 0 / 0 apart from almost 0
    expected = sum(first[answer] * second[answer] for answer in first)
    return (agreed - expected) / (items**2 - expected) if items**2 > expected else None
