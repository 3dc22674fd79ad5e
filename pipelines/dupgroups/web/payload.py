"""Results as plain values for JSON: the same in `/api/search` and in `dup-groups search --json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from dupgroups.model import Hit, Query, Results
from dupgroups.web.story import Story, Ties


def results_payload(query: Query, results: Results) -> dict[str, Any]:
    """A page of results: its query, numbers, cursor, facets, histogram and hits.

    In the snippet of a hit, matching words are enclosed in U+E000 and U+E001.
    """
    return {
        "query": asdict(query),
        "stories": results.stories,
        "documents": results.documents,
        "exact": results.exact,
        "complete": results.complete,
        "all_sorted": results.all_sorted,
        "cursor": results.cursor,
        "facets": {name: [asdict(facet) for facet in values] for name, values in results.facets.items()},
        "histogram": [asdict(period) for period in results.histogram],
        "hits": [_hit(hit) for hit in results.hits],
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return asdict(hit) | {"sources": list(hit.sources), "more_sites": hit.more_sites}


def group_payload(story: Story) -> dict[str, Any]:
    """`group`, its `former_names`, and its `copies`, oldest first, each with `first_seen`."""
    return {
        "group": story.group,
        "former_names": list(story.former_names),
        "copies": [asdict(copy) | {"first_seen": story.first_seen.get(copy.id)} for copy in story.copies],
    }


def ties_payload(ties: Ties) -> dict[str, Any]:
    """`scores` of the pairs of the first copies, and the `related` documents of other stories."""
    return {
        "scores": [asdict(score) for score in ties.scores.pairs.values()],
        "related": [
            {"member": one.member, "relation": one.relation, "score": one.score, "group": one.other.group}
            | asdict(copy)
            for one, copy in ties.related
        ],
    }
