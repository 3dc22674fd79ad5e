"""Whether the groups of an engine are what they should be: the rules of docs/groups.md, checked one by one.

Reads everything that is stored, a document at a time, and keeps the records in memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dupgroups.config import Config
from dupgroups.engines import Engine
from dupgroups.grouping import Corrections, Rule
from dupgroups.grouping.heads import pinned_first
from dupgroups.method_set import MethodSet
from dupgroups.model import Check, Correction, Record
from dupgroups.offline import group_records
from dupgroups.text.counted import counted

CURE = "run `dup-groups settle --all`"
NAMED = 3  # groups that a line names


def audit(engine: Engine, config: Config | None = None) -> list[Check]:
    """One line for each rule; an empty engine passes all. Raises EngineError when it cannot be read."""
    config = config or Config()
    engine.refresh()
    records = {document.record.id: document.record for document in engine.scan()}
    members: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records.values():
        members[record.group].append(record)
    redirects = dict(engine.redirects())
    log = engine.corrections(fresh=True)
    corrections = Corrections.of(log)
    return [
        _check(
            "names", _misnamed(members), "group", "has its oldest member's id", "with another name than that"
        ),
        _check(
            "one head each",
            _misled(members, Rule.of(config), corrections.heads),
            "group",
            "has one head, the member that is to stand for it",
            "with no head, several, or another one than the configuration elects",
        ),
        _check(
            "former names",
            _astray(redirects, members),
            "redirect",
            "leads to where its group is now",
            "leading away from a group that is there, or in a circle",
        ),
        _check(
            "partition",
            _moved(records, config, corrections),
            "document",
            "is in the group that grouping all of them at once gives it",
            "in another group than grouping all of them at once gives",
        ),
        _unapplied(log),
        _unsettled(engine),
        _largest(members),
    ]


def _misnamed(members: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    """Groups that are not named by their oldest member."""
    for name, group in members.items():
        if min(group, key=lambda record: record.age).id != name:
            yield name


def _misled(members: Mapping[str, Sequence[Record]], rule: Rule, pinned: Mapping[str, int]) -> Iterator[str]:
    """Groups that have not exactly one head, the one that is pinned or elected, or else names them."""
    order = pinned_first(pinned, rule.order)
    for name, group in members.items():
        first = min(group, key=order).id
        elected = first if rule.elects or first in pinned else name
        if [record.id for record in group if record.is_head] != [elected]:
            yield name


def _astray(redirects: Mapping[str, str], members: Mapping[str, object]) -> Iterator[str]:
    """Names that a group still has, and names that lead back to themselves."""
    for name in redirects:
        passed, end = {name}, redirects[name]
        while end in redirects and end not in passed:
            passed.add(end)
            end = redirects[end]
        if name in members or end in passed:
            yield name


def _moved(records: Mapping[str, Record], config: Config, corrections: Corrections) -> Iterator[str]:
    """Documents whose group is not the one that all documents together give them."""
    schemes = MethodSet(config).schemes
    known = [record for record in records.values() if record.signature.scheme in schemes]
    for id_, group in group_records(known, config, corrections).items():
        if records[id_].group != group:
            yield id_


def _unapplied(log: Sequence[Correction]) -> Check:
    """Corrections whose groups were not put together anew: whoever entered them died before."""
    open_ = [str(entry.number) for entry in log if entry.after is None]
    if not open_:
        return Check("corrections", True, "every correction has been carried out")
    some = ", ".join(open_[:NAMED]) + (", ..." if len(open_) > NAMED else "")
    detail = f"{counted(len(open_), 'correction')} not carried out yet ({some}): run `dup-groups settle`"
    return Check("corrections", False, detail)


def _unsettled(engine: Engine) -> Check:
    count = sum(len(batch) for batch in engine.backlog().records)
    detail = "everything that was written has been looked at"
    if count:
        detail = (
            f"{counted(count, 'document')} not looked at since the last settling: run `dup-groups settle`"
        )
    return Check("settled", not count, detail)


def _largest(members: Mapping[str, Sequence[Record]]) -> Check:
    """The groups of most documents: a chain or a template of a site shows here first."""
    sizes = {name: len(group) for name, group in members.items() if len(group) > 1}
    largest = sorted(sizes, key=lambda name: (-sizes[name], name))[:NAMED]
    named = ", ".join(f"{name} ({counted(sizes[name], 'document')})" for name in largest)
    return Check("largest groups", True, named or "every document is alone")


def _check(name: str, wrong: Iterable[str], noun: str, well: str, ill: str) -> Check:
    names = sorted(wrong)
    if not names:
        return Check(name, True, f"every {noun} {well}")
    some = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
    return Check(name, False, f"{counted(len(names), noun)} {ill} ({some}): {CURE}")
