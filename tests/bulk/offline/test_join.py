"""`group` with whole sets as signatures: every similar pair is judged, whether it shares a key or not."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from dupgroups import Config, Page
from dupgroups.bulk.offline import group_pages
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.model.config import Method, Step
from stories import running_text

SPOTS = Config(methods={"*": Method(Step("whole"), Step("spotsigs", {"minima": 2}), Step("jaccard"))})
"""Spots with a single key, by which few of the similar pairs can be looked up."""

PAGES = [
    Page(id=f"{story}/{cut}", text="\n".join(running_text(str(story)).split("\n")[cut:]))
    for story in range(8)
    for cut in (0, 4, 8)
]


def judged_pairs(config: Config) -> set[tuple[str, str]]:
    return {(a, b) for a, b, _ in group_pages(PAGES, config, processes=1).pairs}


def test_every_pair_that_the_judge_calls_more_than_different_is_judged() -> None:
    methods = MethodSet(SPOTS)
    records = [document.record for document in sign_all(PAGES, methods)]
    judge = methods.judge(records[0].signature.scheme)
    pairs = list(combinations(records, 2))
    truth = {(a.id, b.id) for a, b in pairs if judge(a, b).relation in ("duplicate", "near")}
    keyless = {(a.id, b.id) for a, b in pairs if not set(a.signature.keys) & set(b.signature.keys)}
    assert len(truth) == 24
    assert truth & keyless, "keys alone would lose some of them"
    assert judged_pairs(SPOTS) == truth


def test_candidates_are_limited_to_the_most_similar_ones() -> None:
    """The third version of a story is compared with the second, which is nearer than the first."""
    assert judged_pairs(replace(SPOTS, candidates=1)) == {
        pair for story in range(8) for pair in [(f"{story}/0", f"{story}/4"), (f"{story}/4", f"{story}/8")]
    }


def test_where_excerpts_join_keys_are_looked_up() -> None:
    """An excerpt may be too small a part for any similarity."""
    excerpts = replace(SPOTS, join=frozenset({"duplicate", "contains", "contained"}))
    assert judged_pairs(excerpts) < judged_pairs(SPOTS)


def test_documents_of_two_methods_are_found_by_their_own() -> None:
    """Chinese is looked up by keys, in the order of its documents among the others."""
    mixed = replace(SPOTS, methods={**SPOTS.methods, "zh": Method(Step("whole"), Step("minhash"), None)})
    chinese = "\n".join(
        f"这是第{number}个关于渡轮和港口的句子，说的是昨天发生的事情。" for number in range(30)
    )
    pages = [PAGES[0], Page(id="zh", text=chinese), PAGES[1], Page(id="zh copy", text=chinese)]
    result = group_pages(pages, mixed, processes=1)
    assert [(a, b) for a, b, _ in result.pairs] == [("0/0", "0/4"), ("zh", "zh copy")]
    assert result.groups == {"0/0": "0/0", "0/4": "0/0", "zh": "zh", "zh copy": "zh"}
