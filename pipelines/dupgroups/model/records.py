"""The data types of the flow: Page -> Content -> Signature -> Record -> Verdict -> dup_group -> Hit.

Every step takes one of these and produces the next. They are frozen and have no logic except properties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

Relation = Literal["duplicate", "contains", "contained", "near", "different", "too_short"]
"""How one document relates to another.

`duplicate`: the same story. `contains` / `contained`: the first has all of the second and much more / the
reverse. `near`: they share much but are different stories (or an update). `too_short`: at least one of them
has too little text for a decision.
"""

Linkage = Literal["closure", "average"]
"""When groups meet: `closure` merges them for one pair that joins, `average` when enough of the pairs do."""

State = Literal["new", "joined", "merged", "updated", "unchanged", "too_short", "not_article", "failed"]
"""What became of a document: alone in a `new` group, `joined` to a group, `merged` two or more groups,
`updated` in place (known id, new text), `unchanged` (known id, same text), `too_short` (stored alone),
`not_article` (no text of an article: a crawl and `add` do not store it, others alone),
`failed` (not stored: the engine rejected it)."""


DAY = 86_400_000_000  # microseconds
MINUTE = 60_000_000


@dataclass(frozen=True, slots=True)
class Page:
    """A page from the network or from a file: html (bytes as received, or text), or text alone.

    `encoding` is the charset from the HTTP header. The text of a page with `text` is not extracted again.
    `title` (without the name of the site, which feeds add), `date` and `language`, if given, take precedence
    over extracted values. `id` takes precedence over the id made from the URL; a page with neither gets an id
    made from its text. `scope` says to whom it belongs, where the configuration groups by fields that come
    with a document (`config.scope_of`).
    """

    url: str | None = None
    html: bytes | str | None = None
    text: str | None = None
    title: str | None = None
    date: str | None = None
    language: str | None = None
    id: str | None = None
    encoding: str | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """The article of a page. `text` holds its paragraphs, separated by one newline; "" without an article.

    `date` is ISO 8601 (a day or a second), `language` a two-letter code ("" if unknown), `url` the canonical
    URL, `site` the name that the site gives itself, `article` the confidence that the page is an article
    (0 to 1). `author` holds names separated by ", " ("" if unknown), `image` the http(s) URL of the lead
    picture, `scope` that of the page.
    """

    text: str
    title: str = ""
    date: str | None = None
    language: str = ""
    url: str | None = None
    site: str | None = None
    article: float = 1.0
    author: str = ""
    image: str | None = None
    scope: str = ""


@lru_cache(1024)
def shared_keys_of(scheme: str) -> int:
    """How many keys two signatures of a scheme must share to be compared.

    >>> shared_keys_of("minhash.4 similarity=0.25 shared_keys=2"), shared_keys_of("simhash.1")
    (2, 1)
    """
    found = re.search(r" shared_keys=(\d+)", scheme)
    return int(found[1]) if found else 1


@dataclass(frozen=True, slots=True)
class Signature:
    """`keys` (short opaque strings) are looked up in an index, `body` is compared by a judge.

    `scheme` names the signer with its parameters and version; signatures of different schemes are never
    compared. Engines never read `body`, judges never read `keys`. A signature without keys matches nothing.
    """

    scheme: str
    keys: tuple[str, ...] = ()
    body: bytes = b""

    def __bool__(self) -> bool:
        return bool(self.keys)

    @property
    def shared_keys(self) -> int:
        """How many keys another document must share to be compared with this one: the parameter `shared_keys`
        that the scheme names, or else 1.
        """
        return shared_keys_of(self.scheme)


UNSIGNED = Signature("")
"""The signature of a document that was not signed yet: it matches nothing."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What ties a document to another one: the relation of the document to `other` (an id), and the score."""

    other: str
    relation: Relation
    score: float


@dataclass(frozen=True, slots=True)
class Record:
    """What grouping knows about a stored document: everything except its words.

    `first_seen` and `last_seen` are microseconds since 1970; the id of the oldest member (`first_seen`, then
    `id`) is the id of its group. `fingerprint` changes exactly when title or text change. `length` counts the
    characters of the text; `canonical` is false for a page that was read from another address than its
    canonical URL (AMP, print); `published` is when the document says that it was published, in minutes since
    1970 in UTC: the last minute of a day without a time, None if it does not say so. `ties` are the strongest
    verdicts that joined it with others when it was written. `head`: whether a store holds it as the head of
    its group. `version` is the version that was read from a store with versions of single documents. Both are
    None for records that were not read from a store, and `version` for other stores.
    """

    id: str
    group: str
    host: str
    signature: Signature
    first_seen: int = 0
    last_seen: int = 0
    fingerprint: str = ""
    length: int = 0
    canonical: bool = True
    published: int | None = None
    ties: tuple[Tie, ...] = field(default=(), compare=False)
    head: bool | None = field(default=None, compare=False)
    version: object = field(default=None, compare=False)

    @property
    def age(self) -> tuple[int, str]:
        """Sort key: smaller is older."""
        return (self.first_seen, self.id)

    @property
    def day(self) -> int:
        """The day on which it was published, or else first seen, in days since 1970."""
        return self.first_seen // DAY if self.published is None else self.published * MINUTE // DAY

    @property
    def is_head(self) -> bool:
        """Whether it stands for its group in searches: as stored, or else if it names its group."""
        return self.id == self.group if self.head is None else self.head


@dataclass(frozen=True, slots=True)
class Seen:
    """The versions that a plan is based on: `store` of the whole store, `records` of single documents by id.

    Versions are only compared, never interpreted. None stands for a document that was not there, and for
    every document if the store has no versions of single documents.
    """

    store: object
    records: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Document:
    """What an engine stores: a record and its content.

    `twin` is set if the page was not read from its canonical URL (AMP, print): the id that the document gets
    if the canonical page turns out to be a different story.
    """

    record: Record
    content: Content
    twin: str | None = None


_SWAPPED: Mapping[Relation, Relation] = {"contains": "contained", "contained": "contains"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """How `a` relates to `b`, the `score` (0 to 1, symmetric), and the reason in a sentence.

    `doubtful`: signatures alone leave it in doubt, so the texts are compared where they are known.
    """

    relation: Relation
    score: float
    reason: str
    doubtful: bool = field(default=False, compare=False, repr=False)

    @property
    def swapped(self) -> Verdict:
        """How `b` relates to `a`."""
        relation = _SWAPPED.get(self.relation)
        return replace(self, relation=relation) if relation else self


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of adding a page: the id of the document, its group, its state, and the joining verdicts.

    `verdicts` is by id of the documents that it was joined with; `reason` is a sentence if `failed`, else "".
    """

    id: str
    group: str
    state: State
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Membership:
    """To which group a stored document belongs, and whether it is the head of it."""

    id: str
    group: str
    head: bool


CorrectionKind = Literal["keep-apart", "keep-together", "head", "undo"]
"""`keep-apart`: two documents never share a group. `keep-together`: they always do. `head`: a document stands
for its group. `undo`: an earlier correction no longer counts."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One entry of the log of corrections, which is only ever added to.

    `number` counts from 1; `ids` are the documents (two, or one for `head`; those of the entry that an `undo`
    takes back, whose number is `undoes`). `by` says who entered it, `at` when, in microseconds since 1970.
    `carried_out`: the groups of these documents have been put together anew since.
    """

    number: int
    kind: CorrectionKind
    ids: tuple[str, ...]
    by: str
    at: int
    undoes: int | None = None
    carried_out: bool = False
