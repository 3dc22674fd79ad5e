"""Items so many at a time: `itertools.batched`, which Python has from 3.12 on, is not worth a dependency."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in their order, `size` in a list, fewer in the last one; nothing for no items.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def heavy_batches(items: Iterable[Item], most: int, weigh: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The items in their order, in lists that end with the item by which they weigh so much, or more.

    >>> list(heavy_batches(["ab", "c", "defg", "h"], 3, len))
    [['ab', 'c'], ['defg'], ['h']]
    """
    batch: list[Item] = []
    weight = 0
    for item in items:
        batch.append(item)
        weight += weigh(item)
        if weight >= most:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch
