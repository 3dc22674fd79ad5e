"""`dup-groups evaluate page`: the tables of a Markdown page, written by the commands that it names."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from dupgroups.cli.output import stdout
from dupgroups.errors import DupGroupsError
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.tables import kept
from dupgroups_lab.measures.tables import Tabulated
from dupgroups_lab.reports.claims import CLAIMS, judged
from dupgroups_lab.reports.marked_tables import WEIGHTS, Block

_MADE = "TEMP"  # the folder of files that one command writes and another one reads
_TOML = "toml:"
_WEIGHTS = ("*.npz", "*.json", "*.txt")


@evaluate.command("page")
def page(
    pages: Annotated[
        list[Path], typer.Argument(help="Markdown files.", metavar="PAGE.md...", exists=True, dir_okay=False)
    ],
    packs: Annotated[
        list[Path],
        typer.Option(
            "--packs", help="Folder with packs; may be repeated.", metavar="DIR", exists=True, file_okay=False
        ),
    ],
) -> None:
    """Write the tables of a Markdown page again, by the commands in the comments before them.

    A table whose packs are not there stays as it is. Exits with 1 if something does not hold that a comment
    says of its figures. `dupgroups_lab.reports.marked_tables` explains the comments. Example:

        dup-groups evaluate page report.md --packs data
    """
    known = {pack.name: pack for folder in packs for pack in sorted(folder.iterdir()) if pack.is_dir()}
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        runner = _Runner({**known, _MADE: Path(made)})
        for path in pages:
            failures += [f"{path}: {sentence}" for sentence in _rewrite(path, runner)]
    for failure in failures:
        stdout().print(failure, style="red", soft_wrap=True)
    if failures:
        raise typer.Exit(1)


def _rewrite(path: Path, runner: _Runner) -> list[str]:
    """Write the tables of a page; gives what does not hold."""
    text, failures, complete = path.read_text(encoding="utf-8"), list[str](), True
    marked = Block.of_page(text)
    measured = [block for _, block in marked if block.fields["table"] != CLAIMS]
    for match, block in reversed(marked):
        start, claims = perf_counter(), block.fields["table"] == CLAIMS
        if missing := {pack for one in (measured if claims else [block]) for pack in runner.missing(one)}:
            names = ", ".join(sorted(missing))
            typer.echo(f"{path}: left as it is for want of {names}: {_named(block)}", err=True)
            complete = False
            continue
        try:
            table, failed = (judged(match[2], measured, runner), []) if claims else block.written(runner)
        except DupGroupsError as error:
            failures.append(f"{_named(block)}: {error}")
            complete = False
            continue
        failures += failed
        text = f"{text[: match.start()]}<!-- figures\n{match[1]}\n-->\n\n{table}{text[match.end() :]}"
        path.write_text(text, encoding="utf-8")
        typer.echo(f"{path}: {perf_counter() - start:.1f} s, {_named(block)}", err=True)
    if complete:
        path.write_text(WEIGHTS.sub(f"<!-- weights: {weights()} -->", text), encoding="utf-8")
    return failures


def _named(block: Block) -> str:
    return f"{block.fields['command'][:60]}... {block.fields['table']}"


def weights() -> str:
    """A digest of the weights and word lists of the packages, and of the default methods."""
    from dupgroups.methods.default_methods import DEFAULT_METHODS

    digest = sha256(repr(DEFAULT_METHODS).encode())
    for package in ("dupgroups", "dupgroups_papers"):
        room = Path(str(files(package)))
        for path in sorted(path for pattern in _WEIGHTS for path in room.rglob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


@dataclass(frozen=True)
class _Runner:
    """Runs commands, each once, on the packs of these names."""

    packs: Mapping[str, Path]
    results: dict[tuple[str, ...], list[Tabulated]] = field(default_factory=dict)

    def missing(self, block: Block) -> set[str]:
        """The packs that its commands name and that are not there."""
        words = {word for _, typed in block.commands() for word in typed}
        named = {word.split("/")[0] for word in words if "/" in word and not word.startswith(_TOML)}
        return named - self.packs.keys()

    def __call__(self, typed: Sequence[str]) -> list[Tabulated]:
        from typer.main import get_command

        from dupgroups.cli.console import app

        words = tuple(map(self._place, typed))
        if words not in self.results:
            for _, command in groupby(words, lambda word: word == "&&"):
                with kept() as tables, redirect_stdout(StringIO()):
                    if (given := list(command)) != ["&&"]:
                        get_command(app).main(given, "dup-groups", standalone_mode=False)
                        self.results[words] = tables
        return self.results[words]

    def _place(self, word: str) -> str:
        """The word with the paths of packs and files; `toml:TEXT` is written into a file."""
        if word.startswith(_TOML):
            path = self.packs[_MADE] / f"{sha256(word.encode()).hexdigest()}.toml"
            text = word.removeprefix(_TOML).replace("\\n", "\n").replace(f"{_MADE}/", f"{self.packs[_MADE]}/")
            path.write_text(text, encoding="utf-8")
            return str(path)
        name, slash, rest = word.partition("/")
        return str(self.packs[name] / rest) if slash and name in self.packs else word
