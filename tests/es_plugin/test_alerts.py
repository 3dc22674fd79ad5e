"""Alerts about an index: the records of its stories and its documents are seen seconds apart."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from dupgroups import Deduper, Page
from dupgroups.flow.alerts.alert_rules import parse_rule
from dupgroups.flow.alerts.alert_state import AlertState
from dupgroups.flow.alerts.alerter import Alerter
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import ALL, servers
from stories import story

RULES = {words: parse_rule(words) for words in ("sites >= 3", "figure changed")}
TEXT = f"{story('x')}\nA crew of 9 and 40 guests were on board at 6.30 on 3 March; {{}} people were missing."
MAX_SECONDS = 5.0
SEEN_SECONDS = 2.0  # a record is seen after a second


def page(site: str, dead: int = 12) -> Page:
    return Page(url=f"https://{site}.com/1", text=TEXT.format(dead), title="Fog")


@servers(ALL)
def test_who_looks_tells_within_seconds_what_another_process_wrote_once(
    engine_url: str, opened: Callable[[str], ClusterEngine], tmp_path: Path
) -> None:
    writer = Deduper(opened(engine_url))
    writer.add_all([page("a"), page("b")])
    with closing(AlertState(tmp_path / "told.db", engine_url)) as state:
        state.add_rules(RULES, silent=False)
        alerter = Alerter(opened(engine_url), state, RULES)

        def tell(seconds: float = MAX_SECONDS) -> list[str]:
            end = time.monotonic() + seconds
            while not (waiting := state.waiting(float("inf"), -1)) and time.monotonic() < end:
                alerter.look()
                time.sleep(0.1)
            state.finish([one.number for one in waiting])
            return [f"{one.alert['rule']}: {one.alert['title']}, {one.alert['sites']}" for one in waiting]

        assert tell(SEEN_SECONDS) == []
        writer.add(page("c"))
        assert tell() == ["sites >= 3: Fog, 3"]
        writer.add(page("b", 14))
        assert tell() == ["figure changed: Fog, 3"]
        writer.add(page("d"))
        assert tell(SEEN_SECONDS) == []
