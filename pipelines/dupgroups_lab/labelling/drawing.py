"""From an index to the items of a labelling project: what is read, drawn, and added as honeypots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from dupgroups.engines.base import Engine
from dupgroups.errors import InputError
from dupgroups.model import Document
from dupgroups.text.hashing import Hashes
from dupgroups_lab.labelling.model import Item, Phase, Rules, Shown, key_of
from dupgroups_lab.labelling.phrases import WINDOW, jaccard, phrases, sharing_pairs
from dupgroups_lab.labelling.sampling import even_over_bins
from dupgroups_lab.labels.pairs import Pair

_CANDIDATES = 40  # candidate pairs that are drawn for each pair wanted, so that rare bins are filled
LONGEST = 100_000  # characters of a text that are kept


@dataclass(frozen=True, slots=True)
class Plan:
    """Draw `pairs` pairs, evenly over their Jaccard coefficients, from the first `documents` of an index.

    `window` is that of the inverse document frequency of the phrases that they share.
    """

    pairs: int = 500
    documents: int = 10_000
    window: tuple[float, float] = WINDOW


@dataclass(frozen=True, slots=True)
class Honeypots:
    """Known answers: `news` by document ("yes" or "no"), `pairs` by pair (a label of `labels.pairs`)."""

    news: Mapping[str, str]
    pairs: Mapping[Pair, str]


@dataclass(frozen=True, slots=True)
class Pool:
    """The documents that pairs are drawn from, and the phrases of each, in the same order."""

    documents: tuple[Document, ...]
    texts: tuple[Hashes, ...]


def read_pool(engine: Engine, most: int) -> Pool:
    """At most `most` documents, without those that have no text, in the order of their ids."""
    documents = [document for document in islice(engine.scan(), most) if document.content.text.strip()]
    return Pool(tuple(documents), tuple(phrases(document.content.text) for document in documents))


def draw(pool: Pool, plan: Plan, rules: Rules, honeypots: Honeypots) -> list[Item]:
    """The items of both phases. Raises InputError if there is no pair to draw."""
    ids_of_pool = [document.record.id for document in pool.documents]
    values = sharing_pairs(ids_of_pool, pool.texts, plan.pairs * _CANDIDATES, rules.seed, plan.window)
    even = even_over_bins(values, plan.pairs * 2, rules.seed)  # some may be honeypots
    drawn = [ids for ids in even if ids not in honeypots.pairs][: plan.pairs]
    if not drawn:
        raise InputError(
            f"no two of the first {len(pool.documents):,} documents share a phrase of the window: "
            "store more documents first, or widen --idf"
        )
    texts = {document.record.id: text for document, text in zip(pool.documents, pool.texts, strict=True)}
    pairs = [
        Item(key_of(rules.seed, "pairs", *ids), "pairs", *ids, jaccard(texts[ids[0]], texts[ids[1]]))
        for ids in drawn
    ]
    ids = dict.fromkeys(document for item in pairs for document in item.documents)
    news = [Item(key_of(rules.seed, "news", id_), "news", id_) for id_ in ids if id_ not in honeypots.news]
    return [*news, *pairs, *_known_items(honeypots, rules.seed)]


def shown_documents(engine: Engine, items: Iterable[Item], pool: Pool) -> list[Shown]:
    """The documents of the items. Raises InputError for a honeypot that is not in the index."""
    held = {document.record.id: document for document in pool.documents}
    wanted = dict.fromkeys(id_ for item in items for id_ in item.documents)
    missing = [id_ for id_ in wanted if id_ not in held]
    held |= engine.read(missing)
    absent = [id_ for id_ in missing if id_ not in held]
    if absent:
        raise InputError(f"the index has no document {absent[0]!r}, which a honeypot names: correct its id")
    return [_shown(held[id_]) for id_ in wanted]


def _known_items(honeypots: Honeypots, seed: int) -> list[Item]:
    same = {"duplicate", "containment"}
    rows: list[tuple[Phase, str, str, str]] = [
        *(("news", id_, "", answer) for id_, answer in honeypots.news.items()),
        *(
            ("pairs", *ids, "same" if label in same else "different")
            for ids, label in honeypots.pairs.items()
        ),
    ]
    return [Item(key_of(seed, phase, a, b), phase, a, b, known=answer) for phase, a, b, answer in rows]


def _shown(document: Document) -> Shown:
    content = document.content
    return Shown(
        id=document.record.id,
        text=content.text[:LONGEST],
        title=content.title,
        language=content.language,
        url=content.url,
        site=content.site or document.record.host,
        date=content.date,
    )
