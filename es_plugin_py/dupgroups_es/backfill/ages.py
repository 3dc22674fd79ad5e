"""Since when the documents of an index are known: what comes first names its group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dupgroups_es.backfill.intermediate_files import Prefix

LETTERS = 32  # of a date that is kept as text: enough for ISO 8601 with nanoseconds


class Ages:
    """Gives documents that were never grouped an age: by their date, then as they are stored.

    Documents that were grouped before keep theirs, and are older than all others.
    """

    def __init__(self, started: int) -> None:
        self._started = started
        self._known: list[NDArray[np.int64]] = []
        self._orders: list[NDArray[np.float64] | NDArray[np.bytes_]] = []

    def add(self, documents: Iterable[Prefix]) -> None:
        """Add the documents of a part."""
        known, orders = [], []
        for first_seen, order, _ in documents:
            known.append(first_seen)
            orders.append(order)
        self._known.append(np.array(known, np.int64))
        self._orders.append(_sortable(orders))

    def parts(self) -> Iterator[NDArray[np.int64]]:
        """For each part when its documents were first seen, in microseconds since 1970."""
        if not self._known:
            return
        known = np.concatenate(self._known)
        new = np.flatnonzero(known == 0)
        ages, orders = known.copy(), self._joined()[new]
        ages[new[np.argsort(orders, kind="stable")]] = self._started + np.arange(len(new))
        yield from np.split(ages, np.cumsum([len(part) for part in self._known])[:-1])

    def _joined(self) -> NDArray[np.float64] | NDArray[np.bytes_]:
        """All orders; those of a kind that most parts do not have sort last."""
        texts = [orders for orders in self._orders if orders.dtype.kind == "S"]
        if not texts:
            return np.concatenate([np.empty(0), *self._orders])
        last = np.array([b"\xff"], f"S{LETTERS}")
        return np.concatenate(
            [orders if orders.dtype.kind == "S" else np.repeat(last, len(orders)) for orders in self._orders]
        )


def _sortable(orders: Sequence[float | str | None]) -> NDArray[np.float64] | NDArray[np.bytes_]:
    """Numbers or texts in the order of the dates; documents without one come last."""
    if any(isinstance(order, str) for order in orders):
        texts = [b"\xff" if order is None else str(order).encode("utf-8", "replace") for order in orders]
        return np.array(texts, f"S{LETTERS}")
    return np.array([np.inf if order is None else order for order in orders], np.float64)
