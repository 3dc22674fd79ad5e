"""Group a pile of pages at once, without an engine: sign, sort the keys, judge, plan, on all cores.

The relations are those of the live flow: every document is compared with the earlier ones that share keys
with it, those that share most first, and the same plan puts them into groups. The result is the same for any
number of processes.

Where a signature is a whole set (`spotsigs`), no keys are looked up: a join finds every pair that the judge
calls more than different, small excerpts aside, and a document is compared with the earlier ones that are
most similar to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from itertools import islice
from typing import TypeVar

from dupgroups.config import Config
from dupgroups.engines.memory import MemoryEngine
from dupgroups.flow import Deduper, now
from dupgroups.grouping import Rule, View, plan
from dupgroups.grouping.corrections import NOTHING, Corrections, with_partners
from dupgroups.grouping.sorted_keys import Candidates, SortedKeys
from dupgroups.method_set import MethodSet
from dupgroups.model import Page, Record, Signature, Verdict
from dupgroups.processes import Pool
from dupgroups.signatures.base import JoinedSigner
from dupgroups.signing import sign_all
from dupgroups.sketches.similarity_join import earlier_similar

CHUNK = 64  # pages a process signs, or documents whose pairs it judges, at a time
_CONTAINMENT = frozenset({"contains", "contained"})  # an excerpt may be too small for a join to find it
SHOWN = 5  # ids that a warning names

Item = TypeVar("Item")

Pair = tuple[str, str, Verdict]
Progress = Callable[[str, int, int | None], None]
"""Hears what is going on: step ("sign", "judge"), how many are done, of how many (None when not known)."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """`groups` maps each id to its group (named by its first member); `pairs` are all that were judged.

    A pair is (a, b, how a stands to b) with `a` earlier than `b`, in the order of `b`, then of shared keys
    (or of similarity, where pairs are joined).
    `repeated` are the ids that came again, as often as they did.
    """

    groups: dict[str, str]
    pairs: list[Pair]
    repeated: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """A sentence on documents whose id came before: how many, and the first of their ids; else ""."""
        if not self.repeated:
            return ""
        ids = list(dict.fromkeys(self.repeated))
        shown = ", ".join(ids[:SHOWN]) + (", ..." if len(ids) > SHOWN else "")
        several = "documents have ids" if len(self.repeated) > 1 else "document has an id"
        return f"{len(self.repeated):,} {several} that came before, and the last of each id counts: {shown}"


def group_pages(
    pages: Iterable[Page],
    config: Config | None = None,
    *,
    processes: int | None = None,
    progress: Progress | None = None,
    corrections: Corrections = NOTHING,
) -> BatchResult:
    """The groups of these pages. Of pages with one id the last counts, in the place of the first.

    `corrections` are what people said of documents; those of ids that do not come do nothing.

    `processes` None takes all cores; 1 stays in this process. No pages give an empty result. Where templates
    of hosts are learned live, pages are signed one after another, and held in memory until the end.
    """
    config, report = config or Config(), progress or _silent
    with Pool.for_items(pages, processes, MethodSet, config) as (pool, source):
        chunks = _chunks(source, CHUNK)
        live = config.hosts and config.hosts.live
        signed = _crawled(chunks, config, report) if live else _signed(pool.map(_sign, chunks), report)
        records = list(signed.records.values())
        near = _candidates(records, Rule.of(config), MethodSet(config))
        work = (_Work.of(records, candidates) for candidates in near)
        pairs = list(_judged(pool.map(_judge, work), len(records), report))
    return BatchResult(_groups(records, pairs, config, corrections), pairs, tuple(signed.repeated))


def group_records(
    records: Iterable[Record], config: Config | None = None, corrections: Corrections = NOTHING
) -> dict[str, str]:
    """The groups of records that are signed already, as `{id: group}`. Raises ConfigError for a scheme of
    none of the configured signers.
    """
    config = config or Config()
    ordered, methods = sorted(records, key=lambda record: record.age), MethodSet(config)
    pairs = [
        pair
        for candidates in _candidates(ordered, Rule.of(config), methods)
        for pair in _judge(methods, _Work.of(ordered, candidates))
    ]
    return _groups(ordered, pairs, config, corrections)


def _groups(
    records: Sequence[Record], pairs: Sequence[Pair], config: Config, corrections: Corrections
) -> dict[str, str]:
    """The group of each record, by id, as the live flow plans it."""
    earlier: dict[str, list[Record]] = {}
    by_id = {record.id: record for record in records}
    verdicts = {}
    for a, b, verdict in pairs:
        earlier.setdefault(b, []).append(by_id[a])
        verdicts[b, a] = verdict
    candidates = with_partners(earlier, records, corrections)
    view = View(records=records, candidates=candidates, corrections=corrections)
    planned = plan(view, lambda record, other: verdicts[record.id, other.id], Rule.of(config))
    return {record.id: record.group for record in planned.puts}


# -- signing


@dataclass(frozen=True, slots=True)
class _Signed:
    """The records by id, in the order of their age, and the ids that came again."""

    records: dict[str, Record]
    repeated: list[str]


def _signed(chunks: Iterable[list[Record]], progress: Progress) -> _Signed:
    records: dict[str, Record] = {}
    repeated: list[str] = []
    start = now()  # what does not say when it was published counts as seen now, as in a crawl
    for chunk in chunks:
        for record in chunk:
            former = records.get(record.id)
            if former:
                repeated.append(record.id)
            first_seen = former.first_seen if former else start + len(records)
            records[record.id] = replace(record, first_seen=first_seen, last_seen=first_seen)
        progress("sign", len(records) + len(repeated), None)
    return _Signed(records, repeated)


def _crawled(chunks: Iterable[list[Page]], config: Config, progress: Progress) -> _Signed:
    """The records as a crawl of these pages leaves them, the oldest first; no file is written."""
    engine, done = MemoryEngine(), 0
    deduper = Deduper(engine, config)
    ids: set[str] = set()
    repeated: list[str] = []
    for chunk in chunks:
        for outcome in deduper.add_all(chunk):
            if outcome.id in ids:
                repeated.append(outcome.id)
            ids.add(outcome.id)
        done += len(chunk)
        progress("sign", done, None)
    records = sorted((document.record for document in engine.scan()), key=lambda record: record.age)
    return _Signed({record.id: record for record in records}, repeated)


def _sign(methods: MethodSet, pages: list[Page]) -> list[Record]:
    return [document.record for document in sign_all(pages, methods)]


# -- judging


def _candidates(records: Sequence[Record], rule: Rule, methods: MethodSet) -> Iterator[list[Candidates]]:
    """The candidates of the documents that have any, for `CHUNK` documents at a time."""
    joined = {} if rule.join & _CONTAINMENT else _joined(records, methods)
    looked_up = [
        replace(record, signature=Signature("")) if record.signature.scheme in joined else record
        for record in records
    ]
    keys = SortedKeys.of(looked_up)
    found = (
        candidates
        for first, last in keys.slices(rule.candidates)
        for candidates in keys.candidates(first, last, rule.candidates)
    )
    similar = (_similar(records, scheme, *how, rule.candidates) for scheme, how in joined.items())
    near = (
        (place, [other for other in others if rule.compares(records[place], records[other])])
        for place, others in merge(found, *similar)
    )
    yield from _chunks(near, CHUNK)


def _joined(records: Sequence[Record], methods: MethodSet) -> dict[str, tuple[JoinedSigner, float]]:
    """The schemes whose similar pairs are joined; see `MethodSet.joined`."""
    schemes = dict.fromkeys(record.signature.scheme for record in records)
    return {scheme: how for scheme in schemes if (how := methods.joined(scheme))}


def _similar(
    records: Sequence[Record], scheme: str, signer: JoinedSigner, threshold: float, limit: int
) -> Iterator[Candidates]:
    """For each document of a scheme that has any: the earlier ones of at least this similarity."""
    places = [place for place, record in enumerate(records) if record.signature.scheme == scheme]
    sets = signer.sets([records[place].signature.body for place in places])
    for later, earlier in earlier_similar(sets, threshold, limit):
        yield places[later], [places[other] for other in earlier]


@dataclass(frozen=True, slots=True)
class _Work:
    """Pairs of places with the records that stand there."""

    records: dict[int, Record]
    candidates: list[Candidates]

    @classmethod
    def of(cls, records: Sequence[Record], candidates: list[Candidates]) -> _Work:
        """What a process needs to judge these candidates."""
        places = {place for document, others in candidates for place in (document, *others)}
        return cls({place: records[place] for place in places}, candidates)


def _judge(methods: MethodSet, work: _Work) -> list[Pair]:
    pairs = []
    for document, others in work.candidates:
        judge = methods.judge(work.records[document].signature.scheme)
        for other in others:
            a, b = work.records[other], work.records[document]
            pairs.append((a.id, b.id, judge(a, b)))
    return pairs


def _judged(chunks: Iterable[list[Pair]], total: int, progress: Progress) -> Iterator[Pair]:
    for done, chunk in enumerate(chunks, start=1):
        yield from chunk
        progress("judge", min(done * CHUNK, total), total)
    progress("judge", total, total)


def _silent(step: str, done: int, total: int | None) -> None:
    """Say nothing."""


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk
