"""What has to hold after every fault, once somebody has settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from dupgroups import Deduper, Page, group, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.cli.replay import replay_file
from es_plugin.groups import partition
from flow.scenes import groups as groups_of


def faults_left(
    url: str, pages: Iterable[Page], stored: Iterable[str] = (), dead: Path | None = None
) -> list[str]:
    """Replay, settle, and say which rules do not hold; [] when all is well.

    `pages` are all that were ever given, `stored` the ids that were reported as stored. With `dead`, its
    letters are replayed, and then every page has to be there.
    """
    known = {str(page.id): page for page in pages}
    with closing(open_engine(url)) as engine:
        deduper = Deduper(engine)
        if dead is not None:
            replay_file(dead, deduper)
        deduper.settle()
        wrong = [f"{check.name}: {check.detail}" for check in audit(engine) if not check.ok]
        groups = groups_of(engine)
    lost = (set(known) if dead is not None else set(stored)) - set(groups)
    wrong += [f"lost: {', '.join(sorted(lost))}"] if lost else []
    return wrong + differences(groups, group({id_: known[id_] for id_ in groups}))


def differences(groups: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    """The groups that grouping the same documents in a file gives otherwise, as sentences."""
    others = partition(expected) - partition(groups)
    return [f"apart, but together in a file, or the reverse: {sorted(members)}" for members in others]
