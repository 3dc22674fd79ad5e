"""An engine of dictionaries: for experiments, for tests, and as the reference for all other engines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

from dupgroups.engines.base import FACETS, Backlog
from dupgroups.engines.common import (
    OVERTAKEN,
    check_query,
    copy_of,
    final_moves,
    from_cursor,
    names_of,
    naming,
    refusal,
    site_of,
    storable,
    to_cursor,
    with_head,
)
from dupgroups.engines.dates import PREFIX, day_of, histogram, unit_of
from dupgroups.engines.similar import similar_words
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, ConflictError, EngineError
from dupgroups.grouping.key_index import KeyIndex
from dupgroups.model import (
    Check,
    Copy,
    Correction,
    Document,
    Facet,
    Hit,
    Membership,
    Period,
    Query,
    Record,
    Results,
    Seen,
    Signature,
    Statistics,
)
from dupgroups.text.query_syntax import Either, Node, Run, Search, Term, found_words, parse, terms_of
from dupgroups.text.snippets import snippet
from dupgroups.text.terms import SIGN, search_terms

Rank = tuple[float, tuple[int, ...], int, str]


@dataclass(frozen=True, slots=True)
class Terms:
    """The fields of a document, each a list of terms with its weight, the frequency of each term, and the
    number of all terms."""

    fields: Sequence[tuple[list[str], int]]
    weight: Counter[str]
    length: int

    @classmethod
    def of(cls, document: Document) -> Terms:
        """The terms of a document."""
        content = document.content
        title, text = (search_terms(field, content.language) for field in (content.title, content.text))
        others = (title.stems + text.stems, title.pairs * 3 + text.pairs)
        fields = [(title.words, 3), (text.words, 1), *((terms, 1) for terms in others)]
        weight = Counter(term for terms, weight in fields for term in terms * weight)
        return cls(fields, weight, sum(len(terms) for terms, _ in fields))

    def frequency(self, run: Run) -> int:
        """How often a run occurs; three times as much in the title."""
        if len(run.terms) == 1 and not run.prefix:
            return self.weight[run.terms[0]]
        return sum(weight * _occurrences(terms, run) for terms, weight in self.fields)


def _occurrences(terms: Sequence[str], run: Run) -> int:
    if run.prefix:
        return sum(term.startswith(run.terms[0]) for term in terms)
    size = len(run.terms)
    return sum(tuple(terms[at : at + size]) == run.terms for at in range(len(terms) - size + 1))


class MemoryEngine:
    """Keeps documents until the process ends. Only one thread at a time may use it."""

    retries = 0  # see Store.retries

    def __init__(self, url: EngineURL | None = None) -> None:
        if url is not None and (url.host or url.path or url.options):
            raise ConfigError("the memory engine takes no path and no options: write memory://")
        self._documents: dict[str, Document] = {}
        self._keys = KeyIndex()
        self._version = 0
        self._members: defaultdict[str, set[str]] = defaultdict(set)
        self._redirects: dict[str, str] = {}
        self._terms: dict[str, Terms] = {}
        self._corrections: tuple[Correction, ...] = ()

    @property
    def name(self) -> str:
        """The URL of the engine."""
        return "memory://"

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """See Engine.get."""
        return {id_: self._documents[id_].record for id_ in ids if id_ in self._documents}

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """See Engine.candidates."""
        return [self._keys.candidates(signature, limit=limit) for signature in signatures]

    def members(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        """See Engine.members."""
        return {group: [document.record for document in self._group(group)] for group in groups}

    def heads(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        """See Store.heads."""
        found = {
            group: [record for record in self.members([group])[group] if record.is_head] for group in groups
        }
        return {group: sorted(records, key=lambda record: record.id) for group, records in found.items()}

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """See Engine.resolve."""
        return {group: self._redirects.get(group, group) for group in groups}

    def version(self) -> object:
        """See Store.version."""
        return self._version

    def put(
        self,
        documents: Sequence[Document],
        *,
        moves: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        heads: Mapping[str, str] | None = None,
        seen: Seen | None = None,
    ) -> None:
        """See Store.put."""
        if seen and seen.store != self._version:
            raise ConflictError(OVERTAKEN, ids=[document.record.id for document in documents])
        self._version += 1
        failures = {document.record.id: reason for document in documents if (reason := refusal(document))}
        good = [storable(document) for document in documents if document.record.id not in failures]
        names, heads = naming(good, labels), heads or {}
        self._end_redirects(names)
        self._move(final_moves(moves or {}, names, self._redirects.get), heads)
        self._end_redirects(names)
        self._label(labels or {}, heads)
        for document in good:
            self._forget([document.record.id])
            self._store(replace(document, record=with_head(document.record, heads)))
        if failures:
            raise EngineError(f"{len(failures)} documents were rejected", failures=failures)

    def backlog(self) -> Backlog:
        """Always empty: every writer sees all documents."""
        return Backlog()

    def settled(self, backlog: Backlog) -> None:
        """Nothing to do: there is never a backlog."""

    def _end_redirects(self, names: Iterable[str]) -> None:
        for group in names:
            self._redirects.pop(group, None)

    def _move(self, moves: Mapping[str, str], heads: Mapping[str, str]) -> None:
        moved = {
            document.record.id: winner for loser, winner in moves.items() for document in self._group(loser)
        }
        self._label(moved, heads)
        onward = {former: moves.get(target, target) for former, target in self._redirects.items()}
        self._redirects = {**onward, **moves}

    def _label(self, labels: Mapping[str, str], heads: Mapping[str, str]) -> None:
        for id_, group in labels.items():
            if id_ in self._documents:
                document = self._documents[id_]
                self._members[document.record.group].discard(id_)
                record = with_head(replace(document.record, group=group), heads)
                self._store(replace(document, record=record))

    def _store(self, document: Document) -> None:
        record = document.record
        self._documents[record.id] = document
        self._members[record.group].add(record.id)
        self._keys.put(record)

    def touch(self, ids: Sequence[str], last_seen: int) -> None:
        """See Engine.touch."""
        for document in [self._documents[id_] for id_ in ids if id_ in self._documents]:
            record = replace(document.record, last_seen=last_seen)
            self._store(replace(document, record=record))

    def delete(self, ids: Sequence[str]) -> None:
        """See Engine.delete."""
        self._version += 1
        self._forget(ids)

    def _forget(self, ids: Iterable[str]) -> None:
        for document in [self._documents.pop(id_) for id_ in ids if id_ in self._documents]:
            record = document.record
            self._terms.pop(record.id, None)
            self._members[record.group].discard(record.id)
            self._keys.delete(record.id)

    def corrections(self, *, fresh: bool = False) -> Sequence[Correction]:
        """See Store.corrections."""
        return self._corrections

    def correct(self, entry: Correction) -> None:
        """See Store.correct."""
        if entry.number != len(self._corrections) + 1:
            raise ConflictError(OVERTAKEN, ids=())
        self._version += 1
        self._corrections += (entry,)

    def corrected(self, number: int, after: Mapping[str, int]) -> None:
        """See Store.corrected."""
        self._corrections = tuple(
            replace(entry, after=after) if entry.number == number else entry for entry in self._corrections
        )

    def refresh(self) -> None:
        """Nothing to do: there are no other writers."""

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """See Engine.read."""
        return {id_: self._documents[id_] for id_ in ids if id_ in self._documents}

    def scan(self, *, after: str | None = None) -> Iterator[Document]:
        """See Engine.scan."""
        for id_ in sorted(self._documents):
            if (after is None or id_ > after) and id_ in self._documents:
                yield self._documents[id_]

    def memberships(self) -> Iterator[Membership]:
        """See Engine.memberships."""
        records = [document.record for document in self._documents.values()]
        for record in sorted(records, key=lambda record: (record.group, record.age)):
            yield Membership(record.id, record.group, record.is_head)

    def redirects(self) -> Iterator[tuple[str, str]]:
        """See Engine.redirects."""
        yield from sorted(self._redirects.items())

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        """See Engine.former_names."""
        return sorted(name for name, target in self._redirects.items() if target == group)[:limit]

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """See Engine.copies."""
        return [copy_of(document) for document in self._group(group)[:limit]]

    def _group(self, group: str) -> list[Document]:
        members = [self._documents[id_] for id_ in self._members.get(group, ())]
        return sorted(members, key=lambda document: document.record.age)

    def search(self, query: Query) -> Results:
        """See Engine.search."""
        check_query(query)
        search = parse(query.text, query.language, any_word=query.any_word)
        scores = self._scores(search) if query.text.strip() else dict.fromkeys(self._documents, 0.0)
        if query.sort == "date":
            scores = dict.fromkeys(scores, 0.0)
        matches = sorted(
            (_rank(score, self._documents[id_]), id_)
            for id_, score in scores.items()
            if _passes(self._documents[id_], query)
        )
        documents = [self._documents[id_] for _, id_ in matches]
        shown = [(rank, self._documents[id_]) for rank, id_ in matches]
        if query.mode == "collapse":
            shown = _first_of_each_group(shown)
        page, more = _page(shown, query)
        return Results(
            hits=tuple(self._hit(document, query, search) for _, document in page),
            stories=len({document.record.group for document in documents}),
            documents=len(documents),
            facets=_facets(documents, query),
            cursor=_cursor(*page[-1]) if more and page and query.mode != "collapse" else None,
            histogram=_histogram(documents),
        )

    def closest(self, words: Sequence[str], *, limit: int = 3) -> dict[str, list[str]]:
        """See Engine.closest."""
        held = Counter(term for id_ in self._documents for term in set(self._terms_of(id_).weight))
        known = {word: count for word, count in held.items() if SIGN not in word}
        return {word: similar_words(word, known, limit) for word in words if word not in known}

    def _scores(self, search: Search) -> dict[str, float]:
        """Negated BM25 (k1 = 1.2, b = 0.75, as in SQLite's FTS5) of the documents that a search wants."""
        if search.wanted is None:
            return {}
        counted = {id_: self._terms_of(id_) for id_ in self._documents}
        mean = sum(held.length for held in counted.values()) / max(1, len(counted))
        runs = [run for term in terms_of(search.wanted) for run in term.runs if run.counts]
        holding = {run: sum(held.frequency(run) > 0 for held in counted.values()) for run in runs}
        rarity = {run: max(1e-6, log((len(counted) - n + 0.5) / (n + 0.5))) for run, n in holding.items()}
        return {
            id_: -sum(rarity[run] * _saturated(held.frequency(run), held.length / mean) for run in runs)
            for id_, held in counted.items()
            if _matches(search.wanted, held) and not any(_matches(node, held) for node in search.unwanted)
        }

    def _terms_of(self, id_: str) -> Terms:
        if id_ not in self._terms:
            self._terms[id_] = Terms.of(self._documents[id_])
        return self._terms[id_]

    def _hit(self, document: Document, query: Query, search: Search) -> Hit:
        content = document.content
        members = self._group(document.record.group)
        others = [copy_of(member) for member in members if member.record.id != document.record.id]
        return Hit(
            group=document.record.group,
            shown=copy_of(document),
            size=len(members),
            copies=tuple(others[: query.copies]),
            snippet=snippet(content.text, found_words(search, content.text, content.language)),
            sites=len({site_of(member) for member in members} - {""}),
        )

    def outdated(self, schemes: Collection[str]) -> int:
        """See Engine.outdated."""
        return sum(document.record.signature.scheme not in schemes for document in self._documents.values())

    def statistics(self) -> Statistics:
        """See Engine.statistics."""
        documents = self._documents.values()
        sites = Counter(site for document in documents if (site := site_of(document)))
        return Statistics(
            documents=len(documents),
            sizes=Counter(len(ids) for ids in self._members.values() if ids),
            sites=len(sites),
            largest_sites=_most(sites),
            redirects=len(self._redirects),
            last_seen=max((document.record.last_seen for document in documents), default=0),
        )

    def check(self) -> list[Check]:
        """See Engine.check."""
        heads = self.heads([group for group, ids in self._members.items() if ids])
        wrong = [
            group
            for group, records in heads.items()
            if len(records) != 1 or group not in self._members[group]
        ]
        return [
            Check("documents", True, f"{len(self._documents)} in memory, lost when the process ends"),
            Check("heads", not wrong, _wrong_heads(len(wrong))),
        ]

    def close(self) -> None:
        """Nothing to do: there is nothing to release."""


def _wrong_heads(groups: int) -> str:
    if not groups:
        return "every group has its oldest document and one head"
    return f"{groups} groups without the document that names them, or with no head or several"


def _matches(node: Node, terms: Terms) -> bool:
    if isinstance(node, Term):
        return any(terms.frequency(run) for run in node.runs)
    needed = any if isinstance(node, Either) else all
    return needed(_matches(part, terms) for part in node.parts)


def _saturated(frequency: int, length: float) -> float:
    return frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length))


def _rank(score: float, document: Document) -> Rank:
    """Best first, then newest first; ties are broken by id."""
    return (score, _falling(document.content.date or ""), -document.record.last_seen, document.record.id)


def _falling(date: str) -> tuple[int, ...]:
    """A sort key for descending dates: each character is negated, and a date sorts before its prefixes."""
    return (*(-ord(character) for character in date), 1)


def _cursor(rank: Rank, document: Document) -> str:
    score, _, seen, id_ = rank
    return to_cursor((score, document.content.date or "", seen, id_))


def _passes(document: Document, query: Query) -> bool:
    return (
        (query.mode != "head" or document.record.is_head)
        and query.language in (None, document.content.language)
        and query.site in (None, site_of(document))
        and query.author in (None, *names_of(document.content.author))
        and _is_between(day_of(document.content.date), query)
    )


def _is_between(day: str | None, query: Query) -> bool:
    if day is None:
        return query.since is None and query.until is None
    return (query.since or "") <= day and (query.until is None or day <= query.until)


def _histogram(documents: Iterable[Document]) -> tuple[Period, ...]:
    days = sorted(day for document in documents if (day := day_of(document.content.date)))
    if not days:
        return ()
    unit = unit_of(days[0], days[-1])
    return histogram(Counter(day[: PREFIX[unit]] for day in days), unit)


def _first_of_each_group(ranked: Iterable[tuple[Rank, Document]]) -> list[tuple[Rank, Document]]:
    best: dict[str, tuple[Rank, Document]] = {}
    for rank, document in ranked:
        best.setdefault(document.record.group, (rank, document))
    return list(best.values())


def _page(
    ranked: Sequence[tuple[Rank, Document]], query: Query
) -> tuple[Sequence[tuple[Rank, Document]], bool]:
    """The hits of one page, and whether there are more after them."""
    if query.cursor is not None:
        score, date, seen, id_ = from_cursor(query.cursor, (float, str, int, str))
        ranked = [match for match in ranked if match[0] > (score, _falling(date), seen, id_)]
    end = query.offset + query.limit
    return ranked[query.offset : end], len(ranked) > end


def _facets(documents: Sequence[Document], query: Query) -> dict[str, tuple[Facet, ...]]:
    kinds: dict[str, Callable[[Document], str]] = {
        "language": lambda document: document.content.language,
        "site": site_of,
    }
    return {kind: _facet(documents, value, query.mode == "all") for kind, value in kinds.items()}


def _facet(documents: Sequence[Document], value: Callable[[Document], str], every: bool) -> tuple[Facet, ...]:
    counted = {
        (value(document), document.record.id if every else document.record.group) for document in documents
    }
    return _most(Counter(value for value, _ in counted if value))


def _most(counts: Counter[str]) -> tuple[Facet, ...]:
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Facet(name, count) for name, count in most[:FACETS])
