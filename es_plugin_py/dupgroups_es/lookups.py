"""Who shares keys with a signature, as a search shows it, at a cost that does not grow with a group.

A template on ten thousand pages gives its keys ten thousand holders, and a server counts the shared keys of
every one. So a search goes no further than it has to if no key has more than HOLDERS. One that did not reach
the end has met a key with more, which is remembered: from then on all holders of the other keys are met, and
of the crowd that holds such keys the first ones, which stand for all (see `grouping.key_index`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from dupgroups.engines.base import WINDOW
from dupgroups.grouping.key_index import crowd
from dupgroups.model import Signature
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Body, Cluster
from dupgroups_es.positions import Version
from dupgroups_es.results import total

HOLDERS = 250  # of a key, beyond which it is crowded
KNOWN = 100_000  # crowded keys that are remembered, the latest

Key = tuple[str, str]
"""Scheme and key."""


class Sharing(NamedTuple):
    """A document that a search shows: how many `keys` it shares, and which version of it that is."""

    id: str
    keys: int
    version: Version

    @classmethod
    def of(cls, hit: Answer) -> Sharing:
        """From a hit of `queries.candidates`."""
        score, id_ = hit["sort"]
        return cls(id_, round(score), (hit["_seq_no"], hit["_primary_term"]))


class _Answers(NamedTuple):
    rare: list[Answer]
    crowded: list[Answer]

    @property
    def is_cut(self) -> bool:
        """Whether keys that were taken to be rare have so many holders that not all were met."""
        return any(answer.get("terminated_early") for answer in self.rare)


class Lookups:
    """Looks up by keys, and remembers which are crowded: a key stays so as long as the process lives."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._crowded: dict[Key, None] = {}  # in the order in which they were found

    def sharing(
        self, index: str, signatures: Sequence[Signature], size: int, *, matched: bool
    ) -> list[list[list[Sharing]]]:
        """For each signature what each search for some of its keys shows: at most `size` documents, most
        shared keys first, then by id. `matched`: see `queries.candidates`. [] for a signature without keys.
        """
        found = self._found(index, signatures, size, matched)
        cut = [place for place, answers in enumerate(found) if answers.is_cut]
        if cut and self._learn(index, [signatures[place] for place in cut]):
            again = self._found(index, [signatures[place] for place in cut], size, matched)
            for place, answers in zip(cut, again, strict=True):
                found[place] = answers
        return [[_hits(answer) for answer in (*answers.rare, *answers.crowded)] for answers in found]

    def _found(self, index: str, signatures: Sequence[Signature], size: int, matched: bool) -> list[_Answers]:
        searches = [self._searches(signature, size, matched) for signature in signatures]
        bodies = [body for parts in searches for part in parts for body in part]
        answers = iter(self._cluster.msearch(index, bodies))
        return [_Answers(*(list(islice(answers, len(part))) for part in parts)) for parts in searches]

    def _searches(self, signature: Signature, size: int, matched: bool) -> tuple[list[Body], list[Body]]:
        """The searches for the rare keys, and for the crowded ones."""
        scheme, keys = signature.scheme, dict.fromkeys(signature.keys)
        rare = [key for key in keys if (scheme, key) not in self._crowded]
        crowded = [key for key in keys if (scheme, key) in self._crowded]
        search = partial(queries.candidates, scheme, size=size, matched=matched)
        return (
            [search(part, most=HOLDERS * len(part)) for part in _parts(rare)],
            [search(part, most=min(crowd(size), WINDOW)) for part in _parts(crowded)],
        )

    def _learn(self, index: str, signatures: Sequence[Signature]) -> bool:
        """Remember which keys of these signatures are crowded; whether any is that was not known to be."""
        keys = {(one.scheme, key): None for one in signatures for key in one.keys}
        asked = [key for key in keys if key not in self._crowded]
        counts = self._cluster.msearch(index, [queries.holders_of(*key, HOLDERS + 1) for key in asked])
        found = [key for key, count in zip(asked, counts, strict=True) if total(count) > HOLDERS]
        self._crowded |= dict.fromkeys(found)
        for key in list(self._crowded)[:-KNOWN]:
            del self._crowded[key]
        return bool(found)


def _hits(answer: Answer) -> list[Sharing]:
    return [Sharing.of(hit) for hit in answer["hits"]["hits"]]


def _parts(keys: Sequence[str]) -> list[Sequence[str]]:
    return [keys[at : at + queries.KEYS] for at in range(0, len(keys), queries.KEYS)]
