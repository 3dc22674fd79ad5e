"""What binds the documents of a batch: to what is stored, to each other, and what became of them by it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dupgroups.model import Document, Outcome, Record, Signature, State, Verdict


@dataclass(slots=True)
class Tie:
    """A new document and what binds it to others: stored ones, and those before it in its batch."""

    document: Document
    others: list[Record] = field(default_factory=list)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    state: State = "new"

    @property
    def id(self) -> str:
        """Id of the document."""
        return self.document.record.id


def earlier(records: Sequence[Record], limit: int) -> Iterator[list[Record]]:
    """For each record the earlier ones of the batch that share a key, those that share most first."""
    holders: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        keys = [(record.signature.scheme, key) for key in record.signature.keys]
        shared = Counter(other for key in keys for other in holders[key])
        yield sorted(shared, key=lambda other: (-shared[other], other.id))[:limit]
        for key in keys:
            holders[key].append(record)


def outcomes_of(
    ties: Iterable[Tie], names: Mapping[str, str], failures: Mapping[str, str]
) -> dict[str, Outcome]:
    """By id; what was refused has failed."""
    found = {}
    for tie in ties:
        reason = failures.get(tie.id, "")
        state = "failed" if reason else tie.state
        found[tie.id] = Outcome(tie.id, names[tie.id], state, tie.verdicts, reason)
    return found


def state_of(signature: Signature, known: bool, groups: int) -> State:
    """What becomes of a document that is `known` already, or tied to so many groups."""
    if known:
        return "updated"
    if not signature:
        return "too_short"
    return ("new", "joined", "merged")[min(groups, 2)]


def unlike(documents: Sequence[Document]) -> Iterator[list[Document]]:
    """Cut a batch where an id comes again, so that the later one meets the earlier one in the store."""
    batch: dict[str, Document] = {}
    for document in documents:
        if document.record.id in batch:
            yield list(batch.values())
            batch = {}
        batch[document.record.id] = document
    if batch:
        yield list(batch.values())


def unchanged(document: Document, stored: Mapping[str, Record]) -> bool:
    """Whether the store knows this already. A twin adds nothing to the page that it is a twin of."""
    new, old = document.record, stored.get(document.record.id)
    if old is None or old.signature.scheme != new.signature.scheme:
        return False
    return bool(document.twin) or (old.fingerprint, old.signature) == (new.fingerprint, new.signature)
