"""Every metric under the name that Prometheus sees: what dashboards, alert rules and documentation may name.

A package that measures something adds a row to METRICS and counts it in a `Tally`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from dupgroups.model import Relation

Kind = Literal["counter", "gauge", "histogram"]

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CANDIDATE_COUNTS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)

SIZES = {"1": 1, "2": 2, "3-5": 5, "6-10": 10, "11-20": 20, "21-50": 50, "51-100": 100}
"""Ranges of group sizes, each with its largest size; larger groups are LARGER."""
LARGER = "over 100"

ITEM_STATES = (
    *("new", "joined", "merged", "updated", "unchanged", "too_short"),
    *("not_article", "passed", "failed", "dead_letter"),
)
STEPS = ("sign", "look", "plan", "write", "settle")


@dataclass(frozen=True, eq=False, slots=True)  # equal if identical: its hash is asked for with every count
class Metric:
    """`labels` are the names of its labels. `values` are the known values of a single label: they are there
    from the start, as 0, so that no rate misses the first count. `buckets` are those of a histogram.
    """

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


# -- a crawl

ITEMS = Metric("dupgroups_items_total", "counter", "Items, by what became of them.", ("state",), ITEM_STATES)
CANDIDATES = Metric(
    "dupgroups_candidates",
    "histogram",
    "Documents that a look-up found to compare with a new document.",
    buckets=CANDIDATE_COUNTS,
)
VERDICTS = Metric(
    "dupgroups_verdicts_total",
    "counter",
    "Pairs of documents that were compared, by their relation.",
    ("relation",),
    get_args(Relation),
)
SECOND_LOOKS = Metric(
    "dupgroups_second_looks_total",
    "counter",
    "Pairs of documents that signatures left in doubt, so that their texts were compared.",
)
STEP_SECONDS = Metric(
    "dupgroups_step_seconds",
    "histogram",
    "Seconds of a step: sign is of a page, settle of a settling, the others are of a batch.",
    ("step",),
    STEPS,
    SECONDS,
)
REPLANS = Metric(
    "dupgroups_replans_total",
    "counter",
    "Batches that were planned again because another process had written meanwhile.",
)
CUT_VIEWS = Metric(
    "dupgroups_cut_views_total",
    "counter",
    "Batches on which more than 1,000 stored documents depend: the rest of them stayed as it was.",
)
RETRIES = Metric(
    "dupgroups_engine_retries_total",
    "counter",
    "Requests that were sent to the engine again because it was busy or away.",
)
SETTLED_GROUPS = Metric(
    "dupgroups_settled_groups_total", "counter", "Groups that settling merged into others."
)
SETTLED_AT = Metric(
    "dupgroups_settled_timestamp_seconds", "gauge", "When this process settled last, in seconds since 1970."
)
DEAD_LETTERS = Metric(
    "dupgroups_dead_letters", "gauge", "Pages in the dead-letter file, which wait for dup-groups replay."
)

# -- an index

ENGINE_UP = Metric("dupgroups_engine_up", "gauge", "1 if the engine gave the figures of the index, else 0.")
DOCUMENTS = Metric("dupgroups_documents", "gauge", "Documents in the index.")
GROUPS = Metric(
    "dupgroups_groups",
    "gauge",
    "Groups in the index, by the number of their members.",
    ("size",),
    (*SIZES, LARGER),
)
SITES = Metric("dupgroups_sites", "gauge", "Sites of the documents in the index.")
REDIRECTS = Metric("dupgroups_redirects", "gauge", "Former names of groups that were merged away.")
UNSETTLED = Metric(
    "dupgroups_unsettled_operations", "gauge", "Operations on the index that no settling has looked at."
)
SEEN_AT = Metric(
    "dupgroups_last_seen_timestamp_seconds",
    "gauge",
    "When a document was last stored or seen again, in seconds since 1970; 0 for an empty index.",
)

# -- the metrics by who measures them

CRAWLED = (ITEMS, DEAD_LETTERS)
DEDUPED = (
    *(CANDIDATES, VERDICTS, SECOND_LOOKS, STEP_SECONDS, REPLANS, CUT_VIEWS, RETRIES),
    *(SETTLED_GROUPS, SETTLED_AT),
)
INDEXED = (ENGINE_UP, DOCUMENTS, GROUPS, SITES, REDIRECTS, UNSETTLED, SEEN_AT)
METRICS = {metric.name: metric for metric in (*CRAWLED, *DEDUPED, *INDEXED)}
