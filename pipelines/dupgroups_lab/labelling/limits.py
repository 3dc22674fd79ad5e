"""The limits of candidate pairs among stored records: the highest threshold that still finds each of them.

The signatures are those in the index, so nothing is signed again; pairs are compared that a look-up would
compare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from dupgroups.config import Config
from dupgroups.method_set import MethodSet
from dupgroups.model import Record
from dupgroups_lab.calibration.thresholds import Scale, candidates, judge_of, methods_of
from dupgroups_lab.labels.pairs import LABELS, Pair


@dataclass(frozen=True)
class SchemeLimits:
    """The candidate pairs of a signature scheme with their limits (0 to 1), and the documents that have it.

    `methods` are the entries of the configuration with that scheme, `scale` their judge.
    """

    scheme: str
    methods: tuple[str, ...]
    scale: Scale
    documents: frozenset[str]
    limits: Mapping[Pair, float]

    @property
    def line(self) -> float:
        """The threshold of the configuration."""
        return float(getattr(self.scale.judge, self.scale.parameter))

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest threshold that the judge takes."""
        return self.scale.thresholds[0], self.scale.thresholds[-1]


def scheme_limits(records: Sequence[Record], config: Config) -> list[SchemeLimits]:
    """The limits of every scheme that the configuration uses and the records have, most documents first.

    Raises ConfigError when the configuration cannot be built, or a judge has no threshold.
    """
    method_set = MethodSet(config)
    known = [record for record in records if record.signature.scheme in method_set.schemes]
    pairs = candidates(known, config.candidates, lambda step, done, total: None)
    found = []
    for scheme in {record.signature.scheme for record in known}:
        methods = methods_of(scheme, method_set)
        scale = Scale(judge_of(methods, config, method_set), config.join)
        limits = {ids: scale.limit(both) for ids, both in pairs.get(scheme, {}).items()}
        documents = frozenset(record.id for record in known if record.signature.scheme == scheme)
        found.append(SchemeLimits(scheme, methods, scale, documents, limits))
    return sorted(found, key=lambda one: (-len(one.documents), one.scheme))


def positive_labels(join: Set[str]) -> tuple[str, ...]:
    """The labels of the pairs that a configuration joins.

    >>> positive_labels({"duplicate"})
    ('duplicate',)
    """
    return tuple(label for label, relations in LABELS.items() if relations and relations <= join)
