"""Who shares keys with a signature, as a search shows it, at a cost that does not grow with a group.

A template on ten thousand pages gives its keys ten thousand holders, and a server counts the shared keys of
every one. So a search goes no further than it has to if no key has more than CROWDED_HOLDERS. One that did
not reach the end has met a key with more, which is remembered: from then on all holders of the other keys are
met, and of the crowd that holds such keys the first ones, which stand for all (see `grouping.key_index`).

A signature may have keys of several crowds: of a site's template, and of a story that hundreds printed. Those
met first may all be of the crowd that shares less, so a search for who shares more keys follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.grouping.key_index import crowd
from dupgroups.model import Signature
from dupgroups.text.batches import batches
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_source import hit_version
from dupgroups_es.positions import Version
from dupgroups_es.shapes import total

CROWDED_HOLDERS = 250  # of a key, beyond which it is crowded
MAX_KNOWN_KEYS = 100_000  # crowded keys that are remembered, the latest

Key = tuple[str, str]
"""Scheme and key."""


class Sharing(NamedTuple):
    """A document that a search shows: how many `keys` it shares, and which version of it that is; None if an
    archive shows its keys.
    """

    id: str
    keys: int
    version: Version | None

    @classmethod
    def of(cls, hit: Answer) -> Sharing:
        """From a hit of `queries.candidates`."""
        score, id_ = hit["sort"]
        return cls(id_, round(score), hit_version(hit) if "_seq_no" in hit else None)


class _Crowd(NamedTuple):
    """Who shares crowded keys of the signature at this place; `is_cut`: not all holders were met."""

    place: int
    keys: Sequence[str]
    shown: list[Sharing]
    is_cut: bool

    @property
    def may_hide_nearer(self) -> bool:
        """Whether others may share more keys than the last of those that are shown."""
        return self.is_cut and self.shown[-1].keys < len(self.keys)

    def with_nearer(self, answer: Answer, size: int) -> _Crowd:
        """With those that a further search shows: the nearest of all."""
        shown = {holder.id: holder for holder in (*self.shown, *_hits(answer))}
        nearest = sorted(shown.values(), key=lambda holder: (-holder.keys, holder.id))
        return self._replace(shown=nearest[:size], is_cut=_is_cut(answer))


class _Shared(NamedTuple):
    """The answers to the searches for a signature: for its rare keys, and for those known as crowded."""

    rare: list[Answer]
    crowded: list[Answer]
    crowded_keys: list[list[str]]  # of each search

    @property
    def is_cut(self) -> bool:
        """Whether keys that were taken to be rare have so many holders that not all were met."""
        return any(map(_is_cut, self.rare))


class Lookups:
    """Looks up by keys, and remembers which are crowded: a key stays so as long as the process lives."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._crowded: dict[Key, None] = {}  # in the order in which they were found

    def sharing(self, index: str, signatures: Sequence[Signature], size: int) -> list[list[list[Sharing]]]:
        """For each signature what each search for some of its keys shows: at most `size` documents, those
        that share most keys first, then by id. [] for a signature without keys.
        """
        shared = self._search_first(index, signatures, size)
        cut = [place for place, answers in enumerate(shared) if answers.is_cut]
        unsure = [signatures[place] for place in cut]
        if cut and self._learn(index, unsure):
            again = self._search_first(index, unsure, size)
            for place, answers in zip(cut, again, strict=True):
                shared[place] = answers
        pages = [[_hits(answer) for answer in answers.rare] for answers in shared]
        for crowd_ in self._crowds(index, signatures, shared, size):
            pages[crowd_.place].append(crowd_.shown)
        return pages

    def _crowds(
        self, index: str, signatures: Sequence[Signature], shared: Sequence[_Shared], size: int
    ) -> list[_Crowd]:
        """The nearest of each crowd, with one further search where those met first may hide nearer ones."""
        crowds = [
            _Crowd(place, keys, _hits(answer), _is_cut(answer))
            for place, answers in enumerate(shared)
            for keys, answer in zip(answers.crowded_keys, answers.crowded, strict=True)
        ]
        hiding = [number for number, crowd_ in enumerate(crowds) if crowd_.may_hide_nearer]
        nearer = self._search_nearer(index, signatures, [crowds[number] for number in hiding], size)
        for number, answer in zip(hiding, nearer, strict=True):
            crowds[number] = crowds[number].with_nearer(answer, size)
        return crowds

    def _search_first(self, index: str, signatures: Sequence[Signature], size: int) -> list[_Shared]:
        """The answers to the first searches for each signature."""
        parts = [self._parts(signature) for signature in signatures]
        bodies = [
            queries.candidates(signature.scheme, keys, size, most, least=least)
            for signature, (rare, crowded) in zip(signatures, parts, strict=True)
            for keys, most, least in (
                *(
                    (keys, CROWDED_HOLDERS * len(keys), _min_shared_keys(signature, rare, crowded))
                    for keys in rare
                ),
                *((keys, _first_holders(size), 1) for keys in crowded),
            )
        ]
        answers = iter(self._cluster.look_up(index, bodies))
        return [
            _Shared(list(islice(answers, len(rare))), list(islice(answers, len(crowded))), crowded)
            for rare, crowded in parts
        ]

    def _search_nearer(
        self, index: str, signatures: Sequence[Signature], crowds: Sequence[_Crowd], size: int
    ) -> list[Answer]:
        """Search for those that share more keys than who is shown of these crowds."""
        most = _first_holders(size)
        bodies = [
            queries.candidates(signatures[place].scheme, keys, size, most, least=shown[-1].keys + 1)
            for place, keys, shown, _ in crowds
        ]
        return self._cluster.look_up(index, bodies) if bodies else []

    def _parts(self, signature: Signature) -> tuple[list[list[str]], list[list[str]]]:
        """The rare keys, and the crowded ones, as many together as one search takes."""
        rare: list[str] = []
        crowded: list[str] = []
        for key in dict.fromkeys(signature.keys):
            (crowded if (signature.scheme, key) in self._crowded else rare).append(key)
        return list(batches(rare, queries.MAX_LOOKUP_KEYS)), list(batches(crowded, queries.MAX_LOOKUP_KEYS))

    def _learn(self, index: str, signatures: Sequence[Signature]) -> bool:
        """Remember which keys of these signatures are crowded; whether any is that was not known to be."""
        keys = {(signature.scheme, key): None for signature in signatures for key in signature.keys}
        asked = [key for key in keys if key not in self._crowded]
        counts = self._cluster.look_up(
            index, [queries.holders_of(*key, CROWDED_HOLDERS + 1) for key in asked]
        )
        crowded = [key for key, count in zip(asked, counts, strict=True) if total(count) > CROWDED_HOLDERS]
        self._crowded |= dict.fromkeys(crowded)
        for key in list(self._crowded)[:-MAX_KNOWN_KEYS]:
            del self._crowded[key]
        return bool(crowded)


def sharing(pages: Sequence[Sequence[Sharing]], least: int) -> list[list[Sharing]]:
    """The hits of the searches for the keys of one signature, without those that share too few in all."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({holder.id: holder.keys for holder in page})
    return [[holder for holder in page if counts[holder.id] >= least] for page in pages]


def _hits(answer: Answer) -> list[Sharing]:
    return [Sharing.of(hit) for hit in answer["hits"]["hits"]]


def _is_cut(answer: Answer) -> bool:
    return bool(answer.get("terminated_early"))


def _min_shared_keys(signature: Signature, rare: Sequence[list[str]], crowded: Sequence[list[str]]) -> int:
    """How many keys a search for all of them asks for; what several searches find is added up."""
    return signature.shared_keys if len(rare) == 1 and not crowded else 1


def _first_holders(size: int) -> int:
    """How many of a crowd are met by a search of `size` documents."""
    return min(crowd(size), MAX_WINDOW_HITS)
