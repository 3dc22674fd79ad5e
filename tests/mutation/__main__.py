"""`python -m mutation [ROOM...]`: mutate the rooms of `rooms.toml`, run their tests, print the survivors.

Mutmut does the work, on a copy in `build/mutants`: it changes one expression of a function at a time and runs
the tests that reach this function. It skips decorated functions and code outside of functions.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

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
    """Print the changes that no test noticed, of all rooms or of those named."""
    rooms = tomllib.loads((HERE / "rooms.toml").read_text("utf-8"))
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(rooms))
    parser.add_argument("--processes", type=int, default=2, help="mutants tested at a time (%(default)s)")
    options = parser.parse_args()
    if unknown := set(options.rooms) - set(rooms):
        parser.error(f"unknown room {', '.join(sorted(unknown))}; known: {', '.join(rooms)}")
    for name in options.rooms or rooms:
        print_survivors(mutated(name, rooms[name], options.processes))


def mutated(name: str, room: Mapping[str, list[str]], processes: int) -> Path:
    """The folder with a copy of the sources in which mutmut has run, with the tests of this room."""
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
    mutmut(folder, "run", "--max-children", str(processes))
    return folder


def print_survivors(folder: Path) -> None:
    """Their changes, and those of mutants that no test reaches."""
    found = re.findall(r"^ +(\S+): (survived|no tests|not checked)$", mutmut(folder, "results"), re.M)
    for name, fate in found:
        print(f"\n{name} {fate}")
        print(*re.findall(r"^[-+](?![-+]{2} ).*", mutmut(folder, "show", name), re.M), sep="\n")
    print(f"\n{folder.name}: {len(found)} not killed", flush=True)


def mutmut(folder: Path, *words: str) -> str:
    """The output of a command of mutmut."""
    command = [sys.executable, "-m", "mutmut", *words]
    ended = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if ended.returncode:
        sys.exit(f"mutmut {words[0]} failed in {folder}:\n{ended.stdout}")
    return ended.stdout


if __name__ == "__main__":
    main()
