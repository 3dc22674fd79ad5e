"""More documents match on SQLite than it counts or sorts: the first pages stay true, and the rest is said."""

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle

import pytest

from dupgroups.engines import base
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Document, Query
from engines.documents import document

COUNTED, SORTED = 10, 25


def stored(count: int) -> list[Document]:
    """Documents that all have a word, some of them often and some in the title; two of three are stories of
    their own. They are not stored in the order of their dates, some have none, and some have the same.
    """
    return [
        document(
            f"d{n:03}",
            f"d{n // 3 * 3:03}" if n % 3 < 2 else None,
            seen=n % 4,
            title="Flood" if n % 7 == 0 else "News",
            text="flood " * (n % 5 + 1) + "water " * (n % 3),
            date=[None, f"2026-0{n % 2 + 1}-{n * 7 % 20 + 1:02}{'T23:30:00-05:00' * (n % 4 == 1)}"][
                n % 6 > 0
            ],
            language=("en", "de", "en")[n % 3],
            site=f"site{n % 4}",
            author="Jo Brandt, A. Lee" if n % 2 else "A. Lee",
        )
        for n in range(count)
    ]


Limit = Callable[[int], None]


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Lets SQLite sort no more hits than this, and count ten."""

    def few(sorted_: int) -> None:
        monkeypatch.setattr(base, "MAX_COUNTED_HITS", COUNTED)
        monkeypatch.setattr(base, "MAX_SORTED_HITS", sorted_)

    return few


FILTERS = (
    {},
    {"language": "de"},
    {"site": "site1"},
    {"author": "Jo Brandt"},
    {"since": "2026-02-03", "until": "2026-02-16"},
    {"until": "2026-01-31", "language": "en"},
)
QUERIES = [
    Query(text, mode=mode, sort=sort, limit=4, offset=offset, **filters)  # type: ignore[arg-type]
    for text in ("", "flood", "flood -water")
    for mode in ("collapse", "head", "all")
    for sort in ("relevance", "date")
    for filters, offset in zip(FILTERS, cycle((0, 4)), strict=False)
]


# all are counted, all are sorted, neither; and those of which no more are sorted than are counted
@pytest.mark.parametrize(("count", "sorted_"), [(8, SORTED), (20, SORTED), (60, SORTED), (60, COUNTED)])
def test_hits_are_the_first_of_all_matches_and_every_number_is_true(
    limit: Limit, count: int, sorted_: int
) -> None:
    engine, unlimited = SQLiteEngine(), SQLiteEngine()
    for store in (engine, unlimited):
        store.put(stored(count))
    of_all = {query: unlimited.search(query) for query in QUERIES}
    limit(sorted_)
    for query, expected in of_all.items():
        results = engine.search(query)
        assert results.complete == (expected.documents <= COUNTED), query
        if results.complete:
            assert replace(results, cursor=None) == replace(expected, cursor=None), query
        elif results.all_sorted:
            reached = expected.hits
            if query.mode == "collapse":
                reached = reached[: max(0, results.stories - query.offset)]
            assert (results.hits, results.documents) == (reached, expected.documents), query
            assert results.stories <= expected.stories, query
            of_period = query.since is not None and not query.text
            shown = sum(period.count for period in results.histogram)
            assert shown <= (expected.documents if of_period else COUNTED), query
            assert results.histogram == expected.histogram or not of_period, query
        else:
            assert (results.documents, query.mode) == (sorted_, "collapse"), query
            assert expected.documents > sorted_, query
        assert (results.cursor is None) == (expected.cursor is None), query


@pytest.mark.parametrize("query", [Query(), Query(sort="date"), Query("flood", sort="date"), Query("flood")])
def test_a_page_reads_no_more_when_more_documents_match(limit: Limit, query: Query) -> None:
    limit(SORTED)
    engine, steps = SQLiteEngine(), []
    for start, end in ((0, 60), (60, 600)):
        dates = {n: f"{n:04}-01-01" for n in range(start, end)}
        engine.put([document(f"d{n}", text="flood " * (n % 9 + 1), date=date) for n, date in dates.items()])
        done: list[int] = []
        with engine.transaction() as db:
            db.set_progress_handler(lambda done=done: done.append(1) or 0, 1)
        engine.search(query)
        with engine.transaction() as db:
            db.set_progress_handler(None, 0)
        steps.append(len(done))
    assert steps[1] < 1.5 * steps[0]
