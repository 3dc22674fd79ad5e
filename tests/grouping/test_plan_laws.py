"""The laws of the plan on any world: groups are the closure of what is alike, named by the oldest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from dupgroups.grouping.plan import Plan, plan
from dupgroups.grouping.view import Batch, View
from dupgroups.model import Record
from es_plugin.clusters import partition
from grouping.plans import groups, members, regrouped, viewed
from grouping.values import RULE, PairJudge, ids, record
from properties import met, must_meet

NAMES = "abcdefgh"
PAIRS = [a + b for a in NAMES for b in NAMES if a < b]
World = tuple[list[Record], list[Record], View, PairJudge]
"""What is stored, the batch, what the plan sees, and the judge."""


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Stored records in groups, a batch, and which pairs are alike; a record sees all that came before it."""
    # shuffled, as lists that are drawn have few pairs and one label, so that nothing would move
    pairs = draw(st.permutations(PAIRS))[: draw(st.sampled_from([3, 6, 9, 0]))]
    ages = draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))
    cut = draw(st.sampled_from([5, 8, 3, 0]))
    records = [record(name, age=age) for name, age in zip(NAMES, ages, strict=True)]
    labels = draw(st.permutations([0, 0, 0, 1, 1, 1, 2, 2]))
    houses = defaultdict(list)
    for stored, label in zip(records[:cut], labels, strict=False):
        houses[label].append(stored)
    oldest = {member.id: min(house, key=lambda r: r.age) for house in houses.values() for member in house}
    stored = [record(r.id, group=oldest[r.id].id, age=r.first_seen) for r in records[:cut]]
    batch = draw(st.permutations(records[cut:]))
    seen = {r.id: [*stored, *batch[:place]] for place, r in enumerate(batch)}
    view = viewed(batch, candidates=seen, groups={r.group: oldest[r.id].age for r in stored})
    return stored, list(batch), view, PairJudge.of(*pairs)


def closure(nodes: Iterable[str], pairs: Iterable[Iterable[str]]) -> set[frozenset[str]]:
    parts = {frozenset([node]) for node in nodes}
    for pair in pairs:
        met = {part for part in parts if part & set(pair)}
        parts = (parts - met) | {frozenset().union(*met)}
    return parts


def after(stored: Sequence[Record], made: Plan) -> dict[str, str]:
    """The group of every document once the plan is carried out."""
    moved = {record.id: made.moves.get(record.group, record.group) for record in stored}
    return {**moved, **groups(made)}


@given(worlds(), st.randoms())
def test_groups_are_the_closure_named_by_the_oldest_whatever_the_order(world: World, random: object) -> None:
    stored, batch, view, judge = world
    random.shuffle(batch)  # type: ignore[attr-defined]
    made = plan(replace(view, batch=Batch(batch)), judge, RULE)
    names = after(stored, made)
    assert ids(made.puts) == ids(batch), "what is written comes in the order that was given"
    everything = {record.id: record for record in [*stored, *batch]}
    new = {record.id for record in batch}
    ties = [pair for pair in judge.pairs if pair <= set(everything) and pair & new]
    ties += [frozenset({record.id, record.group}) for record in stored]
    assert partition(names) == closure(everything, ties)
    for id_, group in names.items():
        assert group == min((i for i in names if names[i] == group), key=lambda i: everything[i].age), id_


@must_meet(least=3)
@given(worlds())
def test_a_loser_is_never_a_winner_and_moves_to_an_older_group(world: World) -> None:
    stored, batch, view, judge = world
    moves = plan(view, judge, RULE).moves
    met(moves)
    ages = {record.id: record.age for record in [*stored, *batch]}
    assert not moves.keys() & set(moves.values())
    assert all(ages[winner] < ages[loser] for loser, winner in moves.items())


@given(worlds())
def test_states_and_groups_are_those_of_a_batch_of_one_after_another(world: World) -> None:
    stored, batch, view, judge = world
    at_once = plan(view, judge, RULE)
    world_now = {one.id: one for one in stored}
    for new in batch:
        ages = {r.group: world_now[r.group].age for r in world_now.values()}
        seen = viewed([new], candidates={new.id: list(world_now.values())}, groups=ages)
        made = plan(seen, judge, RULE)
        assert made.outcomes[new.id].state == at_once.outcomes[new.id].state
        assert made.outcomes[new.id].verdicts == at_once.outcomes[new.id].verdicts
        names = after(list(world_now.values()), made)
        everything = {**world_now, new.id: new}
        world_now = {i: record(i, group=names[i], age=r.first_seen) for i, r in everything.items()}
    assert {i: r.group for i, r in world_now.items()} == after(stored, at_once)


@st.composite
def open_worlds(draw: st.DrawFn) -> World:
    """Stored records whose groups are put together anew, but for some members and some whole groups.

    Some stored records are about to go, some arrive again with another text, and new ones arrive. The groups
    that are stored are any, whatever is alike now.
    """
    stored, later, _, judge = draw(worlds())
    opened = {group for group in {r.group for r in stored} if draw(st.sampled_from([True, True, False]))}
    fates = draw(st.permutations(["anew", "anew", "anew", "stays", "stays", "gone", "written", "written"]))
    fate = {r.id: one for r, one in zip(stored, fates, strict=False)}
    inside = [r for r in stored if r.group in opened]
    anew = [r for r in inside if fate[r.id] == "anew"]
    arriving = [*(replace(r, group=r.id) for r in inside if fate[r.id] == "written"), *later]
    outside = [r for r in stored if r not in inside or fate[r.id] == "stays"]
    batch = [*sorted(anew, key=lambda r: r.age), *arriving]
    ages = {r.id: r.age for r in stored}
    known = [r for r in inside if fate[r.id] != "stays"]
    view = viewed(
        records=batch,
        regrouped=frozenset(ids(anew)),
        stored={r.id: r for r in known if fate[r.id] != "gone"},
        candidates={r.id: [*outside, *batch[:place]] for place, r in enumerate(batch)},
        groups={r.group: ages[r.group] for r in outside},
        former={r.id: r.group for r in known},
        oldest_outside={
            group: min(r.age for r in outside if r.group == group)
            for group in {r.group for r in known} & {r.group for r in outside}
        },
    )
    return outside, batch, view, judge


def carried_out(outside: Sequence[Record], view: View, made: Plan) -> dict[str, str]:
    """The group of every document that is stored once the plan is carried out."""
    anew = [view.batch.stored[id_] for id_ in view.batch.regrouped]
    return {**after([*outside, *anew], made), **made.labels, **groups(made)}


@given(open_worlds())
def test_groups_that_are_put_together_anew_are_the_closure_of_what_is_alike_now(world: World) -> None:
    outside, batch, view, judge = world
    names = carried_out(outside, view, plan(view, judge, RULE))
    everything = {record.id: record for record in [*outside, *batch]}
    new = {record.id for record in batch}
    ties = [pair for pair in judge.pairs if pair <= set(everything) and pair & new]
    ties += [frozenset({a.id, b.id}) for a in outside for b in outside if a.group == b.group]
    assert partition(names) == closure(everything, ties)
    for id_, group in names.items():
        if id_ in new or everything[id_].group in view.nearby.oldest_outside:
            assert group == min((i for i in names if names[i] == group), key=lambda i: everything[i].age), id_


@must_meet(least=3)
@given(open_worlds())
def test_a_name_that_is_lost_leads_to_a_group_of_a_former_member(world: World) -> None:
    outside, _, view, judge = world
    made = plan(view, judge, RULE)
    names = carried_out(outside, view, made)
    for name in set(view.batch.former.values()) - set(names.values()):
        left = {i for i, former in view.batch.former.items() if former == name and i in names}
        left |= {record.id for record in outside if record.group == name}
        met(left)
        assert (made.moves[name] in {names[id_] for id_ in left}) if left else name not in made.moves


@must_meet(least=3)
@settings(max_examples=max(100, settings.default.max_examples))  # of 20, one or two may have labels
@given(open_worlds())
def test_only_what_a_plan_changes_is_written(world: World) -> None:
    _, batch, view, judge = world
    made = plan(view, judge, RULE)
    assert set(made.labels) <= view.batch.regrouped | {age[1] for age in view.nearby.oldest_outside.values()}
    assert set(ids(made.puts)) == {record.id for record in batch} - view.batch.regrouped
    met(labelled := view.batch.regrouped & set(made.labels))
    for id_ in labelled:
        label, group = view.batch.stored[id_].group, made.labels[id_]
        assert made.moves.get(label, label) != group or id_ == group != label, "a move has done it already"
    assert all(loser != winner for loser, winner in made.moves.items())
    for id_, group in made.elections.items():
        assert id_ not in made.labels, "it hears it anyhow"
        assert made.moves.get(view.batch.stored[id_].group) != group, "it hears it anyhow"


@given(st.lists(st.sampled_from(PAIRS), max_size=8))
def test_what_is_put_together_anew_once_more_stays_as_it_is(pairs: list[str]) -> None:
    records = members(NAMES)
    once = regrouped(records, *pairs)
    names = {**dict.fromkeys(NAMES, "a"), **once.labels}
    again = regrouped([replace(record, group=names[record.id]) for record in records], *pairs)
    assert (again.moves, again.labels, again.puts) == ({}, {}, ())
