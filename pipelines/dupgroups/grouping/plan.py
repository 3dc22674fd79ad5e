"""Plans the writes that put documents into their groups: a pure function of one look at a store.

The group rule in one sentence: a group is a cluster of the pairs whose relation joins (`linkage`), named by
the id of its oldest member, and when two groups meet the older name stays and the other becomes a redirect to
it. What people keep apart or together comes first (`constraints`).
Who stands for a group in searches, its head, is elected apart from its name (`heads`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from dupgroups.grouping.components import Age, Components
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.heads import pinned_first
from dupgroups.grouping.linkage import MIN_LINKAGE_SHARE, Partition, Said
from dupgroups.grouping.view import View
from dupgroups.model import Outcome, Record, Seen, State, Tie, Verdict

Node = tuple[str, str]  # (DOCUMENT, its id) for a record of the batch, or (GROUP, the name of a stored group)
DOCUMENT, GROUP = "document", "group"
MAX_TIES = 5  # verdicts that are stored with a document

Judge = Callable[[Record, Record], Verdict]


@dataclass(frozen=True, slots=True)
class Plan:
    """All writes, in this order: `moves`, `labels` with `elections`, then `puts`."""

    moves: Mapping[str, str] = field(default_factory=dict)
    """Groups whose members all move to another group, by name: loser to winner."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Stored documents that move to another group alone, or name their group from now on: id to group."""
    elections: Mapping[str, str] = field(default_factory=dict)
    """Other stored documents that become the head of their group, or stop being it: id to group."""
    heads: Mapping[str, str] = field(default_factory=dict)
    """The id of the head by group; a group that is absent is represented by the member that names it."""
    puts: tuple[Record, ...] = ()
    """The records to store, with their groups and ties."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """What becomes of each document once everything is written, by id."""
    seen: Seen | None = None
    """The versions that the plan rests on; if the store has changed since, the plan must be made again."""


def plan(view: View, judge: Judge, rule: GroupingRule) -> Plan:
    """How the records of a batch come into their groups. An empty plan for an empty view.

    States are those that the records would have had if they had come one by one.
    """
    batch = {record.id: record for record in view.batch.records}
    ages = _ages(batch, view)
    verdicts = _joining_verdicts(batch, ages, view, judge, rule)
    components, states = _join_batch(batch, ages, verdicts, view)
    names = {id_: components.name((DOCUMENT, id_)) for id_ in batch}
    moves = _moves(ages, components) | _redirect_abandoned(batch, names, view)
    labels = _labels(names, moves, components, view)
    outside = {
        name: components.name((GROUP, name)) for name in view.nearby.head_candidates if (GROUP, name) in ages
    }
    heads = _heads(names, outside, view, rule) if rule.elects or view.corrections.heads else {}
    return Plan(
        moves=moves,
        labels=labels,
        elections=_elections(names, outside, moves, heads, view, labels),
        heads=heads,
        puts=_puts(names, verdicts, view),
        outcomes={id_: Outcome(id_, names[id_], states[id_], verdicts[id_]) for id_ in names},
        seen=view.seen,
    )


def _joining_verdicts(
    batch: Mapping[str, Record], ages: Mapping[Node, Age], view: View, judge: Judge, rule: GroupingRule
) -> dict[str, dict[str, Verdict]]:
    """For each record the verdicts on the candidates that it joins, by id; all linkage is decided here."""
    verdicts = {record.id: _joining(record, view, judge, rule) for record in view.batch.records}
    said = list(_list_said(ages, verdicts, batch, view, rule)) if view.corrections else []
    if rule.linkage == "average" or not all(together for together, *_ in said):
        return _within_clusters(verdicts, batch, view, rule, said)
    return verdicts


def _join_batch(
    batch: Mapping[str, Record],
    ages: Mapping[Node, Age],
    verdicts: Mapping[str, Mapping[str, Verdict]],
    view: View,
) -> tuple[Components[Node], dict[str, State]]:
    """The components that the records join, one after another, and what each record is when it comes."""
    components, states = Components(ages), {}
    for record in view.batch.records:
        candidates = view.nearby.candidates.get(record.id, ())
        nodes = [_node(other, batch, view) for other in candidates if other.id in verdicts[record.id]]
        states[record.id] = _state(record, record.id in view.batch.stored, len(components.roots(nodes)))
        for node in nodes:
            components.join((DOCUMENT, record.id), node)
    return components, states


def _puts(
    names: Mapping[str, str], verdicts: Mapping[str, Mapping[str, Verdict]], view: View
) -> tuple[Record, ...]:
    """The records to be written whole: all but those that are only grouped again."""
    return tuple(
        replace(record, group=names[record.id], ties=_ties(verdicts[record.id]))
        for record in view.batch.records
        if record.id not in view.batch.regrouped
    )


def pairs_to_judge(view: View, rule: GroupingRule) -> Iterator[tuple[Record, Record]]:
    """The pairs that `plan` asks a judge for."""
    for record in view.batch.records:
        for other in view.nearby.candidates.get(record.id, ()):
            if not view.corrections.verdict(record, other) and rule.is_near_in_time(record, other):
                yield record, other


def _joining(record: Record, view: View, judge: Judge, rule: GroupingRule) -> dict[str, Verdict]:
    """The verdicts on those candidates that the record joins, by id; what people said needs no judge."""
    joining = {}
    for other in view.nearby.candidates.get(record.id, ()):
        verdict = view.corrections.verdict(record, other)
        if verdict is None and rule.is_near_in_time(record, other):
            judged = judge(record, other)
            verdict = judged if rule.joins(judged) else None
        if verdict is not None:
            joining[other.id] = verdict
    return joining


def _list_said(
    ages: Mapping[Node, Age],
    verdicts: Mapping[str, Mapping[str, Verdict]],
    batch: Mapping[str, Record],
    view: View,
    rule: GroupingRule,
) -> Iterator[Said[Node]]:
    """The constraints on these nodes, those that count most first: what people said of two documents, that
    copies of one text in these stories are on one side, and what follows for copies.
    """
    said, nodes = view.corrections, defaultdict[str, dict[Node, None]](dict)
    copies = defaultdict[str, list[Record]](list)
    met = {other.id: other for others in view.nearby.candidates.values() for other in others} | {**batch}
    for record in sorted(met.values(), key=lambda record: (record.day, record.id)):
        for name in said.said_names.intersection(said.names(record)):
            nodes[name][_node(record, batch, view)] = None
        copies[record.mark].append(record)
    for id_, group in view.nearby.groups_of_kept_apart.items():
        if (GROUP, group) in ages:
            nodes[id_][GROUP, group] = None

    def constrain(together: bool, pairs: Iterable[tuple[str, str]]) -> Iterator[Said[Node]]:
        return ((together, nodes[a], nodes[b]) for a, b in pairs if a in nodes and b in nodes)

    tied, _ = _join_batch(batch, ages, verdicts, view)
    concerned = tied.roots(node for some in nodes.values() for node in some)
    yield from constrain(False, said.apart)
    yield from constrain(True, said.together)
    for mark in sorted(filter(None, copies)):
        for one, other in pairwise(copies[mark]):
            both = [_node(one, batch, view), _node(other, batch, view)]
            roots = tied.roots(both)  # two, where a number differs that signatures do not have
            if len(roots) < 2 and roots <= concerned and rule.is_near_in_time(one, other):
                yield True, both[:1], both[1:]
    yield from constrain(True, said.joined)
    yield from constrain(False, said.parted)


def _within_clusters(
    verdicts: Mapping[str, Mapping[str, Verdict]],
    batch: Mapping[str, Record],
    view: View,
    rule: GroupingRule,
    said: Sequence[Said[Node]],
) -> dict[str, dict[str, Verdict]]:
    """The verdicts that the linkage, and what people keep apart, let hold."""
    nodes = {
        (id_, other.id): _node(other, batch, view)
        for id_, joined in verdicts.items()
        for other in view.nearby.candidates.get(id_, ())
        if other.id in joined
    }
    ties = ((verdicts[a][b].score, (DOCUMENT, a), node) for (a, b), node in nodes.items())
    sizes = {(GROUP, name): size for name, size in view.nearby.sizes.items()}
    share = MIN_LINKAGE_SHARE if rule.linkage == "average" else 0
    clusters = Partition[Node](ties, most=rule.max_partners, sizes=sizes, share=share, said=said)
    return {
        a: {b: verdict for b, verdict in joined.items() if clusters.are_together((DOCUMENT, a), nodes[a, b])}
        for a, joined in verdicts.items()
    }


def _ties(verdicts: Mapping[str, Verdict]) -> tuple[Tie, ...]:
    """The strongest verdicts, at most MAX_TIES, as they are stored."""
    strongest = sorted(verdicts.items(), key=lambda item: (-item[1].score, item[0]))[:MAX_TIES]
    return tuple(Tie(id_, verdict.relation, verdict.score) for id_, verdict in strongest)


def _ages(batch: Mapping[str, Record], view: View) -> dict[Node, Age]:
    """The age of every node. A group that may lose the document that names it is as old as what is left."""
    ages: dict[Node, Age] = {(GROUP, age[1]): age for age in view.nearby.groups.values()}
    ages |= {(GROUP, name): age for name, age in view.nearby.oldest_outside.items()}
    return ages | {(DOCUMENT, id_): record.age for id_, record in batch.items()}


def _node(record: Record, batch: Mapping[str, Record], view: View) -> Node:
    """A candidate of the batch stands for itself, any other one for its group."""
    if record.id in batch:
        return DOCUMENT, record.id
    return GROUP, view.nearby.groups[record.group][1]


def _moves(ages: Mapping[Node, Age], components: Components[Node]) -> dict[str, str]:
    """Where the groups go that met an older one, or lost the document that named them."""
    groups = (name for kind, name in ages if kind == GROUP)
    moves = {name: components.name((GROUP, name)) for name in groups}
    return {loser: winner for loser, winner in moves.items() if loser != winner}


def _redirect_abandoned(batch: Mapping[str, Record], names: Mapping[str, str], view: View) -> dict[str, str]:
    """Where the names lead that no group has any longer: to where most of their history went.

    That is the group of the oldest member, without the document that gave the name if there are others.
    """
    members: defaultdict[str, list[Record]] = defaultdict(list)
    for id_, name in view.batch.former.items():
        if id_ in batch:
            members[name].append(batch[id_])
    used = set(names.values())
    return {
        name: names[_find_oldest(records, name).id]
        for name, records in members.items()
        if name not in used and name not in view.nearby.oldest_outside
    }


def _find_oldest(records: Iterable[Record], name: str) -> Record:
    return min(records, key=lambda record: (record.id == name, record.age))


def _labels(
    names: Mapping[str, str], moves: Mapping[str, str], components: Components[Node], view: View
) -> dict[str, str]:
    """The stored documents that do not come into their group by a move, and those that name it from now on.

    These may have been merged away before: their label ends the redirect from their id.
    """
    oldest = ((label, age[1]) for label, age in view.nearby.oldest_outside.items())
    labels = {id_: id_ for label, id_ in oldest if label != id_ == components.name((GROUP, label))}
    for id_ in view.batch.regrouped:
        label, name = view.batch.stored[id_].group, names[id_]
        if moves.get(label, label) != name or id_ == name != view.batch.former[id_]:
            labels[id_] = name
    return labels


def _heads(
    names: Mapping[str, str], outside: Mapping[str, str], view: View, rule: GroupingRule
) -> dict[str, str]:
    """The elected head of each group that has members in the batch, or is met by it.

    If the setting elects no heads, only those that people pinned: all other groups are named by their heads.
    """
    members = defaultdict(list)
    for record in view.batch.records:
        members[names[record.id]].append(record)
    for group, name in outside.items():
        members[name] += view.nearby.head_candidates[group]
    pinned = view.corrections.heads
    order = pinned_first(pinned, rule.order)
    heads = {name: min(records, key=order).id for name, records in members.items() if records}
    return {name: id_ for name, id_ in heads.items() if rule.elects or id_ in pinned}


def _elections(
    names: Mapping[str, str],
    outside: Mapping[str, str],
    moves: Mapping[str, str],
    heads: Mapping[str, str],
    view: View,
    labels: Collection[str],
) -> dict[str, str]:
    """The stored documents that have to be told whether they are heads, and neither move nor get a label."""
    stored = [(view.batch.stored[id_], names[id_]) for id_ in sorted(view.batch.regrouped)]
    stored += [
        (record, name) for group, name in outside.items() for record in view.nearby.head_candidates[group]
    ]
    return {
        record.id: name
        for record, name in stored
        if record.is_head != (heads.get(name, name) == record.id)
        and record.id not in labels
        and moves.get(record.group) != name
    }


def _state(record: Record, known: bool, groups: int) -> State:
    """The state of a document that is `known` already, or meets so many groups."""
    if known:
        return "updated"
    if not record.signature and not groups:
        return "too_short" if record.length else "not_article"
    return ("new", "joined", "merged")[min(groups, 2)]
