"""From an index to the items of a labelling project: what is read, drawn, and added as honeypots.

Most pairs of documents have hardly a phrase in common, so pairs drawn at random would teach nothing about
the threshold. Alonso, Fetterly, Manasse ("Generating labeled data") draw evenly over the values of Jaccard.
Equal seeds draw equal pairs from equal documents.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from random import Random

from dupgroups.engines.base import Engine
from dupgroups.errors import InputError
from dupgroups.model import Document
from dupgroups.text.hashing import Hashes
from dupgroups_lab.labelling.model import Item, Phase, Rules, Shown, key_of
from dupgroups_lab.labelling.phrases import WINDOW, jaccard, phrases, sharing_pairs
from dupgroups_lab.labels.labelled_pairs import Pair, columns_of, read_labels

_CANDIDATES_PER_PAIR = 40  # candidate pairs that are drawn for each pair wanted, so that rare bins are filled
SCORE_BINS = 10
MAX_TEXT_CHARS = 100_000  # characters of a text that are kept


@dataclass(frozen=True, slots=True)
class Plan:
    """Draw `pairs` pairs, evenly over their Jaccard coefficients, from the first `documents` of an index.

    `window` is that of the inverse document frequency of the phrases that they share. `only_pairs`: nobody is
    asked whether the documents are news.
    """

    pairs: int = 500
    documents: int = 10_000
    window: tuple[float, float] = WINDOW
    only_pairs: bool = False


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


def read_honeypots(paths: Iterable[Path]) -> Honeypots:
    """The honeypots of files with the columns id, news ("yes" or "no"), or a, b, label.

    Raises InputError for any other file or answer.
    """
    news: dict[str, str] = {}
    pairs: dict[Pair, str] = {}
    for path in paths:
        try:
            rows = list(columns_of(path, ("id", "news")))
        except InputError:  # of another kind, or no file at all, which `read_labels` says
            pairs |= {ids: label for ids, label in read_labels(path).items() if label != "unjudged"}
            continue
        for number, (document, answer) in rows:
            if not document or answer not in ("yes", "no"):
                raise InputError(f"{path}, line {number}: give an id, and yes or no as news")
            news[document] = answer
    return Honeypots(news, pairs)


def read_pool(engine: Engine, most: int) -> Pool:
    """At most `most` documents, without those that have no text, in the order of their ids."""
    documents = [document for document in islice(engine.scan(), most) if document.content.text.strip()]
    return Pool(tuple(documents), tuple(phrases(document.content.text) for document in documents))


def draw(pool: Pool, plan: Plan, rules: Rules, honeypots: Honeypots) -> list[Item]:
    """The items of both phases. Raises InputError if there is no pair to draw."""
    ids_of_pool = [document.record.id for document in pool.documents]
    values = sharing_pairs(
        ids_of_pool, pool.texts, plan.pairs * _CANDIDATES_PER_PAIR, rules.seed, plan.window
    )
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
    ids = {} if plan.only_pairs else dict.fromkeys(document for item in pairs for document in item.documents)
    news = [Item(key_of(rules.seed, "news", id_), "news", id_) for id_ in ids if id_ not in honeypots.news]
    return [*news, *pairs, *_known_items(honeypots, rules.seed)]


def even_over_bins(values: Mapping[Pair, float], count: int, seed: int) -> list[Pair]:
    """At most `count` pairs, as many from each bin of their values (0 to 1) as there are.

    Whatever a bin lacks comes from the others, again evenly.
    """
    binned: defaultdict[int, list[Pair]] = defaultdict(list)
    for ids in sorted(values):
        binned[bin_of(values[ids])].append(ids)
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    bins = random.sample([binned[number] for number in sorted(binned)], len(binned))
    rounds = zip_longest(*(random.sample(listed, len(listed)) for listed in bins))
    return [ids for of_round in rounds for ids in of_round if ids][:count]


def bin_of(value: float) -> int:
    """The bin of a value from 0 to 1; the last one includes 1.

    >>> bin_of(0.0), bin_of(0.55), bin_of(1.0)
    (0, 5, 9)
    """
    return min(SCORE_BINS - 1, int(value * SCORE_BINS))


def shown_documents(engine: Engine, items: Iterable[Item], pool: Pool) -> list[Shown]:
    """The documents of the items. Raises InputError for a honeypot that is not in the index."""
    held = {document.record.id: document for document in pool.documents}
    wanted = dict.fromkeys(id_ for item in items for id_ in item.documents)
    missing = [id_ for id_ in wanted if id_ not in held]
    held |= engine.read(missing)
    absent = [id_ for id_ in missing if id_ not in held]
    if absent:
        raise InputError(f"the index has no document {absent[0]!r}, which a honeypot names: correct its id")
    return [_shown_document(held[id_]) for id_ in wanted]


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


def _shown_document(document: Document) -> Shown:
    content = document.content
    return Shown(
        id=document.record.id,
        text=content.text[:MAX_TEXT_CHARS],
        title=content.title,
        language=content.language,
        url=content.url,
        site=content.site or document.record.host,
        date=content.date,
    )
