"""The agreement of several assessors beyond chance, where every item has the same number of answers.

Fleiss: Measuring Nominal Scale Agreement Among Many Raters (1971). With n answers to each of N items, n_ij of
them to item i being answer j, and p_j the share of all answers that are j:

    P_i = sum over j of n_ij (n_ij - 1) / (n (n - 1)),    e = sum over j of p_j^2
    kappa = (mean of P_i - e) / (1 - e)

1 for perfect agreement, 0 for what chance gives, below 0 for less than that. The assessors of one item need
not be those of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain


def fleiss_kappa(items: Sequence[Sequence[str]]) -> float | None:
    """-1 to 1, from the answers to each item; None without items, and if only one answer was ever given.

    Raises ValueError if the items have different numbers of answers, or fewer than two.
    """
    sizes = {len(answers) for answers in items}
    if not sizes:
        return None
    if len(sizes) > 1 or min(sizes) < 2:
        raise ValueError("every item needs the same number of answers, at least two")
    size = sizes.pop()
    agreeing = sum(count * (count - 1) for answers in items for count in Counter(answers).values())
    agreed = Fraction(agreeing, len(items) * size * (size - 1))
    total = Counter(chain.from_iterable(items))
    expected = Fraction(sum(count**2 for count in total.values()), (len(items) * size) ** 2)
    return float((agreed - expected) / (1 - expected)) if expected < 1 else None
