"""The data types of the flow: Page -> Content -> Signature -> Record -> Verdict -> dup_group -> Hit.

Every step takes one of these and produces the next. They are frozen and have no logic except properties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
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


DAY_MICROSECONDS = 86_400_000_000  # microseconds
MINUTE_MICROSECONDS = 60_000_000


@dataclass(frozen=True, slots=True)
class Page:
    """A page from the network or from a file: HTML, or text alone."""

    url: str | None = None
    """The address that it was read from, or None."""
    html: bytes | str | None = None
    """Bytes as received, or decoded text; None if only text is known."""
    text: str | None = None
    """The text of the article, which is then not extracted; None extracts it from `html`."""
    title: str | None = None
    """A title that takes precedence over the extracted one; the name of the site, which feeds add, is cut
    off."""
    date: str | None = None
    """The date of publication in any common notation; takes precedence over the extracted one."""
    language: str | None = None
    """A language code that takes precedence over the detected one."""
    id: str | None = None
    """The id of the document; None makes it from the URL, or without a URL from the text."""
    encoding: str | None = None
    """The charset that the HTTP header names, or None."""
    site: str | None = None
    """The name of the site; takes precedence over the extracted one."""
    author: str | None = None
    """Names of authors, separated by ", "; takes precedence over the extracted ones."""
    source: str | None = None
    """The publisher that the text is from, by name or domain, as in the `<source>` of an RSS feed; takes
    precedence over the one that the page declares."""
    scope: str | None = None
    """The owner of the page, where the configuration groups by fields that come with documents
    (`config.scope_of`)."""


@dataclass(frozen=True, slots=True)
class Content:
    """The article of a page."""

    text: str
    """The paragraphs of the article, separated by one newline; "" if there is no article."""
    title: str = ""
    """The headline; "" if unknown."""
    date: str | None = None
    """When it was published, as ISO 8601, to the day or the second; None if unknown."""
    language: str = ""
    """A two-letter code; "" if unknown."""
    url: str | None = None
    """The canonical URL, or None."""
    site: str | None = None
    """The name that the site gives itself; None if unknown."""
    article: float = 1.0
    """The confidence that the page is an article, 0 to 1."""
    author: str = ""
    """Names separated by ", "; "" if unknown."""
    image: str | None = None
    """The http(s) URL of the lead picture, or None."""
    scope: str = ""
    """The `scope` of the page; "" if it has none."""
    source: str = ""
    """Another publisher that the page declares its text to be from, by name or domain; "" if it declares
    none."""
    owner: str = ""
    """The company that holds the rights in the page by its legal notice, if it is not named as the site is;
    "" if unknown."""


@lru_cache(1024)
def shared_keys_of(scheme: str) -> int:
    """How many keys two signatures of a scheme must share to be compared.

    >>> shared_keys_of("minhash.4 similarity=0.25 shared_keys=2"), shared_keys_of("simhash.1")
    (2, 1)
    """
    named = re.search(r" shared_keys=(\d+)", scheme)
    return int(named[1]) if named else 1


@lru_cache(4096)
def _mark(scheme: str, scope: str, body: bytes, length: int) -> str:
    return "=" + blake2b(f"{scheme}{scope}\0{length}\0".encode() + body, digest_size=12).hexdigest()


SCOPE_MARK, SCOPE_CHARS = " by=", 12  # in a scheme that has scopes; of their digest, with which keys begin


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
    def look_up(self) -> str:
        """Its scheme and its keys, one a line."""
        return "\n".join((self.scheme, *self.keys))

    @property
    def shared_keys(self) -> int:
        """How many keys another document must share to be compared with this one: the parameter `shared_keys`
        that the scheme names, or else 1.
        """
        return shared_keys_of(self.scheme)

    @property
    def scope(self) -> str:
        """The digest of its scope (`group_by`); "" if it is in none, or has no keys."""
        return self.keys[0][:SCOPE_CHARS] if SCOPE_MARK in self.scheme and self.keys else ""


@dataclass(frozen=True, slots=True)
class PartSignature(Signature):
    """A signature that is looked up only, for all that shares a single key: also a text with a small part."""

    @property
    def shared_keys(self) -> int:
        """One."""
        return 1


NO_SIGNATURE = Signature("")
"""The signature of a document that was not signed yet: it matches nothing."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie of a document to another one: the relation of the document to `other` (an id), and the score."""

    other: str
    relation: Relation
    score: float


@dataclass(frozen=True, slots=True)
class Record:
    """A stored document as grouping knows it: everything except its words."""

    id: str
    """The id of the document, unique in a store."""
    group: str
    """The name of its group: the id of the oldest member, by `first_seen`, then `id`."""
    host: str
    """The host that it came from; "" if unknown."""
    signature: Signature
    """Its keys and body; falsy if its text is too short to be signed."""
    first_seen: int = 0
    """When it was first stored, in microseconds since 1970; 0 before it is stored."""
    last_seen: int = 0
    """When it was last stored or came again, in microseconds since 1970."""
    fingerprint: str = ""
    """A digest that changes exactly if title or text change; "" if unknown."""
    length: int = 0
    """The number of characters of its text."""
    canonical: bool = True
    """False for a page that was read from another address than its canonical URL, such as AMP or print."""
    published: int | None = None
    """When the document says that it was published, in minutes since 1970, UTC: a day without a time counts
    as its last minute. None if it does not say."""
    ties: tuple[Tie, ...] = field(default=(), compare=False)
    """The strongest verdicts that joined it with other documents when it was written, the strongest first."""
    head: bool | None = field(default=None, compare=False)
    """Whether the store holds it as the head of its group; None if it was not read from a store."""
    version: object = field(default=None, compare=False)
    """The version at which it was read, from stores with versions of single documents; else None."""

    @property
    def age(self) -> tuple[int, str]:
        """Sort key: smaller is older."""
        return (self.first_seen, self.id)

    @property
    def mark(self) -> str:
        """A name that only copies of its text in its scope have as well; "" if its signature has no body."""
        signature = self.signature
        return _mark(signature.scheme, signature.scope, signature.body, self.length) if signature.body else ""

    @property
    def stands_alone(self) -> bool:
        """Whether it is the head of a group that is named after it, and nothing joined it with others."""
        return self.group == self.id and self.is_head and not self.ties

    @property
    def day(self) -> int:
        """The day on which it was published, or else first seen, in days since 1970."""
        return (
            self.first_seen // DAY_MICROSECONDS
            if self.published is None
            else self.published * MINUTE_MICROSECONDS // DAY_MICROSECONDS
        )

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
    """A stored document: a record and its content.

    `alternate_id` is set if the page was not read from its canonical URL (AMP, print): the id that the
    document gets if the canonical page turns out to be a different story.
    """

    record: Record
    content: Content
    alternate_id: str | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    """A document as it was until it was changed."""

    at: int
    """When the change was seen, in microseconds since 1970."""
    text: str
    """The earlier text with its title, as of `text.facts.join_title`."""


_SWAPPED_RELATIONS: Mapping[Relation, Relation] = {"contains": "contained", "contained": "contains"}


def swap_relation(relation: Relation) -> Relation:
    """How `b` relates to `a` if `a` relates to `b` like this."""
    return _SWAPPED_RELATIONS.get(relation, relation)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How `a` relates to `b`, the `score` (0 to 1, symmetric), and the reason in a sentence.

    `doubtful`: signatures alone leave it in doubt, so the texts are compared where they are known.
    """

    relation: Relation
    score: float
    reason: str
    doubtful: bool = field(default=False, compare=False, repr=False)

    def swap(self) -> Verdict:
        """How `b` relates to `a`."""
        relation = swap_relation(self.relation)
        return self if relation == self.relation else replace(self, relation=relation)


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


PROGRAM = "dup-groups"
"""Who enters frames, and what keeps changed pages in their stories."""

CorrectionKind = Literal["keep-apart", "keep-together", "head", "undo", "frame"]
"""`keep-apart`: two documents never share a group. `keep-together`: they always do. `head`: a document stands
for its group. `undo`: an earlier correction no longer counts."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One entry of the log of corrections, which only ever grows."""

    number: int
    """Counts the entries from 1."""
    kind: CorrectionKind
    """What the entry says about `ids`."""
    ids: tuple[str, ...]
    """The documents: two, one for `head`, for `frame` those that taught it; for an `undo` those of the entry
    that it takes back."""
    by: str
    """The name of the person who entered it, or PROGRAM."""
    at: int
    """When it was entered, in microseconds since 1970."""
    undoes: int | None = None
    """The number of the entry that an `undo` takes back; None for the other kinds."""
    carried_out: bool = False
    """Whether the groups of these documents have been regrouped since; if not, the next settling does it."""
    marks: tuple[str, ...] = ()
    """What the texts of the two documents were then (`Record.mark`): their copies are meant, too; then how
    these are looked up (`Signature.look_up`). Of a frame its runs (`methods.frames`)."""

    @property
    def keeps_page(self) -> bool:
        """Whether the program entered it, to keep a changed page, the first one, in its story."""
        return self.kind == "keep-together" and self.by == PROGRAM
