"""`python docs/figures.py [FOLDER...]`: write the tables of the docs again, from packs in these folders.

The head of each table stands in a comment before it:

    <!-- figures
    command: evaluate cedar --docs PACK/docs.jsonl.gz --labels PACK/pairs.csv
    across: en-fnc; zh-events --size 4
    table: table 1
    once: paper's AU-ROC
    columns: AU-ROC; best F1
    holds: auto; - reference; en-fnc; = 0
    -->

    |...|

| field | meaning |
|---|---|
| command | what is typed after `dup-groups`; PACK stands for the first word of each part of `across` |
| across  | what makes the columns: `PACK OPTIONS`, `LABEL = PACK OPTIONS` |
| down    | what makes the rows: `LABEL = OPTIONS`; without it, the rows of the table do |
| table   | how the first head of the table begins, by default the first; `claims`: see below |
| rows    | the rows to show; without it, all |
| once    | columns that are the same everywhere, shown first |
| columns | the other columns to show; without it, all |
| star    | the column whose `*` is put behind the last of the others |
| turned  | `yes`: rows become columns before anything is chosen |
| holds   | `ROW; COLUMN; LABEL; CONDITION`, what the text says; `*` is every label; may be repeated |

Without `command` or `across`, a block has that of the block above, if there is a PACK. In a command, `TEMP/`
is a temporary folder, `'toml:TEXT'` a file with this text, and `&&` comes between two. A condition is `< 0`,
`> 0` or `= 0`, with any number: the interval of the cell is below, above, or holds it.
`<!-- weights: 0a1b2c3d -->` has a digest of the weights and defaults that the figures of the page come from.

The rows of a table of claims begin `|the paper says|its figure|measured by|must be|`, written by hand; our
figures and the verdict follow. `measured by` is `COMMAND` TABLE; ROW; COLUMN; LABEL.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from itertools import groupby
from pathlib import Path

from typer.main import get_command

from dupgroups.cli.console import app
from dupgroups.errors import DupGroupsError, InputError, LeftOutError
from dupgroups.methods.default_methods import DEFAULT_METHODS
from dupgroups_lab.commands.printed_tables import keep_tables
from dupgroups_lab.measures.tabulated import Tabulated

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKED = re.compile(r"<!-- figures\n((?s:.*?))\n-->\n(?:\n((?:\|.*\n)+))?")
WEIGHTS = re.compile(r"<!-- weights: (\w*) -->")
FIELDS = "command across down table rows once columns star turned".split()
CLAIMS = "claims"
CLAIM_COLUMNS = ("the paper says", "its figure", "measured by", "must be", "ours", "holds")


@dataclass(frozen=True)
class Runner:
    """Runs commands, each once, on the packs of these names; `TEMP` is the folder of files in between."""

    packs: Mapping[str, Path]
    results: dict[tuple[str, ...], list[Tabulated]] = field(default_factory=dict)

    def missing(self, block: Block) -> set[str]:
        """The packs that its commands name and that are not there."""
        words = {word for _, typed in block.commands() for word in typed}
        return {word.split("/")[0] for word in words if "/" in word and word[:5] != "toml:"} - {*self.packs}

    def run(self, typed: Sequence[str]) -> list[Tabulated]:
        """The tables that a command prints that is typed as these words."""
        words = tuple(map(self._place, typed))
        if words not in self.results:
            for is_between, command in groupby(words, lambda word: word == "&&"):
                with keep_tables() as tables, redirect_stdout(StringIO()):
                    if not is_between:
                        with suppress(LeftOutError):  # some packs have html of few texts
                            get_command(app).main(list(command), "dup-groups", standalone_mode=False)
                        self.results[words] = tables
        return self.results[words]

    def _place(self, word: str) -> str:
        """The word with the paths of packs and files; `toml:TEXT` is written into a file."""
        if word.startswith("toml:"):
            path = self.packs["TEMP"] / f"{sha256(word.encode()).hexdigest()}.toml"
            text = word.removeprefix("toml:").replace("\\n", "\n")
            path.write_text(text.replace("TEMP/", f"{self.packs['TEMP']}/"), encoding="utf-8")
            return str(path)
        name, slash, rest = word.partition("/")
        return str(self.packs[name] / rest) if slash and name in self.packs else word


@dataclass(frozen=True)
class Block:
    """The head of a table: the value of each of `FIELDS` ("" without), and what must hold."""

    fields: Mapping[str, str]
    holds: Sequence[Sequence[str]]

    @classmethod
    def of_page(cls, text: str) -> list[tuple[re.Match[str], Block]]:
        """The marked tables of a page, each with its block. Raises InputError for an unknown field."""
        blocks: list[tuple[re.Match[str], Block]] = []
        for found in MARKED.finditer(text):
            blocks.append((found, cls._parse(found[1], blocks[-1][1].fields if blocks else {})))
        return blocks

    @classmethod
    def _parse(cls, head: str, above: Mapping[str, str]) -> Block:
        fields, holds = dict.fromkeys(FIELDS, ""), []
        for line in head.split("\n"):
            name, _, value = (part.strip() for part in line.partition(":"))
            if name == "holds" and len(parts_of(value)) == 4:
                holds.append(parts_of(value))
            elif fields.get(name) == "":
                fields[name] = value
            else:
                raise InputError(f"{line!r} is no field of the head of a table: {', '.join(FIELDS)}, holds")
        fields["command"] = fields["command"] or above.get("command", "")
        if "PACK" in fields["command"]:
            fields["across"] = fields["across"] or above.get("across", "")
        return cls(fields, holds)

    def parts(self, name: str) -> list[str]:
        """The parts of a field."""
        return parts_of(self.fields[name])

    @property
    def name(self) -> str:
        """How a claim names it."""
        return f"`{' '.join(self.fields['command'].split()[:2])}` {self.fields['table']}".strip()

    def commands(self) -> Iterator[tuple[tuple[str, str], list[str]]]:
        """The words of each command, after the labels of its rows and of its columns."""
        given = shlex.split(self.fields["command"])
        for row, options in map(_labelled, self.parts("down") or [""]):
            for column, words in map(_labelled, self.parts("across") or [""]):
                pack, others = (words[0], words[1:]) if words else ("PACK", words)
                yield (row, column), [word.replace("PACK", pack) for word in (*given, *options, *others)]

    def table_of(self, tables: Sequence[Tabulated]) -> Tabulated:
        """The table to show of those that a command prints."""
        named = (table for table in tables if table.columns[0].startswith(self.fields["table"]))
        found = next(named, None)
        if found is None:
            known = "; ".join(table.columns[0] for table in tables) or "none"
            raise InputError(f"it prints no table {self.fields['table']!r}; it prints {known}")
        return found.turned if self.fields["turned"] else found


class Shown:
    """The tables of a block by the labels of their rows and columns."""

    def __init__(self, block: Block, runner: Runner) -> None:
        self.block = block
        self.tables = {labels: block.table_of(runner.run(words)) for labels, words in block.commands()}
        self.across = list(dict.fromkeys(column for _, column in self.tables))

    def failures(self) -> list[str]:
        """A sentence for each condition that does not hold."""
        return [
            f"{row}, {column}, {each}: {cell} is not {condition}"
            for row, column, label, condition in self.block.holds
            for each, cell in self.cells(row, column, label)
            if not fulfils(cell, condition)
        ]

    def lines(self) -> Iterator[list[str]]:
        """The head and the rows of the table that is shown."""
        first = next(iter(self.tables.values()))
        once = self.block.parts("once")
        columns = self.block.parts("columns") or [name for name in first.columns[1:] if name not in once]
        heads = self.across if len(self.across) > 1 else columns
        name = "" if self.block.parts("down") else first.columns[0].rpartition(": ")[2]
        yield [name, *once, *heads]
        for name, label, row in self._rows():
            tables = [self.tables[label, column] for column in self.across]
            cells = [self._short(table, row, columns) for table in tables]
            joined = ["/".join(parts) for parts in cells] if len(cells) > 1 else cells[0]
            yield [name, *(tables[0].cell(row, column) for column in once), *joined]

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        """The name that is shown of each row, the label of its table, and its name there."""
        for label in dict.fromkeys(label for label, _ in self.tables):
            rows = self.block.parts("rows") or [row[0] for row in self.tables[label, self.across[0]].rows]
            for row in rows:
                yield (label if label and len(rows) == 1 else f"{label}, {row}" if label else row), label, row

    def _short(self, table: Tabulated, row: str, columns: Iterable[str]) -> list[str]:
        star = self.block.fields["star"]
        short = [without_interval(table.cell(row, column)).rstrip("*") for column in columns]
        return [*short[:-1], short[-1] + "*" * bool(star and table.cell(row, star).endswith("*"))]

    def cells(self, name: str, column: str, label: str) -> Iterator[tuple[str, str]]:
        """The cells of a row and column by their labels: of this one, or of all for "*"."""
        found = {shown: (of, row) for shown, of, row in self._rows()}.get(name)
        if not found or label not in {*self.across, "*"}:
            raise InputError(f"there is no row {name!r} of {label!r} of which anything could hold")
        for each in self.across if label == "*" else [label]:
            yield each, self.tables[found[0], each].cell(found[1], column)


def judged(table: str, blocks: Sequence[Block], runner: Runner) -> str:
    """The table of claims with our figures, and whether it holds for them.

    Raises InputError for a row that names no figure of these blocks.
    """
    claims = [line for line in table.splitlines() if not line.startswith((f"|{CLAIM_COLUMNS[0]}|", "|---"))]
    rows = (line.strip("|").split("|")[:4] for line in claims)
    return markdown([CLAIM_COLUMNS, *((*row, *_verdict(row, blocks, runner)) for row in rows)])


def _verdict(row: Sequence[str], blocks: Sequence[Block], runner: Runner) -> tuple[str, str]:
    place = parts_of(row[2]) if len(row) == 4 else []
    block = next((block for block in blocks if [block.name] == place[:1]), None)
    if len(place) != 4 or not block:
        known = "CLAIM|FIGURE|`COMMAND` TABLE; ROW; COLUMN; LABEL|CONDITION"
        raise InputError(f"{'|'.join(row)!r} is not {known} of a table of this page")
    cells = dict(Shown(block, runner).cells(*place[1:]))
    held = [fulfils(cell, row[3]) for cell in cells.values()]
    ours = "; ".join(f"{label} {without_interval(cell)}" for label, cell in cells.items())
    verdict = "yes" if all(held) else f"on {sum(held)} of {len(held)}" if any(held) else "no"
    return ours.replace("*", r"\*"), verdict


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """A table of these rows, the first of which is its head."""
    lines = ["|".join(["", *cells, "\n"]) for cells in rows]
    lines.insert(1, "|---" * (lines[0].count("|") - 1) + "|\n")
    return "".join(lines)


def without_interval(cell: str) -> str:
    """A figure without its interval or deviation; a `*` stays."""
    return re.sub(r" (\[[^]]*\]|± [^*]*)", "", cell)


def fulfils(cell: str, condition: str) -> bool:
    """Whether the interval of a cell, or its number, fulfils the condition; an empty cell fulfils none."""
    given = re.fullmatch(r"([<>=]) (-?[\d.]+)", condition)
    if not given:
        raise InputError(f"{condition!r} is no condition: give <, > or =, a blank, and a number")
    interval = re.search(r"\[(.*), (.*)\]", cell)
    number = re.match(r"[-+]?[\d,.]+", cell)
    if not number:
        return False
    low, high = map(float, interval.groups() if interval else [number[0].replace(",", "")] * 2)
    limit = float(given[2])
    return {"<": high < limit, ">": low > limit, "=": low <= limit <= high}[given[1]]


def parts_of(text: str) -> list[str]:
    """The texts between semicolons."""
    return [part.strip() for part in text.split(";") if part.strip()]


def _labelled(part: str) -> tuple[str, list[str]]:
    """A label and what is typed, from `LABEL = WORDS`; the label is the first word without one."""
    label, equals, words = f"{part} ".partition(" = ")
    typed = shlex.split(words if equals else part)
    return (label.strip() if equals else "".join(typed[:1])), typed


@cache
def weights() -> str:
    """A digest of the weights and word lists of the packages, and of the default methods."""
    digest = sha256(repr(DEFAULT_METHODS).encode())
    for package in ("dupgroups", "dupgroups_papers"):
        room = Path(str(files(package)))
        kinds = ("*.npz", "*.json", "*.tsv", "*.txt")
        for path in sorted(path for kind in kinds for path in room.rglob(kind)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def write_page(path: Path, runner: Runner) -> list[str]:
    """Write the tables of a page; gives what does not hold. A table whose packs lack stays as it is."""
    text, failures, complete = path.read_text(encoding="utf-8"), list[str](), True
    marked = Block.of_page(text)
    measured = [block for _, block in marked if block.fields["table"] != CLAIMS]
    for match, block in reversed(marked):
        is_claims = block.fields["table"] == CLAIMS
        missing = {pack for other in (measured if is_claims else [block]) for pack in runner.missing(other)}
        print(f"{path}: {block.name}", *(f"lacks {pack}" for pack in sorted(missing)), file=sys.stderr)
        complete = complete and not missing
        if missing:
            continue
        try:
            if is_claims:
                table = judged(match[2] or "", measured, runner)
            else:
                shown = Shown(block, runner)
                table = markdown(shown.lines())
                failures += shown.failures()
        except DupGroupsError as error:
            failures.append(f"{path}: {block.name}: {error}")
            complete = False
            continue
        text = f"{text[: match.start()]}<!-- figures\n{match[1]}\n-->\n\n{table}{text[match.end() :]}"
        path.write_text(text, encoding="utf-8")
    if complete:
        path.write_text(WEIGHTS.sub(f"<!-- weights: {weights()} -->", text), encoding="utf-8")
    return failures


def write_pages(pages: Iterable[Path], folders: Iterable[Path]) -> list[str]:
    """Write the tables of pages from the packs in folders; gives what does not hold."""
    packs = {pack.name: pack for folder in folders for pack in sorted(folder.iterdir()) if pack.is_dir()}
    with tempfile.TemporaryDirectory() as made:
        runner = Runner({**packs, "TEMP": Path(made)})
        return [failure for page in pages for failure in write_page(page, runner)]


if __name__ == "__main__":
    sys.exit("\n".join(write_pages(PAGES, map(Path, sys.argv[1:]))))
