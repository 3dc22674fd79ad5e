# ruff: noqa: S608 - only constants are put together here, values are parameters
"""Translate a search into queries of FTS5 (https://sqlite.org/fts5.html, section 3).

A word of two to four letters with a star is looked up in the index of beginnings (see `schema`),
unless it is an alternative to something else, as in `flo* OR fire`: FTS5 has to find both in one index.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from dupgroups.engines.sqlite.writing import LETTERS
from dupgroups.text.query_syntax import Either, Every, Node, Run, Search, Term

_LATEST_ROWS = " ORDER BY rowid DESC LIMIT :most"


class Lookup(NamedTuple):
    """The documents that match in a table, and also, if there is a `condition`, match `other`. In `condition`
    and `score`, {table} stands for the table.
    """

    table: str
    match: str
    condition: str = "1"
    other: str = ""
    is_ranked: bool = True

    @property
    def score(self) -> str:
        """The sort order of the results: without ranks, all documents are alike."""
        return "{table}.rank" if self.is_ranked else "0.0"


def lookup_of(search: Search, common: Collection[Node] = ()) -> Lookup:
    """The lookup that finds what a search wants. `common` are those of `typed_words` that say nothing about
    a document; then at most :most are found.
    """
    wanted = _parts(search)
    if not common:
        return _in_both_indexes(wanted, search.unwanted)
    telling = [node for node in wanted if node not in common]
    if not telling:
        return Lookup("text_index", _match(wanted, ()), is_ranked=False)
    condition = _match_other("IN", "text_index", _LATEST_ROWS)
    return Lookup("text_index", _match(telling, ()), condition, _match(wanted, ()))  # ranked by the others


def run_of(run: Run) -> str:
    """Terms that follow one another, as an expression of FTS5.

    In quotes, a term is only a term: NEAR, OR and * have no special meaning for FTS5.
    """
    return _quote_run(run) + " *" * run.prefix


def typed_words(search: Search) -> dict[Node, str]:
    """The words and phrases that are all wanted, each as it was typed; none if there is anything else in the
    search, such as alternatives.
    """
    typed = {}
    for node in _parts(search):
        counted = [run for run in node.runs if run.counts] if isinstance(node, Term) else []
        if search.unwanted or len(counted) != 1 or counted[0].prefix:
            return {}
        typed[node] = run_of(counted[0])
    return typed


def _parts(search: Search) -> Sequence[Node]:
    assert search.wanted is not None
    return search.wanted.parts if isinstance(search.wanted, Every) else (search.wanted,)


def _in_both_indexes(wanted: Sequence[Node], unwanted: Sequence[Node]) -> Lookup:
    words, beginnings = _divide(wanted)
    no_words, no_beginnings = _divide(unwanted)
    if not words:
        match = _match(beginnings, no_beginnings, _quote_run)
        return Lookup("beginnings", match, *_but(no_words, "text_index", run_of), is_ranked=False)
    match = _match(words, no_words)
    if not beginnings:
        return Lookup("text_index", match, *_but(no_beginnings, "beginnings", _quote_run))
    other = _match(beginnings, no_beginnings, _quote_run)
    return Lookup("text_index", match, _match_other("IN", "beginnings"), other)


def _divide(nodes: Sequence[Node]) -> tuple[list[Node], list[Node]]:
    """Those to look up in the index of words, and those of nothing but beginnings."""
    return [node for node in nodes if not _is_beginning(node)], [*filter(_is_beginning, nodes)]


def _is_beginning(node: Node) -> bool:
    if isinstance(node, Term):
        return all(run.prefix and len(run.terms[0]) in LETTERS for run in node.runs)
    return all(map(_is_beginning, node.parts))


def _but(unwanted: Sequence[Node], table: str, term: Callable[[Run], str]) -> tuple[str, str]:
    """The condition of a `Lookup` that leaves out what is unwanted in another table, and its `other`."""
    return (_match_other("NOT IN", table), _match_any(unwanted, term)) if unwanted else ("1", "")


def _match_other(operator: str, table: str, some: str = "") -> str:
    return f"+{{table}}.rowid {operator} (SELECT rowid FROM {table} WHERE {table} MATCH :other{some})"


def _match(wanted: Sequence[Node], unwanted: Sequence[Node], term: Callable[[Run], str] = run_of) -> str:
    every = " AND ".join(_expression(node, term) for node in wanted)
    return f"({every}) NOT ({_match_any(unwanted, term)})" if unwanted else every


def _match_any(nodes: Sequence[Node], term: Callable[[Run], str]) -> str:
    return " OR ".join(_expression(node, term) for node in nodes)


def _expression(node: Node, term: Callable[[Run], str]) -> str:
    if isinstance(node, Term):
        return f"({' OR '.join(map(term, node.runs))})"
    between = " OR " if isinstance(node, Either) else " AND "
    return f"({between.join(_expression(part, term) for part in node.parts)})"


def _quote_run(run: Run) -> str:
    return f'"{" ".join(run.terms)}"'
