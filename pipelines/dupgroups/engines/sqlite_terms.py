"""The full-text index of a SQLite file, which keeps no copy of the terms of a document.

To take a document out of it, FTS5 has to be given the terms that it was indexed by. They are made again from
the stored text, and a digest tells whether they are the same: another version of the stemmer, of the Chinese
dictionary or of Unicode may cut a word otherwise. If they are not, they stay in the index, under a number
that no document gets again, so that no search can find them, until `dup-groups vacuum`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b

from dupgroups.engines import sqlite_schema as sql
from dupgroups.model import Document
from dupgroups.text.terms import search_terms

Terms = tuple[str, str, str, str]
"""The columns of the index: words of the title, words of the text, stems, pairs."""


def terms_of(document: Document) -> Terms:
    """The words of title and text, their stems, and their pairs, as they are searched."""
    content = document.content
    return terms(content.title, content.text, content.language)


def terms(title: str, text: str, language: str) -> Terms:
    """The same for the parts of a document."""
    above, below = (search_terms(field, language) for field in (title, text))
    # the weights of columns are those of words: pairs in the title count as much by occurring three times
    pairs = above.pairs * 3 + below.pairs
    return (
        " ".join(above.words),
        " ".join(below.words),
        " ".join(above.stems + below.stems),
        " ".join(pairs),
    )


def digest(columns: Sequence[str]) -> bytes:
    """8 bytes that differ for other terms."""
    return blake2b("\0".join(columns).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def take_out(db: sqlite3.Connection, doc: int, indexed: bytes | None, columns: Terms) -> bool:
    """Take a document out of the index, given the digest of the terms that it was indexed by and its terms as
    they are made now. False if they differ: then its number must not be used again.
    """
    if indexed is None:  # of an earlier version
        for statement in sql.FORGET_COPIES:
            db.execute(statement, (doc,))
        return True
    if digest(columns) != indexed:
        return False
    db.execute(sql.FORGET_TERMS, (doc, *columns))
    return True
