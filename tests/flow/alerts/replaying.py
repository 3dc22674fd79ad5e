"""A replay: one process writes stories, another one tells of them, and both are killed all the time."""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from dupgroups.engines.patience import Patience
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from dupgroups.errors import EngineError
from dupgroups.flow.alerts import alert_delivery
from dupgroups.flow.alerts.alert_delivery import AlertFile, Delivery, WebAddress
from dupgroups.flow.alerts.alert_rules import parse_rule
from dupgroups.flow.alerts.alert_state import AlertState
from dupgroups.flow.alerts.alerter import Alerter
from dupgroups.model import Document, Record
from engines.documents import document

RULES = ("sites >= 4", "copies >= 6 within 24h", "copied from own.com")
BATCH_DOCUMENTS = 20
OPEN_STORIES = 30  # that get copies, or are merged
MOST_COPIES = 16  # fewer than an alert lists
PAUSE_SECONDS = 0.05  # between two looks: what is said without end, and heard after the kill, fills a pipe
HOURS = 3_600_000_000  # microseconds

Batch = tuple[list[Document], dict[str, str]]
Told = tuple[str, str, frozenset[str]]
"""A rule, what it found, and the pages of the story then."""


def make_history(seed: int, documents: int) -> list[Batch]:
    """Documents that found stories and join them, and stories that merge, a batch at a time."""
    chance = random.Random(seed)
    stories: dict[str, int] = {}
    batches: list[Batch] = []
    for start in range(0, documents, BATCH_DOCUMENTS):
        batch: list[Document] = []
        moves: dict[str, str] = {}
        if len(stories) > 2 and chance.random() < 0.5:
            winner, loser = sorted(chance.sample(sorted(stories), 2))
            if stories[winner] + stories[loser] <= MOST_COPIES:
                moves[loser] = winner
                stories[winner] += stories.pop(loser)
        for number in range(start, start + BATCH_DOCUMENTS):
            id_ = f"{number:07}"
            if len(stories) < OPEN_STORIES or chance.random() < 0.15:
                group = id_
            else:
                group = chance.choice(sorted(stories))
            stories[group] = stories.get(group, 0) + 1
            if stories[group] >= MOST_COPIES or len(stories) > OPEN_STORIES:
                del stories[min(stories)]
            host = "own.com" if chance.random() < 0.1 else f"n{chance.randrange(9)}.com"
            at = 20_000 * 24 * HOURS + number * HOURS // 50
            batch.append(document(id_, group, host=host, seen=at, fingerprint=id_, text="Fog."))
        batches.append((batch, moves))
    return batches


def write(say: Callable[[object], None], path: Path, history: tuple[int, int], first: int) -> None:
    """Write a history (see `make_history`) from a batch on, and say after each how many there are now. It is
    made here: to hand it over would take longer than to write it.
    """
    batches = make_history(*history)[first:]
    with closing(SQLiteEngine(EngineURL.parse(f"sqlite:///{path}"))) as engine:
        for number, (documents, moves) in enumerate(batches, start=first + 1):
            engine.put(documents, moves=moves)
            say(number)


def tell(say: Callable[[object], None], path: Path, to: str) -> None:
    """Tell what the rules find to a web address or a file, without end."""
    alert_delivery.PATIENCE = Patience(first=0.01, longest=0.05)  # type: ignore[misc]
    url = EngineURL.parse(f"sqlite:///{path}")
    rules = {rule.text: rule for rule in map(parse_rule, RULES)}
    with (
        closing(SQLiteEngine(url)) as engine,
        closing(AlertState(path.with_suffix(".alerts.db"), str(url))) as state,
    ):
        state.add_rules(rules, silent=False)
        destination = WebAddress(to) if to.startswith("http") else AlertFile(Path(to), state)
        alerter = Alerter(engine, state, rules)
        delivery = Delivery(state, destination, path.with_suffix(".dead"))
        while True:
            with suppress(EngineError):  # the writer was killed, or keeps the file locked
                is_more = alerter.look() | delivery.deliver()
                say(is_more + state.count_waiting())
                if is_more:
                    continue
            time.sleep(PAUSE_SECONDS)


def told_of(alerts: Iterable[Any]) -> list[Told]:
    """The rule, the finding and the pages of each alert, in their order."""
    return [
        (
            alert["rule"],
            f"{alert['by']['site']}" if "by" in alert else "",
            frozenset(page["id"] for page in alert["pages"]),
        )
        for alert in alerts
    ]


def find_expected(documents: Iterable[Document]) -> list[Told]:
    """All that the rules have to tell of these, by trying."""
    groups = defaultdict(list)
    for one in documents:
        groups[one.record.group].append(one.record)
    return [one for records in groups.values() for one in _find_in_story(records)]


def _find_in_story(records: Sequence[Record]) -> Iterator[Told]:
    ids = frozenset(record.id for record in records)
    times = sorted(record.first_seen // 60_000_000 for record in records)
    if len({record.host for record in records}) >= 4:
        yield RULES[0], "", ids
    if any(late - early <= 24 * 60 for early, late in zip(times, times[5:], strict=False)):
        yield RULES[1], "", ids
    own = min((record.id for record in records if record.host == "own.com"), default="9")
    copiers = {record.host for record in records if record.id > own} - {"own.com"}
    yield from ((RULES[2], host, ids) for host in copiers)


def compare(told: Sequence[Told], expected: Sequence[Told]) -> tuple[list[Told], list[Told]]:
    """What was lost, and what was told again of pages of which it was told before."""
    of_finding = defaultdict(set)
    repeated = []
    for rule, key, pages in told:
        if pages & of_finding[rule, key]:
            repeated.append((rule, key, pages))
        of_finding[rule, key] |= pages
    return [one for one in expected if not one[2] & of_finding[one[:2]]], repeated


def read_lines(file: Path) -> list[Any]:
    """The alerts of a file."""
    return [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []
