"""The agreement of any number of assessors beyond chance, where answers may be missing.

Krippendorff: Computing Krippendorff's Alpha-Reliability (2011), for nominal data. Of the items with at least
two answers, m_u to item u and n in all:

    D_o = 1/n sum over u of (ordered pairs of different answers to u) / (m_u - 1)
    D_e = (ordered pairs of different answers among all n) / (n (n - 1))
    alpha = 1 - D_o / D_e

1 for perfect agreement, 0 for what chance gives, below 0 for less than that.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain


def krippendorff_alpha(items: Sequence[Sequence[str]]) -> float | None:
    """At most 1, from the answers to each item; items with fewer than two answers have no effect.

    None if no item has two answers, and if only one answer was ever given.
    """
    answered = [answers for answers in items if len(answers) > 1]
    total = _count_different(list(chain.from_iterable(answered)))
    if not total:
        return None
    observed = sum(_count_different(answers) / (len(answers) - 1) for answers in answered)
    return 1 - observed * (sum(map(len, answered)) - 1) / total


def _count_different(answers: Sequence[str]) -> int:
    """How many ordered pairs of these answers differ."""
    return len(answers) ** 2 - sum(count**2 for count in Counter(answers).values())
