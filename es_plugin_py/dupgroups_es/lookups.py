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
from collections.abc import Iterable, Iterator, Sequence
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


class _Search(NamedTuple):
    """Some of the keys of the signature at this place that one search asks for; `is_crowd`: each of them is
    known to be crowded.
    """

    place: int
    keys: list[str]
    is_crowd: bool = False


class _Page(NamedTuple):
    """The answer to a search: its `holders`, those that share most keys first, then by id; `is_cut`: not
    all of them were met.
    """

    search: _Search
    holders: list[Sharing]
    is_cut: bool

    @property
    def hides_nearer(self) -> bool:
        """Whether those of a crowd that were met first may hide others that share more."""
        return self.search.is_crowd and self.is_cut and self.holders[-1].keys < len(self.search.keys)

    def with_nearer(self, nearer: Sequence[Sharing], size: int) -> _Page:
        """The page with the results of a search for who shares more."""
        holders = {holder.id: holder for holder in (*self.holders, *nearer)}
        ordered = sorted(holders.values(), key=lambda holder: (-holder.keys, holder.id))
        return self._replace(holders=ordered[:size])


class Lookups:
    """Looks up by keys, and remembers which are crowded: a key stays so as long as the process lives."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._crowded: dict[Key, None] = {}  # in the order in which they were found

    def sharing(self, index: str, signatures: Sequence[Signature], size: int) -> list[list[list[Sharing]]]:
        """For each signature what each search for some of its keys shows: at most `size` documents, those
        that share most keys first, then by id. [] for a signature without keys.
        """
        pages = self._search_first(index, signatures, range(len(signatures)), size)
        cut = sorted({page.search.place for page in pages if page.is_cut and not page.search.is_crowd})
        if cut and self._learn(index, [signatures[place] for place in cut]):
            pages = [page for page in pages if page.search.place not in cut]
            pages += self._search_first(index, signatures, cut, size)
        hiding = [page for page in pages if page.hides_nearer]
        more = [(page.search, page.holders[-1].keys + 1) for page in hiding]
        further = self._search(index, signatures, more, size)
        pages = [page for page in pages if not page.hides_nearer]
        pages += [first.with_nearer(page.holders, size) for first, page in zip(hiding, further, strict=True)]
        shown: list[list[list[Sharing]]] = [[] for _ in signatures]
        for page in pages:
            shown[page.search.place].append(page.holders)
        return shown

    def _search_first(
        self, index: str, signatures: Sequence[Signature], places: Iterable[int], size: int
    ) -> list[_Page]:
        """The first searches for the signatures at these places. One for all of the keys asks for as many as
        have to be shared; what several find is added up.
        """
        wanted = []
        for place in places:
            searches = [*self._searches(place, signatures[place])]
            least = signatures[place].shared_keys if len(searches) == 1 and not searches[0].is_crowd else 1
            wanted += [(search, least) for search in searches]
        return self._search(index, signatures, wanted, size)

    def _search(
        self, index: str, signatures: Sequence[Signature], wanted: Sequence[tuple[_Search, int]], size: int
    ) -> list[_Page]:
        """The answers to searches, each for documents that share so many of its keys at least."""
        first = min(crowd(size), MAX_WINDOW_HITS)  # of a crowd
        bodies = []
        for search, least in wanted:
            scheme, keys = signatures[search.place].scheme, search.keys
            most = first if search.is_crowd else CROWDED_HOLDERS * len(keys)
            bodies.append(queries.candidates(scheme, keys, size, most, least=least))
        answers = self._cluster.look_up(index, bodies) if bodies else []
        return [
            _Page(search, [*map(Sharing.of, answer["hits"]["hits"])], bool(answer.get("terminated_early")))
            for (search, _), answer in zip(wanted, answers, strict=True)
        ]

    def _searches(self, place: int, signature: Signature) -> Iterator[_Search]:
        """The rare keys, then the crowded ones, as many together as one search takes."""
        keys = dict.fromkeys(signature.keys)
        crowded = [key for key in keys if (signature.scheme, key) in self._crowded]
        rare = [key for key in keys if (signature.scheme, key) not in self._crowded]
        for is_crowd, some in ((False, rare), (True, crowded)):
            for batch in batches(some, queries.MAX_LOOKUP_KEYS):
                yield _Search(place, batch, is_crowd)

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
