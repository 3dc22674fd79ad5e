"""Words of opposite sense, which two reports that are otherwise alike have in place of each other.

They are frequent words, or alike in letters, so their rarity does not tell a price that was raised from one
that was lowered. A star stands for any ending.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

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
    verhoogt verhoogd verhoogde verhogen | verlaagt verlaagd verlaagde verlagen
    hausse hausses | baisse baisses
    올렸* 올린* 올려* 인상* 상승* | 내렸* 내린* 내려* 인하* 하락*
    上 | 下
    涨 升 增 | 跌 降 减
    买 购 | 卖 售
    赢 胜 | 输 负
    盈 | 亏
""".strip("\n")


class Sense:
    """Words of one sense."""

    def __init__(self, words: str) -> None:
        self._words = frozenset(word for word in words.split() if not word.endswith("*"))
        self._beginnings = tuple(word[:-1] for word in words.split() if word.endswith("*"))

    def find_words(self, words: AbstractSet[str]) -> AbstractSet[str]:
        """Those of these words that have this sense."""
        found = words & self._words
        if self._beginnings and max(words, default="") >= min(self._beginnings):  # most scripts come before
            found |= {word for word in words if word.startswith(self._beginnings)}
        return found


_SIDES = [[Sense(side) for side in line.split("|")] for line in _PAIRS.splitlines()]
_EVERY_SENSE = Sense(_PAIRS.replace("|", " "))


def opposites(one: Collection[str], two: Collection[str]) -> Iterator[tuple[str, str]]:
    """The first word of each pair of senses of which one text has only the one and the other only the other.

    >>> sorted(opposites({"copper", "raises"}, {"copper", "lowers"}))
    [('raises', 'lowers')]
    """
    one, two = (_EVERY_SENSE.find_words(set(words)) for words in (one, two))
    for high, low in _SIDES if one and two else ():
        (a, b), (c, d) = [[side.find_words(words) for side in (high, low)] for words in (one, two)]
        if (a and d and not b and not c) or (b and c and not a and not d):
            yield min(a or b), min(c or d)
