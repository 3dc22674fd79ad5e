"""What several stories of a store share does not join them; people may say that it is no frame."""

from __future__ import annotations

import tempfile
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from dupgroups import Deduper, Page, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.bulk.offline.page_groups import Resources, group_pages, grouped_pages
from dupgroups.engines import Engine
from dupgroups.errors import EngineError
from dupgroups.flow.explain.pair_explanation import explain_pair
from dupgroups.flow.frame_log import (
    MAX_FRAME_ENTRIES,
    find_frames,
    frame_entry,
    has_room,
    list_frames,
    read_frames,
    show_frames,
)
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.frames import NO_FRAMES, NO_RUNS, Frames
from dupgroups.model.config import Config
from dupgroups.text.batches import batches
from flow.scenes import deduper, groups, signed
from stories import story
from watched import Watched, away

NOTICE = story("notice", 300)
PAGES = [
    Page(
        id=str(number),
        url=f"https://a.example/{number}",
        title=story(f"title {number}", 6),
        text=f"{story(str(number), 12)}\n{NOTICE}\n{story(f'{number} ends', 28)}",  # one story, if all counts
    )
    for number in range(4)
]
COPY = replace(PAGES[0], id="copy", url="https://b.example/", title="Another headline")


def one_by_one(engine: Engine, pages: list[Page]) -> Deduper:
    adding = deduper(engine)
    for page in pages:
        adding.add(page)
        engine.refresh()
    return adding


@pytest.mark.parametrize("order", [(0, 1, 2, 3, -1), (-1, 3, 2, 1, 0)], ids=["as written", "reversed"])
def test_stories_that_only_a_frame_joined_come_apart_and_copies_stay(
    engine: Engine, order: tuple[int, ...]
) -> None:
    adding = one_by_one(engine, [[*PAGES, COPY][place] for place in order[:2]])
    frameless = groups(engine)
    adding = one_by_one(engine, [[*PAGES, COPY][place] for place in order[2:]])
    adding.regroup()
    engine.refresh()
    assert len(set(frameless.values())) == 1, "two of them are nearly the same text"
    assert sorted(map(sorted, _parts(groups(engine)))) == [["0", "copy"], ["1"], ["2"], ["3"]]
    assert groups(engine) == group_pages([[*PAGES, COPY][place] for place in order], processes=1).groups
    assert all(check.ok for check in audit(engine))


def test_copies_of_what_is_elsewhere_a_frame_are_one_story(engine: Engine) -> None:
    whole = [
        replace(COPY, id=f"whole {n}", url=f"https://{n}.example/", title=story(n) * (n == "y"), text=NOTICE)
        for n in "xy"
    ]
    one_by_one(engine, [*PAGES, *whole]).regroup()
    assert ["whole x", "whole y"] in map(sorted, _parts(groups(engine)))
    assert groups(engine) == group_pages([*PAGES, *whole], processes=1).groups


@pytest.mark.parametrize("batch", [1, 21], ids=["one by one", "at once"])
def test_a_copy_without_a_frame_meets_the_one_of_many_that_have_it(engine: Engine, batch: int) -> None:
    notice = story("notice", 160)
    many = [
        replace(PAGES[0], id=str(n), url=f"https://a.example/{n}", text=f"{story(str(n), 150)}\n{notice}")
        for n in range(20)
    ]
    bare = replace(COPY, id="bare", text=story("0", 150))
    for start in range(0, 21, batch):
        deduper(engine).add_all([bare, *many[:3], *many[:2:-1]][start : start + batch])
    assert ["0", "bare"] in map(sorted, _parts(groups(engine)))
    assert len(_parts(groups(engine))) == 20


def framed(site: str, number: int) -> Page:
    text = f"{story(str(number), 60)}\n{story(f'notice {site}', 160)}"
    return replace(COPY, id=f"{site}{number}", url=f"https://{site}.example/{number}", text=text)


def test_groups_with_frames_are_the_same_in_any_order() -> None:
    pages = [framed(site, number) for number in range(60) for site in "ab"[: 1 + (number < 6)]]
    found = []
    for seed in range(3):
        Random(seed).shuffle(pages)
        found.append(sorted(map(sorted, _parts(group_pages(pages, processes=1).groups))))
    assert found[0] == found[1] == found[2]
    assert [some for some in found[0] if len(some) > 1] == [[f"a{n}", f"b{n}"] for n in range(6)]


def test_what_is_signed_without_frames_is_written_where_the_rest_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [framed("a", number) for number in range(6)]
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "is not there"))
    with grouped_pages(pages, resources=Resources(1, memory=1, folder=tmp_path)) as groups:
        assert len(groups) == 6
        assert len(groups.frames.runs)


@pytest.mark.parametrize("batch", [20, 65], ids=["in batches", "at once"])
def test_a_copy_with_another_frame_is_found_behind_many_with_the_same(engine: Engine, batch: int) -> None:
    for some in batches(
        [*(framed("b", n) for n in range(4)), *(framed("a", n) for n in [*range(4, 64), 0])], batch
    ):
        deduper(engine).add_all(some)
        engine.refresh()
    assert ["a0", "b0"] in map(sorted, _parts(groups(engine)))


def test_what_was_learned_is_known_to_others_and_shown(engine: Engine) -> None:
    one_by_one(engine, PAGES).regroup()
    (shown,) = show_frames(engine, 1)[-1:]
    assert shown.text in NOTICE
    assert {*shown.ids} <= {page.id for page in PAGES}
    methods, stored = MethodSet(), engine.read(["0", "1"])
    assert methods.verdict(stored["0"], stored["1"]).relation == "duplicate"
    methods.read_log(engine.corrections())
    made = explain_pair(stored["0"], stored["1"], methods, Config())
    assert not made.joins
    assert all(one.text in NOTICE for one in made.left_out)
    assert len(NOTICE) - sum(len(one.text) for one in made.left_out) < 200


@pytest.mark.parametrize(
    ("host", "date", "is_one"),
    [
        ("a.example", "2026-05-02", False),
        ("a.example", "2026-05-01", True),
        ("a.example", None, True),
        ("b.example", "2026-05-02", True),
    ],
)
def test_two_stories_of_a_site_share_no_story_of_another_day(
    engine: Engine, host: str, date: str | None, is_one: bool
) -> None:
    one, other = (
        Page(id=id_, url=f"https://{on}/{id_}", date=day, text=f"{story(id_, 24)}\n{NOTICE}")
        for id_, on, day in [("0", "a.example", "2026-05-01"), ("1", host, date)]
    )
    one_by_one(engine, [one, other])
    assert (len(_parts(groups(engine))) == 1) == is_one
    assert groups(engine) == group_pages([one, other], processes=1).groups
    made = explain_pair(*engine.read(["0", "1"]).values(), MethodSet(), Config())
    assert made.joins == is_one
    assert [left.text for left in made.left_out] == ([] if is_one else [NOTICE])


def test_who_undoes_a_frame_says_that_it_is_none(engine: Engine) -> None:
    adding = one_by_one(engine, PAGES)
    for entry in list_frames(engine.corrections(fresh=True)):
        adding.undo(entry.number, by="Edda")
    engine.refresh()
    assert list_frames(engine.corrections(fresh=True)) == []
    assert len(_parts(groups(engine))) == 1
    one_by_one(engine, [replace(PAGES[0], id="5", url="https://a.example/5")]).regroup()
    assert list_frames(engine.corrections(fresh=True)) == [], "nor is it learned again"


def test_what_three_texts_share_is_learned_beside_what_four_share() -> None:
    part, whole = story("part", 30), story("whole", 30)
    texts = {number: "\n".join([story(number, 60), *[part] * (number != "3"), whole]) for number in "0123"}
    records = [replace(signed(number, "a").record, host="a.example") for number in texts]
    found = find_frames(NO_FRAMES, combinations(records, 2), texts)
    shown = {ids: Frames(runs).list_passages(texts["0"])[0] for ids, runs in found.items()}
    of_three, of_four = (tuple(record.id for record in records[:size]) for size in (3, 4))
    assert shown[of_three].startswith(part), "each by those that have it"
    assert shown[of_four] == whole


def test_a_full_log_learns_no_more() -> None:
    entry = frame_entry([], (), NO_RUNS, 0)
    people = [replace(entry, kind="undo", number=number) for number in range(MAX_FRAME_ENTRIES)]
    assert has_room([*people, *[entry] * (MAX_FRAME_ENTRIES - 1)])
    assert not has_room([entry] * MAX_FRAME_ENTRIES)


def test_what_could_not_be_entered_is_entered_later_and_carried_out_by_others() -> None:
    with closing(open_engine("memory://")) as engine:
        store = Watched(engine, correct=away)
        adding = deduper(store)
        with pytest.raises(EngineError):
            adding.add_all(PAGES)
        store.faults = {"mark_corrected": away}
        with pytest.raises(EngineError):
            adding.regroup()
        assert not list_frames(engine.corrections(fresh=True))[0].carried_out
        deduper(engine).regroup()
        assert all(entry.carried_out for entry in engine.corrections(fresh=True))
        assert len(_parts(groups(engine))) == len(PAGES)
        assert len(read_frames(engine.corrections()).runs) > 200


def _parts(found: dict[str, str]) -> list[set[str]]:
    return [{id_ for id_ in found if found[id_] == group} for group in {*found.values()}]
