"""Results as plain values for JSON: the same in `/api/search` and in `dup-groups search --json`."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from dupgroups.flow.explain.spread import Spread
from dupgroups.model import Query, Results
from dupgroups.web.dates import instant
from dupgroups.web.story import Story, Ties


def results_payload(query: Query, results: Results) -> dict[str, Any]:
    """A page of results: its query, numbers, cursor, facets, histogram and hits.

    In the snippet of a hit, matching words are enclosed in U+E000 and U+E001.
    """
    values = {"query": asdict(query)} | asdict(replace(results, hits=()))
    del values["hits"]
    hits = [asdict(hit) | {"sources": hit.sources, "more_sites": hit.more_sites} for hit in results.hits]
    return values | {"hits": hits}


def group_payload(story: Story, ties: Ties) -> dict[str, Any]:
    """`group`, its `former_names`, and its `copies`, oldest first, each with `first_seen`; `scores` of the
    pairs of the first copies, and the `related` documents of other stories; the `spread`, with what copies
    changed, and whom they credit.
    """
    changes = {id_: asdict(change) for id_, change in ties.changes.items()}
    return {
        "group": story.group,
        "former_names": story.former_names,
        "copies": [asdict(copy) | {"first_seen": story.first_seen.get(copy.id)} for copy in story.copies],
        "scores": [asdict(score) for score in ties.scores.pairs.values()],
        "related": [
            {"member": one.member, "relation": one.relation, "score": one.score, "group": one.other.group}
            | {"kept_apart": one.other.group in ties.kept_apart}
            | asdict(copy)
            for one, copy in ties.related
        ],
        "spread": [row | {"changes": changes.get(row["id"])} for row in spread_rows(ties.spread)],
        "credited_to": ties.spread.credit,
    }


def spread_rows(spread: Spread) -> list[dict[str, Any]]:
    """The copies of a story in the order of their publication: `published` as the page says ("" if unknown),
    `first_seen`, and how many `minutes` after the first known time it was published.
    """
    return [
        {"id": one.copy.id, "site": one.copy.site, "url": one.copy.url or ""}
        | {"published": (one.dated and one.copy.date) or "", "first_seen": instant(one.seen) or ""}
        | {"minutes": minutes}
        for one, minutes in zip(spread.copies, spread.minutes, strict=True)
    ]
