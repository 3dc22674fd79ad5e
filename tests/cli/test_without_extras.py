"""The commands of a plain `pip install dup-groups`: the packages of every extra are hidden from them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from commands import news
from dupgroups import Page
from dupgroups.cli.console import app

EXTRAS = {
    "scrapy": {"scrapy", "itemadapter", "twisted", "fastwarc"},
    "elasticsearch": {"elasticsearch"},
    "opensearch": {"opensearchpy"},
    "web": {"starlette", "itsdangerous", "jinja2", "uvicorn", "babel"},
    "parquet": {"pyarrow"},
    "spark": {"pyspark", "pandas", "pyarrow"},
    "warc": {"fastwarc"},
    "filter": {"aiohttp", "uvloop"},
    "entities": {"spacy"},
    "lab": {"scipy"},
}
"""The modules that each extra brings; those of no extra are hidden from a plain installation."""
HIDING = """
import json
import sys

hidden, commands = json.load(sys.stdin)

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
from typer.testing import CliRunner
from dupgroups.cli.console import app

for words in commands:
    ended = CliRunner().invoke(app, words)
    print(json.dumps([ended.exit_code, ended.output, repr(ended.exception)]))
"""
NAMES = set(get_command(app).list_commands(None))  # type: ignore[attr-defined, arg-type]
TEXT = (
    "The night ferry to Orlan was stopped on Tuesday, the harbour office said. Its captain had reported "
    "smoke in the engine room shortly after midnight. All 84 passengers were taken ashore in boats before "
    "the fire was put out. The line will send another ship on Thursday, and tickets stay valid until May."
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
    "stories": "copies_an_hour",
    "stats": "last seen",
    "keep-apart 1 1.1 --by me": "are kept apart",
    "corrections": "by me",
    "undo 1 --by me": "number 1 is undone",
    "doctor": "ok",
}
"""What is typed, and a part of what is printed."""


OTHERS = """
add docs.jsonl
add docs.parquet
add docs.warc
alert --rule copies>=2 --to alerts.jsonl
backfill
calibrate docs.jsonl --labels labels.csv --out out.toml
delete 1 --dry-run
demo
evaluate duplicates --docs docs.jsonl --labels labels.csv
explain a.html b.html
extract a.html
filter --listen nowhere
follow
frames
frequencies docs.jsonl --out idf.npz
find a.html
find docs.jsonl
group docs.jsonl --out out.csv
group docs.jsonl --out out.parquet
group docs.parquet --out out.csv
head 1 --by me
keep-together 1 1.1 --by me
label --host nowhere.invalid --answers out.db
methods
replay
rollover
search x --engine opensearch://127.0.0.1:1/news --limit 0
search x --engine elasticsearch://127.0.0.1:1/news --limit 0
serve --host nowhere.invalid
regroup
sign
train articles pack --out tree.json
--help
""".strip().splitlines()
"""Every other command, and what it needs an extra for; some end with a sentence in any installation."""
OF_ENGINES = {
    *("add", "alert", "backfill", "corrections", "delete", "doctor", "explain", "filter", "find", "follow"),
    *("frames", "groups", "head"),
    *("keep-apart", "keep-together", "label", "replay", "rollover", "search", "serve", "regroup", "stats"),
    *("stories", "undo"),
}
SENTENCES = ("ConfigError", "EngineError", "InputError", "MissingExtraError", "MissingIndexError")


def without_extras(
    commands: list[str], url: str, folder: Path, extra: str = ""
) -> list[tuple[int, str, str]]:
    """The exit status, output and exception of each command, all in one process; with one extra, if any."""
    words = [
        [*command.split(), *(["--engine", url] if command.split()[0] in OF_ENGINES else [])]
        for command in commands
    ]
    hidden = set().union(*EXTRAS.values()) - EXTRAS.get(extra, set())
    place = {**os.environ, "HOME": str(folder)}  # numbers of the last search are kept below it
    ended = subprocess.run(
        [sys.executable, "-c", HIDING],
        input=json.dumps([[*hidden], words]),
        capture_output=True, text=True, cwd=folder, env=place, check=True,
    )  # fmt: skip
    return [tuple(json.loads(line)) for line in ended.stdout.splitlines()]


def test_what_needs_an_extra_names_it(tmp_path: Path) -> None:
    needed = {"serve": "web", "demo": "scrapy,web"}
    made = without_extras([*needed], news(tmp_path, PAGES), tmp_path)
    for extra, (status, _, exception) in zip(needed.values(), made, strict=True):
        assert status == 1
        assert f"pip install 'dup-groups[{extra}]'" in exception


@pytest.mark.whole
@pytest.mark.parametrize(
    "extra",
    [
        "",
        *(
            pytest.param(extra, marks=pytest.mark.slow)
            for extra in sorted(EXTRAS.keys() - {"spark", "entities"})
        ),  # of these two no command knows
    ],
)
def test_every_command_gives_a_result_or_a_sentence_with_any_extra_alone(tmp_path: Path, extra: str) -> None:
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps({"text": page.text}) + "\n" for page in PAGES))
    (tmp_path / "labels.csv").write_text("a,b,label\nline 1,line 2,duplicate\n")
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(f"<p>{TEXT}</p>")
    for name in ("docs.parquet", "docs.warc"):
        (tmp_path / name).write_bytes(b"")
    typed = [*COMMANDS, *OTHERS]
    assert {command.split()[0] for command in typed} >= NAMES
    made = without_extras(typed, news(tmp_path, PAGES), tmp_path, extra)
    for command, (status, output, exception) in zip(typed, made, strict=True):
        kind, _, message = exception.partition("(")
        assert kind in ("None", "SystemExit", *SENTENCES), (command, output, exception)
        if shown := COMMANDS.get(command):  # reading and correcting needs no extra
            assert (status, exception, shown in " ".join(output.split())) == (0, "None", True), output
        assert "cannot be loaded" not in output, (command, "is listed, and says what it needs")
        for needed in re.findall(r"dup-groups\[([a-z,]+)\]", message + output if status else ""):
            assert not {*needed.split(",")} <= {extra}, (command, exception)
