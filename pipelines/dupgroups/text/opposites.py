"""Words of opposite sense, which two reports that are otherwise alike have in place of each other.

They are frequent words, so their rarity does not tell a price that was raised from one that was lowered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

_PAIRS = """
    raise raises raised raising hike hikes hiked | lower lowers lowered lowering cut cuts cutting
    rise rises rose risen rising gain gains gained | fall falls fell fallen falling drop drops dropped
    up higher | down lower
    increase increases increased increasing | decrease decreases decreased decline declines declined
    buy buys bought buying acquire acquires acquired | sell sells sold selling
    win wins won winning | lose loses lost losing
    profit profits | loss losses
    approve approves approved accept accepts accepted | reject rejects rejected
    open opens opened | close closes closed
    涨 升 增 | 跌 降 减
    买 购 | 卖 售
    赢 胜 | 输 负
    盈 | 亏
""".strip("\n")
_SIDES = [[frozenset(side.split()) for side in line.split("|")] for line in _PAIRS.splitlines()]


def opposites(one: Collection[str], two: Collection[str]) -> Iterator[tuple[str, str]]:
    """The first word of each pair of senses of which one text has only the one and the other only the other.

    >>> sorted(opposites({"copper", "raises"}, {"copper", "lowers"}))
    [('raises', 'lowers')]
    """
    one, two = set(one), set(two)
    for high, low in _SIDES:
        for here, there in ((high, low), (low, high)):
            if one & here and two & there and not one & there and not two & here:
                yield min(one & here), min(two & there)
