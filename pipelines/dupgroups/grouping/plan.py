"""What to write so that documents stand in their groups: a pure function of what one look at a store gave.

The group rule in one sentence: a group is the closure of the pairs whose relation joins, named by the id of
its oldest member, and when two groups meet the older name stays and the other becomes a redirect to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups.grouping.components import Age, Components
from dupgroups.grouping.rule import Rule
from dupgroups.grouping.view import View
from dupgroups.model import Outcome, Record, Signature, State, Verdict

Node = tuple[str, str]  # (DOCUMENT, its id) for a record of the batch, or (GROUP, the name of a stored group)
DOCUMENT, GROUP = "document", "group"

Judge = Callable[[Record, Record], Verdict]


@dataclass(frozen=True, slots=True)
class Plan:
    """`puts`: the records to write, in their groups. `moves`: groups to relabel, losers to winners.

    `touches`: the ids of what came again as it is.

    `outcomes`: what becomes of each document of the batch, by id, once that is written.
    """

    puts: tuple[Record, ...]
    moves: Mapping[str, str]
    touches: tuple[str, ...]
    outcomes: Mapping[str, Outcome]


@dataclass(frozen=True, slots=True)
class _Joined:
    """The candidates that a record joins, and why."""

    others: tuple[Record, ...]
    verdicts: Mapping[str, Verdict]


def plan(records: Sequence[Record], view: View, judge: Judge, rule: Rule) -> Plan:
    """How these records, each of another id, come into their groups. An empty plan for no records.

    States are those that the records would have had if they had come one by one.
    """
    batch = {record.id: record for record in records}
    joined = {record.id: _joined(record, view, judge, rule) for record in records}
    ages = _ages(batch, view)
    components = Components(ages)
    states = {}
    for record in records:
        nodes = [_node(other, batch, view) for other in joined[record.id].others]
        if record.id in view.staying:
            nodes.append((GROUP, view.groups[record.group][1]))
        states[record.id] = _state(record.signature, record.id in view.stored, len(components.roots(nodes)))
        for node in nodes:
            components.join((DOCUMENT, record.id), node)
    names = {id_: components.name((DOCUMENT, id_)) for id_ in batch}
    return Plan(
        tuple(replace(record, group=names[record.id]) for record in records if record.id not in view.staying),
        _moves(ages, components, view),
        tuple(view.unchanged),
        {record.id: Outcome(record.id, record.group, "unchanged") for record in view.unchanged.values()}
        | {id_: Outcome(id_, names[id_], states[id_], joined[id_].verdicts) for id_ in batch},
    )


def _joined(record: Record, view: View, judge: Judge, rule: Rule) -> _Joined:
    others, verdicts = [], {}
    for other in view.candidates.get(record.id, ()):
        verdict = judge(record, other)
        if rule.joins(verdict):
            others.append(other)
            verdicts[other.id] = verdict
    return _Joined(tuple(others), verdicts)


def _ages(batch: Mapping[str, Record], view: View) -> dict[Node, Age]:
    """The age of every node. A group that loses its name is as old as what is left of it."""
    ages: dict[Node, Age] = {(GROUP, age[1]): age for age in view.groups.values()}
    ages |= {(GROUP, name): age for name, age in view.left_behind.items()}
    return ages | {(DOCUMENT, id_): record.age for id_, record in batch.items()}


def _node(record: Record, batch: Mapping[str, Record], view: View) -> Node:
    """A candidate of the batch stands for itself, a stored one for its group."""
    if record.id in batch and record.id not in view.staying:
        return DOCUMENT, record.id
    return GROUP, view.groups[record.group][1]


def _moves(ages: Mapping[Node, Age], components: Components[Node], view: View) -> dict[str, str]:
    """Where groups go: those that met an older one, and labels whose redirect was not carried out."""
    groups = (name for kind, name in ages if kind == GROUP)
    moves = {name: components.name((GROUP, name)) for name in groups}
    moves |= {label: components.name((GROUP, age[1])) for label, age in view.groups.items()}
    return {loser: winner for loser, winner in moves.items() if loser != winner}


def _state(signature: Signature, known: bool, groups: int) -> State:
    """What becomes of a document that is `known` already, or meets so many groups."""
    if known:
        return "updated"
    if not signature:
        return "too_short"
    return ("new", "joined", "merged")[min(groups, 2)]
