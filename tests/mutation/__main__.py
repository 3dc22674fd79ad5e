"""`python -m mutation [ROOM...]`: mutate the rooms of `rooms.toml`, run their tests, print the survivors.

Mutmut does the work, on a copy in `build/mutants`: it changes one expression of a function at a time and runs
the tests that reach this function. It skips decorated functions and code outside of functions.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from mutation.results import Mutant, mutants, report, toml

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
BUILD = ROOT / "build" / "mutants"
SOURCES = ("pipelines/dupgroups", "pipelines/dupgroups_papers", "es_plugin_py/dupgroups_es")
MARKERS = ("server", "browser", "slow")

SETTINGS = """[tool.mutmut]
source_paths = ["src"]
only_mutate = {sources}
pytest_add_cli_args = ["-m", "not {markers}", "-p", "no:cacheprovider", "--hypothesis-profile", "mutants"]
pytest_add_cli_args_test_selection = {tests}
timeout_constant = 10.0
timeout_multiplier = 3.0
track_dependencies = false
use_git_change_detection = false

[tool.pytest.ini_options]
pythonpath = ["src", "tests"]
addopts = ["--import-mode=importlib", "--strict-markers"]
markers = {marks}
"""


def main() -> None:
    """Exit 1 when fewer than the target share are killed or accepted."""
    rules = toml(HERE / "rooms.toml")
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(rules["rooms"]))
    parser.add_argument("--processes", type=int, default=2, help="mutants tested at a time (%(default)s)")
    options = parser.parse_args()
    unknown = set(options.rooms) - set(rules["rooms"])
    if unknown:
        parser.error(f"unknown room {', '.join(sorted(unknown))}; known: {', '.join(rules['rooms'])}")
    results: list[Mutant] = []
    for name in options.rooms or rules["rooms"]:
        results += _of_room(name, rules["rooms"][name], options.processes)
    accepted = {(file, line) for file, line, _ in toml(HERE / "accepted.toml")["accepted"]}
    share, text = report(results, accepted)
    print(text)
    if share < rules["target"]:
        sys.exit(f"{share:.1%} of the mutants are killed or accepted; {rules['target']:.0%} have to be")


def _of_room(name: str, room: Mapping[str, list[str]], processes: int) -> list[Mutant]:
    """Mutate a fresh copy of the sources, with the tests of this room."""
    folder = BUILD / name
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    (folder / "src").mkdir(parents=True)
    for source in SOURCES:
        subprocess.run(["cp", "-r", str(ROOT / source), str(folder / "src")], check=True)
    subprocess.run(["cp", "-r", str(ROOT / "tests"), str(folder)], check=True)
    (folder / "pyproject.toml").write_text(
        SETTINGS.format(
            sources=[f"src/{source}" for source in room["sources"]],
            tests=[test for test in room["tests"] if (ROOT / test).exists()],
            markers=" and not ".join(MARKERS),
            marks=[f"{mark}: see pyproject.toml" for mark in MARKERS],
        )
    )
    log = folder / "mutmut.log"
    with log.open("w") as output:
        command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(processes)]
        ended = subprocess.run(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, check=False)
    if ended.returncode:
        sys.exit(f"mutmut failed on {name}: see {log}")
    return mutants(folder)


if __name__ == "__main__":
    main()
