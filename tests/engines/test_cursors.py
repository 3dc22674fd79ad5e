"""Cursors come back from strangers: one that an engine did not issue is refused in a sentence."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups.engines import Engine, open_engine
from dupgroups.engines.common import from_cursor, to_cursor
from dupgroups.errors import InputError
from dupgroups.model import Query, SearchMode
from engines.documents import document

MODES: list[SearchMode] = ["head", "all"]


def forged(text: str) -> str:
    """A cursor of any text at all."""
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode()


NUMBERS = st.sampled_from([0, -0.0, 1.5, 2**63 - 1, -(2**63), 2**63, 10**30, 1e999, float("nan"), True])
TEXTS = st.text(max_size=5) | st.sampled_from(["", "\0", "\ud800", "2026-01-01", "d01"])
LEAVES = st.none() | NUMBERS | st.integers() | st.floats() | TEXTS
VALUES = LEAVES | st.dictionaries(TEXTS, LEAVES, max_size=2) | st.lists(LEAVES, max_size=4)
SORTED_BY = st.lists(LEAVES, min_size=3, max_size=4)
CURSORS = (
    (VALUES | SORTED_BY).map(to_cursor)  # json.dumps writes NaN, Infinity and lone surrogates
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
def test_a_forged_cursor_is_refused_or_pages_on(
    stored: Engine, cursor: str, mode: SearchMode, text: str
) -> None:
    with suppress(InputError):  # with the sentence of `test_common.py`
        stored.search(Query(text, mode=mode, cursor=cursor))


TEXT, SEEN = st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**63), 2**63 - 1)


@example(1.5, "???>>>", 0)
@given(st.floats(allow_nan=False, allow_infinity=False), TEXT, SEEN)
def test_an_issued_cursor_comes_back_as_it_was(score: float, text: str, seen: int) -> None:
    cursor = to_cursor([score, text, seen])
    assert re.fullmatch(r"[\w=-]+", cursor, re.ASCII), "it stands in URLs"
    assert from_cursor(cursor, (float, str, int)) == [score, text, seen]
