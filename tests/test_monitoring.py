"""The dashboard and the alert rules in docker/ name what a search page and a crawl really serve."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import promql_parser
import pytest
import yaml
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from browser.serving import serving
from dupgroups import Deduper
from dupgroups.engines import open_engine
from dupgroups.metrics import METRICS
from dupgroups.scrapy.pipeline import listen
from dupgroups_filter.grouper import Progress
from dupgroups_filter.metrics import Metrics
from processes import free_port
from stories import reprints
from watched import Watched, away

ROOT = Path(__file__).parents[1]
DOCKER = ROOT / "docker"
RULES = yaml.safe_load((DOCKER / "prometheus" / "alerts.yaml").read_text("utf-8"))["groups"]
PANELS = json.loads((DOCKER / "grafana" / "dup-groups.json").read_text("utf-8"))["panels"]
EXPRESSIONS = [rule["expr"] for group in RULES for rule in group["rules"]]
EXPRESSIONS += [target["expr"] for panel in PANELS for target in panel.get("targets", [])]


@pytest.fixture(scope="module")
def scraped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The labels of every series of a search page, of a crawl and of a filter, by name."""
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
    texts.append(generate_latest(Metrics(Progress().figures).registry).decode())
    found: dict[str, set[str]] = {}
    for family in (family for served in texts for family in text_string_to_metric_families(served)):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_every_expression_selects_series_that_are_served(scraped: dict[str, set[str]]) -> None:
    assert len(EXPRESSIONS) > 20
    for expression in EXPRESSIONS:
        promql_parser.parse(expression)
        for name, matchers in re.findall(r"\b(dupgroups_\w+)(?:\{([^}]*)\})?", expression):
            assert name in scraped, expression
            labels = set(re.findall(r"(\w+)\s*[=!]", matchers))
            assert labels <= scraped[name] | {"job", "instance", "le"}, expression


def test_every_metric_is_served_and_documented(scraped: dict[str, set[str]]) -> None:
    served = {re.sub("_(bucket|count|sum)$", "", name) for name in scraped}
    assert {name for name in served if name.startswith("dupgroups_")} <= METRICS.keys() <= served
    text = (ROOT / "docs" / "how-to" / "monitoring.md").read_text("utf-8")
    assert [name for name in METRICS if f"| `{name}` |" not in text] == []
    assert [label for metric in METRICS.values() for label in metric.labels if f"`{label}`" not in text] == []


def test_an_engine_that_is_away_is_a_figure_and_requests_are_counted_by_handler() -> None:
    with (
        closing(open_engine("memory://")) as engine,
        serving(Watched(engine, statistics=away)) as site,  # type: ignore[arg-type]
    ):
        for path in ("/", "/?q=a", "/groups/a", "/login.php", "/static/style.css", "/?mode=x"):
            site.get(path)
        answer = site.get("/metrics")
    assert answer.status == 200
    assert "dupgroups_engine_up 0.0" in answer.text
    assert not re.search("^dupgroups_(documents|groups|redirects)", answer.text, re.MULTILINE)
