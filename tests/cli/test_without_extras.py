"""The commands of a plain `pip install dup-groups`: the packages of every extra are hidden from them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from commands import news
from dupgroups import Page

EXTRAS = (
    *("babel", "starlette", "jinja2", "itsdangerous", "uvicorn", "prometheus_client"),
    *("scrapy", "itemadapter", "fastwarc", "elasticsearch", "opensearchpy", "pyarrow", "pandas", "pyspark"),
    *("aiohttp", "uvloop", "cryptography", "spacy"),
)
HIDING = f"""
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
import json
from typer.testing import CliRunner
from dupgroups.cli import app

for words in json.load(sys.stdin):
    ended = CliRunner().invoke(app, words)
    print(json.dumps([ended.exit_code, ended.output, repr(ended.exception)]))
"""
TEXT = (
    "The night ferry to Orlan was stopped on Tuesday, the harbour office said. "
    "Its captain had reported smoke in the engine room shortly after midnight. "
    "All 84 passengers were taken ashore in boats before the fire was put out. "
    "The line will send another ship on Thursday, and tickets stay valid until May."
)
PAGES = [
    Page(f"https://{site}.example/ferry", text=TEXT + end, title="Night ferry stopped", date=date)
    for site, date, end in (
        ("dalry", "2026-03-04T10:05:00Z", ""),
        ("orlan", "2026-03-04T11:00:00Z", " An inquiry has begun."),
    )
]
COMMANDS = {
    "search ferry --copies": "1 story in 2 documents",
    "search ferry --json": '"histogram"',
    "explain 1": "on 4 March 2026, 10:05 UTC, 55 minutes before orlan.example",
    "explain 1 1.1": "One story",
    "explain 1 --json": '"spread"',
    "groups --spread": "minutes",
    "stats": "last seen",
    "keep-apart 1 1.1 --by me": "are kept apart",
    "corrections": "by me",
    "undo 1 --by me": "undoes correction 1",
    "doctor": "ok",
}
"""What is typed, and a part of what is printed."""


def without_extras(commands: list[str], url: str, folder: Path) -> list[tuple[int, str, str]]:
    """The exit status, output and exception of each command, all in one process."""
    words = [[*command.split(), "--engine", url] for command in commands]
    place = {**os.environ, "HOME": str(folder)}  # numbers of the last search are kept below it
    ended = subprocess.run(
        [sys.executable, "-c", HIDING],
        input=json.dumps(words), capture_output=True, text=True, cwd=folder, env=place, check=True,
    )  # fmt: skip
    return [tuple(json.loads(line)) for line in ended.stdout.splitlines()]


def test_reading_and_correcting_needs_no_extra(tmp_path: Path) -> None:
    made = without_extras([*COMMANDS], news(tmp_path, PAGES), tmp_path)
    for (command, shown), (status, output, exception) in zip(COMMANDS.items(), made, strict=True):
        assert (status, exception) == (0, "None"), (command, output)
        assert shown in " ".join(output.split()), command


def test_what_needs_an_extra_names_it(tmp_path: Path) -> None:
    [(status, _, exception)] = without_extras(["serve"], news(tmp_path, PAGES), tmp_path)
    assert status == 1
    assert "pip install 'dup-groups[web]'" in exception
