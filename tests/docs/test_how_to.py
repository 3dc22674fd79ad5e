"""What the docs say of commands, options, settings and error sentences is what the code has."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from typer import Context
from typer.main import get_command

import dupgroups.cli  # noqa: F401 - registers the commands
from docs.blocks import ROOT
from dupgroups.cli.console import app
from dupgroups.scrapy.pipeline_settings import PREFIX, SETTINGS

DOCS = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
TROUBLES = ROOT / "docs" / "how-to" / "troubleshooting.md"
COMMANDS: Any = get_command(app)
IN_ENVIRONMENT = {f"{PREFIX}ENGINE_{name}" for name in ("USER", "PASSWORD", "API_KEY")} | {
    *(f"{PREFIX}TOKEN_FILE", f"{PREFIX}ALERT_TO")  # of `serve`, of `alert`
}


def code(path: Path) -> Iterator[str]:
    """The lines of all code of a document, fenced, indented and inline."""
    for token in _flat(MarkdownIt().parse(path.read_text(encoding="utf-8"))):
        if token.type in ("fence", "code_block", "code_inline"):
            yield from token.content.replace("\\\n", " ").splitlines()


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])


def commands(path: Path) -> Iterator[list[str]]:
    """What is typed after `dup-groups`, cut at the next command of the line."""
    for line in code(path):
        for typed in re.findall(r"(?:^|&& |\|\| |/)dup-groups (?!-)([^&|]*)", line.strip()):
            yield shlex.split(typed, comments=True)


def test_the_first_page_leads_to_every_task() -> None:
    linked = set(re.findall(r"\]\(how-to/([\w-]+\.md)\)", (ROOT / "docs" / "index.md").read_text("utf-8")))
    assert linked == {path.name for path in (ROOT / "docs" / "how-to").glob("*.md")}


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_command_option_and_setting_exists(path: Path) -> None:
    for typed in commands(path):
        command, arguments = command_of(typed)
        opts = ((*parameter.opts, *parameter.secondary_opts) for parameter in command.params)
        options = {option for names in opts for option in names} | {"--help"}
        assert {word.partition("=")[0] for word in arguments if word.startswith("--")} <= options, typed
    settings = {name for line in code(path) for name in re.findall(rf"\b{PREFIX}[A-Z_]*[A-Z]\b", line)}
    assert settings <= {*(PREFIX + name for name in SETTINGS), *IN_ENVIRONMENT}


def command_of(typed: list[str]) -> tuple[Any, list[str]]:
    """The command that is meant, and what follows its name."""
    command, words = COMMANDS, list(typed)
    while words and hasattr(command, "get_command"):
        command = command.get_command(Context(command), words.pop(0))
        assert command, f"there is no command dup-groups {shlex.join(typed)}"
    return command, words


def sentences() -> frozenset[str]:
    """Every string of the sources; `...` stands for what is filled in."""
    sources = [path for name in ("pipelines", "es_plugin_py") for path in (ROOT / name).rglob("*.py")]
    nodes = [node for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    return frozenset(map(_string, nodes))


def _string(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_string(part) or "..." for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


TROUBLE = [line[4:] for line in TROUBLES.read_text("utf-8").splitlines() if line.startswith("### ")]


def test_every_trouble_is_one_that_users_meet() -> None:
    assert TROUBLE
    known = sentences()
    for sentence in TROUBLE:
        parts = [part.strip() for part in sentence.split("...") if part.strip()]
        assert parts
        assert any(all(part in one for part in parts) for one in known), sentence


def test_the_page_of_the_api_begins_with_what_users_call() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    order = ["extract, ", "flow.deduper.Deduper", "engines.open_engine", "## Internals", "Record, Signature"]
    assert sorted(order, key=page.index) == order
