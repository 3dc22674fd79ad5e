"""Labelled pairs and clusters: reading their files, and the truth that a measurement needs."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from dupgroups.bulk.inputs.rows import Rows
from dupgroups.errors import InputError
from dupgroups.grouping.components import Components
from dupgroups.model import Relation
from dupgroups.text.counted import count_noun

DOCUMENTS_FILE, PAIRS_FILE = "docs.jsonl.gz", "pairs.csv"  # of a pack
Pair = tuple[str, str]  # ids in ascending order

LABELS: Mapping[str, frozenset[Relation]] = {
    # each label with the relations that mean the same
    "duplicate": frozenset({"duplicate"}),
    "containment": frozenset({"contains", "contained"}),
    "near": frozenset({"near"}),
    "non": frozenset({"different", "too_short"}),
    "unjudged": frozenset(),  # nobody knows: counts neither way
}


def pair(a: str, b: str) -> Pair:
    """Two ids as a pair, in either order.

    >>> pair("b", "a")
    ('a', 'b')
    """
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True, slots=True)
class Truth:
    """The true pairs and clusters of `documents`.

    `positive` pairs have to be found. `ignored` pairs lie between positive and `non`: finding one is neither
    right nor wrong. `hard` pairs are labelled `non`; an unlabelled pair is `non` as well.
    `clusters` maps every document to its true cluster.
    """

    documents: tuple[str, ...]
    positive: frozenset[Pair]
    ignored: frozenset[Pair]
    hard: frozenset[Pair]
    clusters: Mapping[str, str]

    @property
    def extent(self) -> str:
        """The number of documents and pairs, as a sentence."""
        documents, pairs = count_noun(len(self.documents), "document"), count_noun(len(self.positive), "pair")
        return f"{documents}, {pairs} to be found, {len(self.ignored):,} that count neither way."

    def restrict(self, documents: Iterable[str]) -> Truth:
        """The truth of some of the documents only."""
        kept = set(documents)
        positive, ignored, hard = (
            frozenset(pair_of_ids for pair_of_ids in listed if kept.issuperset(pair_of_ids))
            for listed in (self.positive, self.ignored, self.hard)
        )
        clusters = {document: cluster for document, cluster in self.clusters.items() if document in kept}
        return Truth(tuple(filter(kept.__contains__, self.documents)), positive, ignored, hard, clusters)


def truth(
    documents: Iterable[str],
    labels: Mapping[Pair, str] | None,
    clusters: Mapping[str, str] | None = None,
    positive: Sequence[str] = ("duplicate",),
) -> Truth:
    """The truth of these documents; labels of other documents are left out.

    Without `clusters` the clusters are the closure of the positive pairs; without `labels` the positive pairs
    are those within a cluster, and `positive` has no effect. Raises InputError for an unknown label in
    `positive` and when there is no positive pair.
    """
    ids = tuple(dict.fromkeys(documents))
    known = set(ids)
    if labels is None:
        labels, positive = dict.fromkeys(pairs_within(clusters or {}), "duplicate"), ("duplicate",)
    check_labels(positive)
    by_label: dict[str, set[Pair]] = defaultdict(set)
    for ids_of_pair, label in labels.items():
        if known.issuperset(ids_of_pair):
            by_label["positive" if label in positive else label].add(ids_of_pair)
    wanted = frozenset(by_label.pop("positive", ()))
    if not wanted:
        raise InputError(
            f"no labelled pair of these documents is {' or '.join(positive)}: do the labels use the ids of "
            f"the documents?"
        )
    hard = frozenset(by_label.pop("non", ()))
    if clusters is None:
        true_clusters = closure(ids, wanted)
    else:  # a document without a cluster is one for itself
        true_clusters = {id_: f"in {clusters[id_]}" if id_ in clusters else f"alone {id_}" for id_ in ids}
    return Truth(ids, wanted, frozenset().union(*by_label.values()), hard, true_clusters)


def read_labels(path: Path) -> dict[Pair, str]:
    """Labels by pair, from a CSV file with the columns a, b and label.

    Raises InputError for any other file.
    """
    labels: dict[Pair, str] = {}
    for number, (a, b, label) in columns_of(path, ("a", "b", "label")):
        try:
            check_labels([label])
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from error
        if a == b:
            raise InputError(f"{path}, line {number}: a pair has two documents, not {a!r} twice")
        labels[pair(a, b)] = label
    return labels


class Weight(NamedTuple):
    """How many pairs a labelled one stands for, and how many words the shorter of its texts has."""

    pairs: float
    words: int


def read_weights(path: Path) -> dict[Pair, Weight]:
    """The weights of the labelled pairs of a sample, from the columns a, b, weight and words of a CSV file.

    Empty if the file has no column `weight`. Raises InputError for a weight or a length that is no number.
    """
    weights = {}
    with _reader(path) as reader:
        if "weight" not in (reader.fieldnames or ()):
            return {}
    for number, (a, b, weight, words) in columns_of(path, ("a", "b", "weight", "words")):
        try:
            weights[pair(a, b)] = Weight(float(weight), int(words))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: weight and words are numbers: {error}") from error
    return weights


def read_clusters(path: Path) -> dict[str, str]:
    """Clusters by document, from rows (see `Rows`) with id and cluster; an empty cluster is left out.

    Raises InputError for any other file.
    """
    clusters = {}
    for number, row in Rows(path):
        if isinstance(row, InputError) or not {"id", "cluster"} <= row.keys():
            raise InputError(f"{path}, line {number}: a document has an id and a cluster")
        if row["cluster"] not in (None, ""):
            clusters[str(row["id"])] = str(row["cluster"])
    return clusters


def closure(documents: Iterable[str], pairs: Iterable[Pair]) -> dict[str, str]:
    """The transitive closure of pairs: every document's cluster, named by its first document.

    >>> closure("abcd", [("b", "c"), ("a", "c")])
    {'a': 'a', 'b': 'a', 'c': 'a', 'd': 'd'}
    """
    ages = {document: (position, document) for position, document in enumerate(documents)}
    groups = Components(ages)
    for a, b in pairs:
        groups.join(a, b)
    return {document: groups.name(document) for document in ages}


def pairs_within(clusters: Mapping[str, str]) -> Iterator[Pair]:
    """The pairs of documents in one cluster; `clusters` has the cluster of each document."""
    members: dict[str, list[str]] = defaultdict(list)
    for document, cluster in clusters.items():
        members[cluster].append(document)
    for cluster_members in members.values():
        yield from combinations(sorted(cluster_members), 2)


def check_labels(labels: Iterable[str]) -> None:
    """Raises InputError for an unknown label."""
    for label in labels:
        if label not in LABELS:
            raise InputError(f"unknown label {label!r}; known: {', '.join(LABELS)}")


def columns_of(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The wanted columns of each row of a CSV file, with its line number. Raises InputError for others."""
    with _reader(path) as reader:
        if not set(columns) <= set(reader.fieldnames or ()):
            raise InputError(f"{path}: the first line must name the columns {', '.join(columns)}")
        for row in reader:
            yield reader.line_num, [row[column] or "" for column in columns]


@contextmanager
def _reader(path: Path) -> Iterator[csv.DictReader[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield csv.DictReader(file)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} is not a CSV file in UTF-8: {error}") from error
