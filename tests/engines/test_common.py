"""What every engine decides in the same way."""

import base64
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups.engines import Engine, common, open_engine
from dupgroups.errors import InputError
from dupgroups.model import Query, SearchMode
from engines.documents import document
from properties import met, must_meet


@pytest.mark.parametrize(
    "line",
    ["", "duplicate", "duplicate 0.5", "duplicate 0.5 ", "duplicate x a", "same 0.5 a", "duplicate nan a",
     "duplicate 1.1 a", "duplicate -1 a"],
)  # fmt: skip
def test_a_line_that_is_not_a_tie_is_left_out(line: str) -> None:
    kept = ["near 0.2500 a b", "duplicate 0 c", "duplicate 1 d"]
    assert [tie.other for tie in common.ties_of_lines([line, *kept])] == ["a b", "c", "d"]


PAGE = "limit must be from 0 to 1000, and neither offset nor copies may be negative"
DEEP = "offset + limit is above 10000: narrow the search, or page with the cursor of head mode"
CURSOR = "a cursor works only in the modes head and all, and without an offset"
TEXT = "language, site and author must be text that UTF-8 can encode: give another value"
SWAPPED = "since 2026-03-04 is after until 2026-03-03: swap the two days"
SINCE = "since must be a day such as 2026-03-04, not '{}': give another value"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        *(
            (query, PAGE)
            for query in (Query(limit=-1), Query(limit=1001), Query(offset=-1), Query(copies=-1))
        ),
        (Query(offset=9991, limit=10), DEEP),
        (Query(cursor="", mode="collapse"), CURSOR),
        (Query(cursor="c", mode="head", offset=1), CURSOR),
        *((Query(**{name: "\udcff"}), TEXT) for name in ("site", "author", "language")),
        (Query(since="yesterday"), SINCE.format("yesterday")),
        (Query(since="2026-03-04T10:00:00"), SINCE.format("2026-03-04T10:00:00")),
        (Query(until="2026-02-30"), SINCE.replace("since", "until").format("2026-02-30")),
        (Query(until=""), SINCE.replace("since", "until").format("")),
        (Query(since="2026-03-04", until="2026-03-03"), SWAPPED),
    ],
)
def test_a_query_that_no_engine_answers_is_refused(query: Query, sentence: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        common.check_query(query)


def test_the_bounds_of_a_query_are_answered() -> None:
    common.check_query(Query(limit=0, copies=0))
    common.check_query(Query(limit=1000, since="2026-03-04", until="2026-03-04"))
    common.check_query(Query(offset=9990, limit=10, mode="head"))
    common.check_query(Query(cursor="c", mode="head", site="港"))
    common.check_query(Query(cursor="c", mode="all"))


BAD = "the id, group, host or signature has characters that UTF-8 cannot encode: give it another id"
NEEDS = "a document needs an id and a group: set both"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"id_": "é", "host": "港"}, ""),
        ({"id_": ""}, NEEDS),
        ({"id_": "", "group": "a"}, NEEDS),
        ({"id_": "\ud800"}, BAD),
        ({"id_": "a", "group": "\ud800"}, BAD),
        ({"id_": "a", "host": "\ud800"}, BAD),
        ({"id_": "a", "scheme": "\ud800"}, BAD),
        ({"id_": "a", "keys": ["k", "\ud800"]}, BAD),
    ],
)
def test_what_cannot_be_stored_is_refused(fields: dict[str, Any], sentence: str) -> None:
    assert common.refusal(document(**fields)) == sentence
    bare = document("a")
    assert common.refusal(replace(bare, record=replace(bare.record, group=""))) == NEEDS


# -- cursors come back from strangers


MODES: list[SearchMode] = ["head", "all"]


def forged(text: str) -> str:
    """A cursor of any text at all."""
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode()


NUMBERS = st.sampled_from([0, -0.0, 1.5, 2**63 - 1, -(2**63), 2**63, 10**30, 1e999, float("nan"), True])
TEXTS = st.text(max_size=5) | st.sampled_from(["", "\0", "\ud800", "2026-01-01", "d01"])
LEAVES = st.none() | NUMBERS | st.integers() | st.floats() | TEXTS
VALUES = LEAVES | st.dictionaries(TEXTS, LEAVES, max_size=2) | st.lists(LEAVES, max_size=4)
PLACES = st.tuples(
    st.sampled_from([0.0, -1.5, 1e9]),
    st.sampled_from(["", "2025-12-31", "2026-01-01", "2026-01-02"]),
    st.integers(-9, 9),
    st.text(max_size=5) | st.sampled_from(["d0", "d1", "d01", "e"]),
)
TYPED = PLACES.map(list).map(common.to_cursor)  # of the types that the engine issues
SORTED_BY = st.lists(LEAVES, min_size=3, max_size=4)
CURSORS = (
    (VALUES | SORTED_BY).map(common.to_cursor)  # json.dumps writes NaN, Infinity and lone surrogates
    | st.text()
    | st.text().map(forged)
    | st.sampled_from([forged("[" * 100_000), forged("[0, " + "9" * 5_000 + ', 1, ""]'), "\ud800"])
)


@pytest.fixture(scope="module")
def stored() -> Iterator[Engine]:
    """An engine that needs no server, with a few documents."""
    with closing(open_engine("memory://")) as engine:
        engine.put([document(f"d{n}", text="ferry", date="2026-01-01" if n % 2 else None) for n in range(5)])
        yield engine


@given(CURSORS, st.sampled_from(MODES), st.sampled_from(["", "ferry"]))
def test_a_forged_cursor_is_refused_in_a_sentence_or_pages_on(
    stored: Engine, cursor: str, mode: SearchMode, text: str
) -> None:
    try:
        stored.search(Query(text, mode=mode, cursor=cursor))
    except InputError as error:
        sentence = str(error)
    else:
        return
    assert re.fullmatch(r"the cursor .*: search again without one", sentence)


@must_meet(least=3)
@given(TYPED, st.sampled_from(MODES), st.sampled_from(["", "ferry"]))
def test_a_forged_cursor_of_the_right_types_gives_the_rest_of_the_hits(
    stored: Engine, cursor: str, mode: SearchMode, text: str
) -> None:
    every = [hit.shown.id for hit in stored.search(Query(text, mode=mode)).hits]
    found = [hit.shown.id for hit in stored.search(Query(text, mode=mode, cursor=cursor)).hits]
    met(found)
    assert found == every[len(every) - len(found) :]


ANY_TEXT, SEEN = st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**63), 2**63 - 1)


@example(1.5, "???>>>", 0)
@given(st.floats(allow_nan=False, allow_infinity=False), ANY_TEXT, SEEN)
def test_an_issued_cursor_comes_back_as_it_was(score: float, text: str, seen: int) -> None:
    cursor = common.to_cursor([score, text, seen])
    assert re.fullmatch(r"[\w=-]+", cursor, re.ASCII), "it stands in URLs"
    assert common.from_cursor(cursor, (float, str, int)) == [score, text, seen]
