"""`dup-groups alert`: tell a web address or a file once when a story is what a rule is about."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing, name_of, url_of
from dupgroups.cli.files import check_apart, files_of_engine
from dupgroups.cli.options import option
from dupgroups.cli.output import STDOUT, print_json, stderr, summary_console
from dupgroups.cli.stopping import stop_on_signals
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError, InputError
from dupgroups.model.config import read_toml
from dupgroups.text.counted import count_noun

if TYPE_CHECKING:
    from dupgroups.flow.alerts.alert_delivery import Alert, Delivery, Destination
    from dupgroups.flow.alerts.alert_rules import Rule
    from dupgroups.flow.alerts.alert_state import AlertState
    from dupgroups.flow.alerts.alerter import Alerter

MAX_FAILURES = 5  # in a row of a destination, after which a run without --follow gives up
LINE_SECONDS = 60.0  # between two lines about trouble that lasts

RULE_HELP = "When to alert (repeatable), such as 'sites >= 5 within 24h' or 'new source'."
TO_HELP = "Where to send: http(s)://..., which gets JSON by POST, a file, or - for standard output."


@commands.command("alert")
def alert(
    engine: options.Engine = None,
    rule: Annotated[list[str] | None, option(RULE_HELP, "RULE")] = None,
    rules: Annotated[
        Path | None, option("TOML file with a table [rules], of names and rules.", "RULES.toml")
    ] = None,
    to: Annotated[str, option(TO_HELP, "URL|FILE|-", envvar="DUPGROUPS_ALERT_TO")] = "-",
    follow: Annotated[bool, option("Go on until Ctrl+C or SIGTERM.", name="--follow")] = False,
    from_start: Annotated[
        bool, option("Send also what matches already when a rule runs first.", name="--from-start")
    ] = False,
    told: Annotated[
        Path | None,
        option(
            "File that remembers what was sent. Default: the name of the index, with .alerts.db.",
            "FILE",
            show_default=False,
        ),
    ] = None,
    every: Annotated[float, option("Seconds between two polls.", "SECONDS", min=0.1)] = 1.0,
    config: options.ConfigFile = None,
) -> None:
    """Alert once when five sites print a story, a new source has it, a figure changes, or one of yours is
    copied.

    Rules: 'sites >= 5 within 24h' (or copies, publishers, sources; minutes, hours, days; or without a time),
    'new source', 'figure changed', 'copied from example.com'. The first run of a rule only remembers what
    matches it; later ones send what is new. A story stays the same when it is renamed, merged or split;
    nothing is sent twice, not even after a crash. Alerts that an address refuses for good go to a .dead.jsonl
    file next to that of --told; what it cannot take now waits and is tried again. The exit status is 1 if an
    alert could not be delivered. Examples:

        dup-groups alert --engine sqlite:///news.db --rule 'sites >= 5 within 24h'

        dup-groups alert --rule 'copied from example.com' --to copied.jsonl

        dup-groups alert --engine URL --rules desk.toml --to https://... --follow
    """
    from dupgroups.flow.alerts.alert_delivery import Delivery
    from dupgroups.flow.alerts.alert_state import AlertState
    from dupgroups.flow.alerts.alerter import Alerter

    chosen = _read_rules(rule or (), rules)
    index = EngineURL.parse(name_of(engine, config), {})
    path = told or Path(f"{Path(index.path).stem or 'dup-groups'}.alerts.db")  # in the current folder
    read = (rules, config, *files_of_engine(url_of(engine, config)))
    check_apart(path, *read)
    letters = path.with_suffix(".dead.jsonl")
    with closing(existing(engine, config)) as opened, closing(AlertState(path, opened.name)) as state:
        state.add_rules([rule_.text for rule_ in chosen.values()], silent=not from_start)
        destination = _open_destination(to, state, path, letters, *read)
        alerter, delivery = Alerter(opened, state, chosen), Delivery(state, destination, letters)
        _run(alerter, delivery, state, every if follow else None)
        said = f"{count_noun(delivery.delivered, 'alert')} sent to {destination.name}"
        if alerter.silenced:
            said += f"; {count_noun(alerter.silenced, 'alert')} not sent: the stories matched before"
        summary_console(Path(to)).print(said)
        if delivery.refused:
            raise InputError(f"{destination.name} refused alerts for good: they are in {letters}")
        if delivery.trouble and (left := state.count_waiting()):
            waiting = count_noun(left, "alert waits", "alerts wait")
            raise EngineError(f"{waiting} to be delivered: {delivery.trouble}; run this again")


def _read_rules(given: Sequence[str], file: Path | None) -> dict[str, Rule]:
    """The rules of options and file by name; one without a name is named by its words."""
    from dupgroups.flow.alerts.alert_rules import parse_rule

    table = read_toml(file).get("rules") if file else {}
    if not isinstance(table, dict) or not all(isinstance(words, str) for words in table.values()):
        raise ConfigError(f'{file}: give a table [rules] with lines such as big = "sites >= 5 within 24h"')
    parsed = {name: parse_rule(words) for name, words in table.items()}
    for rule in map(parse_rule, given):
        parsed[rule.text] = rule
    if not parsed:
        raise ConfigError("give a rule, with --rule 'sites >= 5 within 24h' or a file of --rules")
    return parsed


def _open_destination(to: str, state: AlertState, *read: Path | None) -> Destination:
    from dupgroups.flow.alerts.alert_delivery import Destination, alert_device, alert_file, web_address

    if to.startswith(("http://", "https://")):
        return web_address(to)
    if Path(to) == STDOUT:  # one at a time
        return Destination("standard output", _print_alerts)
    if "://" in to:
        raise ConfigError("--to takes an address that begins with http:// or https://, a file, or -")
    check_apart(Path(to), *read)
    is_device = Path(to).exists() and not Path(to).is_file() and not Path(to).is_dir()
    return alert_device(Path(to)) if is_device else alert_file(Path(to), state)


def _print_alerts(alerts: Sequence[Alert]) -> None:
    for alert in alerts:
        print_json(alert, indent=None)


def _run(alerter: Alerter, delivery: Delivery, state: AlertState, every: float | None) -> None:
    """Look and deliver until there is nothing left to do; or, with `every`, each so many seconds, until a
    signal comes."""
    stop = threading.Event() if every is None else stop_on_signals()
    tell = _teller()
    while not stop.is_set():
        trouble, is_more = "", False
        try:
            is_more = alerter.look()
        except EngineError as error:
            if every is None or not error.temporary:
                raise
            trouble = str(error)
        is_more |= delivery.deliver()
        tell(trouble or delivery.trouble)
        if is_more:
            continue
        if every is None and (not state.count_waiting() or delivery.failures >= MAX_FAILURES):
            return
        stop.wait(every or max(0.05, delivery.pause))


def _teller() -> Callable[[str], None]:
    """A function that prints trouble when it begins, and each LINE_SECONDS while it lasts."""
    console, shown, at = stderr(), "", float("-inf")

    def tell(trouble: str) -> None:
        nonlocal shown, at
        if trouble and (not shown or time.monotonic() >= at + LINE_SECONDS):
            console.print(f"{trouble}; tried again later", style="yellow")
            at = time.monotonic()
        shown = trouble

    return tell
