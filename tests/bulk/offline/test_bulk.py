"""Grouping a pile at once, in memory and in files, with the plan of the live flow as the oracle."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupgroups import Config, Page
from dupgroups.bulk.offline.page_groups import Resources, grouped_pages
from dupgroups.errors import InputError
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.grouping.constraints import Corrections, with_partners
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.grouping.plan import plan
from dupgroups.grouping.view import Batch, Neighbourhood, View
from dupgroups.model import Record
from flow.scenes import PLENTY, at_once
from properties import met, must_meet
from stories import chinese_story, reprint, story

PARTS = "abcdefgh"


def text(parts: str, numeral: int, copy: int) -> str:
    """Parts of stories, of which some share a page, with a numeral that tells reports of a series apart."""
    figures = [f"In the count of day {numeral} there were {numeral * 7 + place}." for place in range(6)]
    return "\n".join([*(reprint(story(part, 120), copy) for part in parts), *figures])


@cache
def pool() -> list[Record]:
    """Records of many relations: copies, excerpts, reports of a series, Chinese, too short."""
    rng = random.Random(5)
    texts = [
        text("".join(sorted(rng.sample(PARTS, rng.randint(1, 4)))), rng.randint(1, 3), rng.randint(0, 3))
        for _ in range(70)
    ]
    texts += [reprint(chinese_story(name), copy) for name in "xy" for copy in range(3)] + ["Hm.", "Hm."]
    pages = [
        Page(f"http://site{place % 5}.example/{place}", text=text, id=f"{place * 37 % 100:02}")
        for place, text in enumerate(texts)
    ]
    return [document.record for document in sign_all(pages, MethodSet())]


@st.composite
def piles(draw: st.DrawFn) -> list[Record]:
    """Some of these records, some as old as others, some published on other days."""
    # shuffled, as a list that is drawn holds few records, of which none belong together
    chosen = draw(st.permutations(pool()))[: draw(st.sampled_from([30, 45, 10, 0]))]
    ages = st.integers(0, 30)
    days = st.sampled_from([None, 1_440, 2_880, 12_960])
    return [replace(record, first_seen=draw(ages), published=draw(days)) for record in chosen]


@st.composite
def corrections(draw: st.DrawFn) -> Corrections:
    ids = draw(st.permutations(sorted(record.id for record in pool())))[: draw(st.sampled_from([16, 9, 0]))]
    pairs = [(min(pair), max(pair)) for pair in pairwise(ids)]
    split = draw(st.sampled_from([0, 4, 8]))
    return Corrections(dict.fromkeys(pairs[:split], 1), dict.fromkeys(pairs[split:], 2))


def as_planned(records: Sequence[Record], config: Config, said: Corrections) -> dict[str, str]:
    """The groups of these records when all of them come in one batch of the live flow."""
    ordered, methods = sorted(records, key=lambda record: record.age), MethodSet(config)
    found = candidates_in_batch(ordered, limit=config.candidates)
    pairs = zip(ordered, found, strict=True)
    candidates = {record.id: methods.choose_compared(record, others) for record, others in pairs}
    view = View(Batch(ordered), Neighbourhood(with_partners(candidates, ordered, said)), said)
    planned = plan(view, lambda a, b: methods.judge(a.signature.scheme)(b, a), methods.rule)
    return {record.id: record.group for record in planned.puts}


CONFIGS = [
    Config(linkage="closure"),
    Config(linkage="average"),
    Config(linkage="closure", within_days=1),
    Config(linkage="closure", join=frozenset({"duplicate", "contains"}), candidates=2),
    Config(linkage="closure", join=frozenset({"near"})),
]


@must_meet(least=4)
@settings(max_examples=settings.default.max_examples // 2)  # each compares hundreds of pairs
@given(st.sampled_from(CONFIGS), piles(), corrections(), st.sampled_from([0, PLENTY]))
def test_the_groups_are_those_of_the_live_flow(
    config: Config, records: list[Record], said: Corrections, memory: int
) -> None:
    groups = as_planned(records, config, said)
    met(len(set(groups.values())) < len(groups))
    assert at_once(records, config, said, memory) == groups


def test_a_correction_of_what_is_gone_does_nothing_where_nothing_is_left() -> None:
    assert at_once([], CONFIGS[0], Corrections(heads={PARTS[0]: 1})) == {}


def test_files_of_the_scratch_folder_are_removed_also_after_an_error(tmp_path: Path) -> None:
    def pages() -> Iterator[Page]:
        yield from (Page(id=str(place), text=story(str(place))) for place in range(300))
        assert list(tmp_path.glob("dup-groups-*/*"))
        raise InputError("torn")

    with pytest.raises(InputError, match="torn"), grouped_pages(pages(), resources=Resources(1, 0, tmp_path)):
        pass
    assert list(tmp_path.iterdir()) == []
