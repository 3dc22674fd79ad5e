"""From labelled pairs to the thresholds of the judges, written as a configuration.

Each candidate pair has a *limit*: the highest threshold at which the judge still finds it. Raising a
threshold never adds a pair, so the limit is found by bisection, and precision and recall at every threshold
follow from the limits. CEDAR (Gibson, Wellner, Lubar), section 5.3, picks its threshold in the same way, by
the F1 on a development set.

| setting | value | meaning |
|---|---|---|
| steps    | 1000 | thresholds to try, evenly spaced from 0 to 1 |
| positives | 10  | labelled pairs to be found, and for a lower threshold of others: fewer would be chance |
| chance | 0.05 | how probable it may be, at most, that so many changed verdicts are right by chance |
"""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from itertools import chain

from dupgroups.errors import ConfigError, InputError
from dupgroups.flow.method_set import KNOWN_FACTS, MethodSet, decide
from dupgroups.grouping.key_index import KeyIndex
from dupgroups.methods.registry import build
from dupgroups.methods.verdicts import JUDGES, Judge
from dupgroups.model import Document, Page, Relation
from dupgroups.model.config import Config, Method, Step
from dupgroups.text.facts import read_facts
from dupgroups_lab.duplicates.lookup import Progress, sign_pages
from dupgroups_lab.labels.labelled_pairs import LABELS, Pair, Truth, pair, truth
from dupgroups_lab.measures.curves import Scores, best_threshold, threshold_for
from dupgroups_lab.measures.pairwise import Confusion, confusion

STEPS, POSITIVES, CHANCE = 1000, 10, 0.05
_PARAMETERS = ("threshold", "alpha")  # names of the threshold; the first that a judge has counts

Documents = tuple[Document, Document]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The threshold for the documents that share a signature scheme.

    `methods` are the entries of the configuration with that scheme, `documents` the number of documents,
    `parameter` the name of the threshold. `old` and `new` are its values, `before` and `after` the confusions
    with them; old and new are the same where no other threshold does better.
    """

    methods: tuple[str, ...]
    documents: int
    parameter: str
    old: float
    new: float
    before: Confusion
    after: Confusion


@dataclass(frozen=True, slots=True)
class Calibration:
    """The thresholds calibrated, the new configuration, and sentences on the methods left unchanged.

    `unlisted`: how many compared pairs have no label, so that they count as different stories.
    """

    results: tuple[Calibrated, ...]
    config: Config
    unchanged: tuple[str, ...]
    unlisted: int = 0


def calibrate(
    pages: Iterable[Page],
    labels: Mapping[Pair, str],
    config: Config,
    *,
    precision: float | None = None,
    positive: Sequence[str] = ("duplicate",),
    progress: Progress = lambda step, done, total: None,
) -> Calibration:
    """Thresholds of the best F1, or of the best recall at `precision` (0 to 1), for each signature scheme.

    Languages with the same scheme share a threshold, because their signatures are compared. Raises InputError
    when there is no positive pair, ConfigError when the configuration cannot be built.
    """
    method_set = MethodSet(config)
    documents = sign_pages(pages, method_set, progress)
    known = truth(documents, labels, positive=positive)
    wanted = frozenset(chain.from_iterable(LABELS[label] for label in positive))
    calibrated: list[Calibrated] = []
    unchanged: list[str] = []
    unlisted = 0
    for scheme, pairs in candidates(documents, config.candidates, progress).items():
        names = tuple(
            name for name in sorted(method_set.by_language) if method_set.signer(name).scheme == scheme
        )
        unlisted += len(pairs.keys() - labels.keys())
        of_scheme = [
            doc_id for doc_id, document in documents.items() if document.record.signature.scheme == scheme
        ]
        scale = Scale(judge_of(names, config, method_set), wanted)
        try:
            calibrated.append(_calibrate(names, scale, pairs, known.restrict(of_scheme), precision))
        except InputError as error:
            unchanged.append(f"{', '.join(names)}: {error}")
    changed = _with_thresholds(config, method_set, calibrated)
    return Calibration(tuple(calibrated), changed, tuple(unchanged), unlisted)


class Scale:
    """The thresholds that a judge accepts, and what it finds at each.

    `wanted` are the relations that count as found. Raises ConfigError for a judge without a threshold.
    """

    def __init__(self, step: Step, wanted: Set[Relation]) -> None:
        self._step, self._wanted = step, wanted
        self._read = lru_cache(KNOWN_FACTS)(read_facts)
        self.judge: Judge = build("judge", step, JUDGES)
        names = [field.name for field in fields(self.judge)] if is_dataclass(self.judge) else []
        self.parameter = next((name for name in _PARAMETERS if name in names), "")
        if not self.parameter:
            raise ConfigError(f"the judge {step.name!r} has no {' or '.join(_PARAMETERS)} to calibrate")
        self.thresholds: list[float] = []
        self._judges: list[Judge] = []
        for threshold in (number / STEPS for number in range(1, STEPS)):
            with suppress(ConfigError):  # other fields may limit the threshold
                self._judges.append(self.at(threshold))
                self.thresholds.append(threshold)

    def step(self, threshold: float) -> Step:
        """The judge's entry in a configuration, with this threshold."""
        return Step(self._step.name, {**self._step.params, self.parameter: threshold})

    def at(self, threshold: float) -> Judge:
        """The judge with this threshold. Raises ConfigError when the judge refuses it."""
        judge: Judge = build("judge", self.step(threshold), JUDGES)
        return judge

    def finds(self, judge: Judge, documents: Documents) -> bool:
        """Whether the judge finds this pair."""
        return decide(judge, *documents, self._read).relation in self._wanted

    def limit(self, documents: Documents) -> float:
        """The highest threshold at which the pair is found; 0 when no threshold finds it."""
        first_without = bisect_left(self._judges, True, key=lambda judge: not self.finds(judge, documents))
        return self.thresholds[first_without - 1] if first_without else 0.0


def _calibrate(
    methods: tuple[str, ...],
    scale: Scale,
    pairs: Mapping[Pair, Documents],
    known: Truth,
    precision: float | None,
) -> Calibrated:
    """Raises InputError when there are too few pairs, or no threshold finds any."""
    if len(known.positive) < POSITIVES:
        raise InputError(
            f"only {len(known.positive)} labelled pairs are positive; at least {POSITIVES} are needed"
        )
    limits = {ids: scale.limit(documents) for ids, documents in pairs.items() if ids not in known.ignored}
    others = [limit for ids, limit in limits.items() if ids not in known.positive]
    # pairs without a common key are never found
    curve = Scores.of((limits.get(ids, 0.0) for ids in known.positive), others).curve
    new = best_threshold(curve) if precision is None else threshold_for(curve, precision)
    if new is None:
        raise InputError(
            "no threshold finds anything" + (f" with precision {precision}" if precision else "")
        )
    new = max(math.ceil(round(new * STEPS, 6)) / STEPS, scale.thresholds[0])  # limits are known at steps only
    before, after = (
        confusion({ids for ids, documents in pairs.items() if scale.finds(judge, documents)}, known)
        for judge in (scale.judge, scale.at(new))
    )
    old = float(getattr(scale.judge, scale.parameter))
    is_better = after.f1 > before.f1
    if precision is not None:
        is_better = before.precision < precision or after.recall > before.recall
    if not is_better:
        new, after = old, before
    elif precision is None:
        check_chance(new, before, after)
    if new < old and len(others) < POSITIVES:
        raise InputError(
            f"only {len(others)} compared pairs are of different stories; at least {POSITIVES} are needed to "
            "lower the threshold"
        )
    return Calibrated(methods, len(known.documents), scale.parameter, old, new, before, after)


def check_chance(new: float, before: Confusion, after: Confusion) -> None:
    """Raise InputError if the pairs that a `new` threshold mends and spoils may be chance (a sign test)."""
    found, joined = int(after.tp - before.tp), int(after.fp - before.fp)
    changed, right = abs(found) + abs(joined), max(found, 0) + max(-joined, 0)
    as_good = sum(math.comb(changed, number) for number in range(right, changed + 1))
    if as_good / 2**changed > CHANCE:
        raise InputError(
            f"{new:g} would be right about {right} of the {changed} pairs that it changes, which may be "
            "chance: label more"
        )


def candidates(
    documents: Mapping[str, Document], limit: int, progress: Progress
) -> dict[str, dict[Pair, Documents]]:
    """By scheme: the pairs that an index would compare."""
    found: defaultdict[str, dict[Pair, Documents]] = defaultdict(dict)
    index = KeyIndex([document.record for document in documents.values()])
    for done, document in enumerate(documents.values(), start=1):
        own, signature = document.record.id, document.record.signature
        holders = index.candidates(signature, limit=limit + 1)  # and the document itself
        for other in [record.id for record in holders if record.id != own][:limit]:
            found[signature.scheme][pair(own, other)] = (document, documents[other])
        progress("judge", done, len(documents))
    return found


def _with_thresholds(config: Config, method_set: MethodSet, calibrated: Sequence[Calibrated]) -> Config:
    methods = dict(config.methods)
    for result in calibrated:
        step = judge_of(result.methods, config, method_set)
        judge = Step(step.name, {**step.params, result.parameter: result.new})
        methods |= {name: replace(methods.get(name, Method()), judge=judge) for name in result.methods}
    return replace(config, methods=methods)


def judge_of(methods: Sequence[str], config: Config, method_set: MethodSet) -> Step:
    """The judge shared by methods of one scheme: the one in the configuration, else the default."""
    given = [config.methods[name].judge for name in methods if name in config.methods]
    judge = next((judge for judge in given if judge), method_set.by_language[methods[0]].judge)
    assert judge is not None  # the methods of a MethodSet are complete
    return judge
