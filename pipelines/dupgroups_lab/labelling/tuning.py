"""What the threshold page shows: limits of stored pairs, the curve, the change to the configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import Lock

from dupgroups.config import Config
from dupgroups.engines.base import Engine
from dupgroups.errors import ConfigError, InputError
from dupgroups_lab.calibration.config_edit import parsed, unified_diff, with_threshold
from dupgroups_lab.labelling.limits import SchemeLimits, positive_labels, scheme_limits
from dupgroups_lab.labelling.threshold_curve import (
    Point,
    around,
    counted,
    curve,
    group_counts,
    thresholds,
)
from dupgroups_lab.labels.pairs import Pair

NEAR = 6  # labelled pairs that are shown on each side of the line


@dataclass(frozen=True, slots=True)
class Change:
    """A new configuration: its text, the lines of the diff, and a digest of the present file."""

    text: str
    diff: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class View:
    """A threshold of a scheme: the curve, the point at the threshold, and the labelled pairs around it.

    `labels` are those of documents of the scheme, True for a pair to be found; `left_out` counts the other
    labels: those between, and those of documents of another scheme, not in the index, or changed since.
    """

    number: int
    schemes: Sequence[SchemeLimits]
    points: Sequence[Point]
    at: Point
    labels: Mapping[Pair, bool]
    near: Sequence[Pair]
    left_out: int

    @property
    def scheme(self) -> SchemeLimits:
        """The scheme that is shown."""
        return self.schemes[self.number]

    @property
    def positives(self) -> int:
        """How many of the labelled pairs have to be found."""
        return sum(self.labels.values())

    @property
    def best(self) -> float:
        """The threshold of the best MCC, the middle one of several."""
        most = max(point.pairs.mcc for point in self.points)
        best = [point.threshold for point in self.points if point.pairs.mcc == most]
        return best[len(best) // 2]


class Tuning:
    """Thresholds over the first `documents` documents of an index, and a configuration file to change.

    `write` replaces a file by a text.
    """

    def __init__(
        self, engine: Engine, config: Path | None, documents: int, write: Callable[[Path, str], None]
    ) -> None:
        self._engine, self.file, self._documents, self._write = engine, config, documents, write
        self._lock = Lock()
        self._schemes: list[SchemeLimits] | None = None
        self._fingerprints: dict[str, str] = {}

    def view(
        self,
        labels: Mapping[Pair, str],
        fingerprints: Mapping[str, str],
        number: int,
        threshold: float | None,
    ) -> View:
        """What a threshold does; None is that of the configuration.

        Raises InputError without documents, and for a threshold that the judge does not take.

        `fingerprints` are those of the texts that were labelled: a document that has changed is left out.
        """
        schemes = self._limits()
        if not 0 <= number < len(schemes):
            raise InputError("the index has no documents that were signed with this configuration")
        scheme = schemes[number]
        known = {
            ids: is_positive
            for ids, is_positive in self._truth(labels).items()
            if scheme.documents.issuperset(ids)
            and all(self._fingerprints[id_] == fingerprints[id_] for id_ in ids)
        }
        line = scheme.line if threshold is None else _checked(threshold, scheme)
        drawn = thresholds(scheme.line, *scheme.range)
        points = curve(scheme.documents, scheme.limits, known, drawn)
        groups = group_counts(scheme.documents, scheme.limits, [line])
        at = Point(line, counted(scheme.limits, known, line), groups[line])
        near = around(scheme.limits, known, line, NEAR)
        return View(number, schemes, points, at, known, near, len(labels) - len(known))

    def change(self, scheme: SchemeLimits, threshold: float) -> Change:
        """The configuration with a threshold, which the judge has to take. Raises ConfigError."""
        if self.file is None:
            raise InputError("there is no configuration to write to: start with --config FILE.toml")
        old = _read(self.file)
        judge = scheme.scale.step(threshold)
        new = with_threshold(old, scheme.methods, judge, scheme.scale.parameter, threshold)
        digest = blake2b(old.encode(), digest_size=16).hexdigest()
        return Change(new, tuple(unified_diff(old, new, self.file.name)), digest)

    def write(self, change: Change) -> None:
        """Write a change; index and configuration are read again when they are next needed."""
        assert self.file is not None  # a change is made from a file
        self._write(self.file, change.text)
        with self._lock:
            self._schemes = None

    def _limits(self) -> list[SchemeLimits]:
        with self._lock:
            if self._schemes is None:
                records = [document.record for document in islice(self._engine.scan(), self._documents)]
                self._fingerprints = {record.id: record.fingerprint for record in records}
                self._schemes = scheme_limits(records, self._config())
            return self._schemes

    def _config(self) -> Config:
        return parsed(_read(self.file)) if self.file else Config()

    def _truth(self, labels: Mapping[Pair, str]) -> dict[Pair, bool]:
        """True for the labels to be found, False for `non`; labels between them are left out."""
        positive = positive_labels(self._config().join)
        return {ids: label in positive for ids, label in labels.items() if label in (*positive, "non")}


def _checked(threshold: float, scheme: SchemeLimits) -> float:
    least, most = scheme.range
    if not least <= threshold <= most:
        raise InputError(
            f"this judge takes a {scheme.scale.parameter} from {least:g} to {most:g}: give another"
        )
    return threshold


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")  # read_text would change the line ends
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
