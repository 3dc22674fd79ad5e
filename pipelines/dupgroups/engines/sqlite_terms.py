"""The full-text index of a SQLite file, which keeps no copy of the terms of a document, and beside it that of
their beginnings.

To take a document out of it, FTS5 has to be given the terms that it was indexed by. They are made again from
the stored text, and a digest tells whether they are the same: another version of the stemmer, of the Chinese
dictionary or of Unicode may cut a word otherwise. If they are not, they stay in the index, under a number
that no document gets again, so that no search can find them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b

from dupgroups.engines import sqlite_schema as sql
from dupgroups.text.terms import SIGN, search_terms

LETTERS = range(2, 5)  # at the beginning of a word, that are indexed

Terms = tuple[str, str, str, str]
"""The columns of the index: words of the title, words of the text, stems, pairs."""


def terms(title: str, text: str, language: str) -> Terms:
    """The words of title and text, their stems, and their pairs, as they are searched."""
    above, below = (search_terms(field, language) for field in (title, text))
    # the weights of columns are those of words: pairs in the title count as much by occurring three times
    pairs = above.pairs * 3 + below.pairs
    return (
        " ".join(above.words),
        " ".join(below.words),
        " ".join(above.stems + below.stems),
        " ".join(pairs),
    )


def beginnings(columns: Terms) -> str:
    """The first two, three and four letters of words and stems, as they are indexed. Pairs have none, as a
    star does not follow them.
    """
    *words, stems, _ = columns
    longest = {word[: LETTERS[-1]] for column in words for word in column.split()}
    longest.update(stem.partition(SIGN)[0][: LETTERS[-1]] for stem in stems.split())
    return " ".join({part[:size] for part in longest for size in LETTERS if size <= len(part)})


def put_in(db: sqlite3.Connection, found_by: Sequence[tuple[int, Terms]]) -> None:
    """Add documents to the index: the number of each, and its terms."""
    db.executemany(sql.INSERT_TERMS, [(doc, *columns) for doc, columns in found_by])
    db.executemany(sql.INSERT_BEGINNINGS, [(doc, beginnings(columns)) for doc, columns in found_by])


def digest(columns: Sequence[str]) -> bytes:
    """8 bytes that differ for other terms."""
    return blake2b("\0".join(columns).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def take_out(db: sqlite3.Connection, doc: int, indexed: bytes, columns: Terms) -> bool:
    """Take a document out of the index, given the digest of the terms that it was indexed by and its terms as
    they are made now. False if they differ: then its number must not be used again.
    """
    if digest(columns) != indexed:
        return False
    db.execute(sql.FORGET_TERMS, (doc, *columns))
    db.execute(sql.FORGET_BEGINNINGS, (doc, beginnings(columns)))
    return True
