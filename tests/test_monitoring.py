"""The dashboard and the alert rules in docker/ name what a search page and a crawl really serve."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from browser.serving import serving
from dupgroups import Deduper
from dupgroups.engines import open_engine
from dupgroups.metrics import METRICS
from dupgroups.scrapy.meters import listen
from dupgroups_filter.grouper import Progress
from dupgroups_filter.metrics import Metrics
from processes import free_port
from stories import reprints
from watched import Watched, away

ROOT = Path(__file__).parents[1]
DOCKER = ROOT / "docker"
OF_PROMETHEUS = {"up"}
ADDED_LABELS = {"job", "instance", "le"}

RULES = [
    rule
    for group in yaml.safe_load((DOCKER / "prometheus" / "alerts.yaml").read_text("utf-8"))["groups"]
    for rule in group["rules"]
]
DASHBOARD = json.loads((DOCKER / "grafana" / "dup-groups.json").read_text("utf-8"))
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [rule["expr"] for rule in RULES] + [
    target["expr"] for panel in PANELS for target in panel["targets"]
]


@pytest.fixture(scope="module")
def scraped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, str]]]:
    """The labels of every series of a search page and of a crawl, by name."""
    with closing(open_engine("memory://")) as engine:
        deduper = Deduper(engine)
        deduper.add_all(reprints(2, 3).values())
        deduper.settle()
        with serving(engine) as site:
            for path in ("/", "/api/search?q=ferry", "/nosuch"):
                site.get(path)
            texts = [site.get("/metrics").text]
    port = free_port()
    stop = listen("127.0.0.1", port, deduper.metered, {"new": 1}, tmp_path_factory.mktemp("crawl") / "dead")
    with build_opener(ProxyHandler({})).open(f"http://127.0.0.1:{port}/metrics") as answer:
        texts.append(answer.read().decode())
    stop()
    texts.append(Metrics(Progress().figures).text().decode())
    found: dict[str, list[dict[str, str]]] = {}
    for served in texts:
        for family in text_string_to_metric_families(served):
            for sample in family.samples:
                found.setdefault(sample.name, []).append(sample.labels)
    return found


def selectors(expression: str) -> Iterator[Any]:
    """The series that an expression selects; a parser of PromQL says whether it is one."""
    below = [promql_parser.parse(expression)]
    while below:
        part = below.pop()
        if isinstance(part, promql_parser.VectorSelector):
            yield part
        names = ("lhs", "rhs", "expr", "param", "vector_selector")
        below += [getattr(part, name) for name in names if getattr(part, name, None) is not None]
        below += getattr(part, "args", None) or []


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_selects_series_that_are_served(
    expression: str, scraped: dict[str, list[dict[str, str]]]
) -> None:
    found = list(selectors(expression))
    assert found
    for selector in found:
        if selector.name in OF_PROMETHEUS:
            continue
        assert selector.name in scraped
        labels = {name for series in scraped[selector.name] for name in series}
        matchers = selector.matchers.matchers
        assert {matcher.name for matcher in matchers} <= labels | ADDED_LABELS
        for matcher in matchers:
            values = {series.get(matcher.name) for series in scraped[selector.name]}
            if matcher.name not in (*ADDED_LABELS, "status"):  # nothing has failed here
                assert any(re.fullmatch(matcher.value, str(value)) for value in values), matcher.value


def test_every_metric_is_served_and_documented(scraped: dict[str, list[dict[str, str]]]) -> None:
    served = {re.sub("_(bucket|count|sum)$", "", name) for name in scraped}
    assert {name for name in served if name.startswith("dupgroups_")} <= METRICS.keys() <= served
    text = (ROOT / "docs" / "how-to" / "monitoring.md").read_text("utf-8")
    assert [name for name in METRICS if f"| `{name}` |" not in text] == []
    assert [label for metric in METRICS.values() for label in metric.labels if f"`{label}`" not in text] == []


# -- what a search page serves


def test_an_engine_that_is_away_is_a_figure_and_not_an_error() -> None:
    with (
        closing(open_engine("memory://")) as engine,
        serving(Watched(engine, statistics=away)) as site,  # type: ignore[arg-type]
    ):
        answer = site.get("/metrics")
    assert answer.status == 200
    assert "dupgroups_engine_up 0.0" in answer.text
    assert not re.search("^dupgroups_(documents|groups|redirects)", answer.text, re.MULTILINE)


def test_requests_are_counted_by_handler_and_never_by_address() -> None:
    with closing(open_engine("memory://")) as engine, serving(engine) as site:
        for path in ("/", "/?q=a", "/groups/a", "/groups/b", "/login.php", "/static/style.css", "/?mode=x"):
            site.get(path)
        text = site.get("/metrics").text
    counted = dict(re.findall(r"dupgroups_http_requests_total\{(.*)\} (\d+)", text))
    assert counted == {
        'route="search",status="200"': "2",
        'route="search",status="400"': "1",
        'route="group",status="404"': "2",
        'route="other",status="404"': "1",
        'route="other",status="200"': "1",
    }
