"""Short ways to plan for records, to look at what is planned, and to carry it out on values."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.plan import Plan, plan
from dupgroups.grouping.view import Batch, Neighbourhood, View
from dupgroups.model import Record, Relation
from grouping.values import RULE, PairJudge, ids, record

NOBODY = PairJudge.of()


def planned(
    records: Sequence[Record],
    *pairs: str,
    candidates: Mapping[str, Sequence[Record]] | None = None,
    relation: Relation = "duplicate",
    rule: GroupingRule = RULE,
    **view: object,
) -> Plan:
    """The plan when these pairs are alike; candidates of the store, and all earlier records of the batch."""
    stored = candidates or {}
    seen = {record.id: [*stored.get(record.id, ()), *records[:place]] for place, record in enumerate(records)}
    return plan(viewed(records, candidates=seen, **view), PairJudge.of(*pairs, relation=relation), rule)


def viewed(records: Sequence[Record] = (), **given: Any) -> View:
    """The view with these values, which are those of its batch, of what is nearby, or its own."""

    def chosen(of: type) -> dict[str, Any]:
        return {field.name: given[field.name] for field in fields(of) if field.name in given}

    return View(Batch(records, **chosen(Batch)), Neighbourhood(**chosen(Neighbourhood)), **chosen(View))


def groups(made: Plan) -> dict[str, str]:
    return {record.id: record.group for record in made.puts}


def states(made: Plan) -> dict[str, str]:
    return {id_: outcome.state for id_, outcome in made.outcomes.items()}


def regrouped(
    records: Sequence[Record],
    *pairs: str,
    arriving: Sequence[Record] = (),
    candidates: Mapping[str, Sequence[Record]] | None = None,
    stored: Sequence[Record] = (),
    former: Mapping[str, str] | None = None,
    **view: object,
) -> Plan:
    """The plan when these stored records are put together anew, with `arriving` ones.

    `stored` are former versions of those that arrive; `former` is the label of a stored one unless given.
    """
    known = {record.id: record for record in (*records, *stored)}
    return planned(
        [*records, *arriving],
        *pairs,
        candidates=candidates,
        regrouped=frozenset(ids(records)),
        stored=known,
        former={**{id_: record.group for id_, record in known.items()}, **(former or {})},
        **view,
    )


def members(names: str, *, start: int = 1) -> list[Record]:
    """Members of the group of the first one, each younger than the one before."""
    return [record(name, group=names[0], age=age) for age, name in enumerate(names, start)]
