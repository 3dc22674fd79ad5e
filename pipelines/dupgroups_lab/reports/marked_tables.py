"""Tables of a Markdown page that commands write: the head of each stands in a comment before it.

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
| table   | how the first head of the table begins, by default the first; `claims`: see `claims.py` |
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
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dupgroups.errors import InputError
from dupgroups_lab.measures.tables import Tabulated

MARKED = re.compile(r"<!-- figures\n((?s:.*?))\n-->\n(?:\n((?:\|.*\n)+))?")
WEIGHTS = re.compile(r"<!-- weights: (\w*) -->")
FIELDS = "command across down table rows once columns star turned".split()

Run = Callable[[Sequence[str]], Sequence[Tabulated]]
"""Gives the tables that a command prints that is typed as these words."""


@dataclass(frozen=True, slots=True)
class Block:
    """The head of a table: the value of each of `FIELDS` ("" without), and what must hold."""

    fields: Mapping[str, str]
    holds: Sequence[Sequence[str]]

    @classmethod
    def of_page(cls, text: str) -> list[tuple[re.Match[str], Block]]:
        """The marked tables of a page, each with its block. Raises InputError for a line that is no field.

        >>> heads = "command: a PACK\\nacross: x; y", "rows: z", "command: b"
        >>> blocks = Block.of_page("".join(f"<!-- figures\\n{head}\\n-->\\n" for head in heads))
        >>> [len([*block.commands()]) for _, block in blocks]
        [2, 2, 1]
        """
        blocks: list[tuple[re.Match[str], Block]] = []
        for found in MARKED.finditer(text):
            above = blocks[-1][1].fields if blocks else {}
            blocks.append((found, cls._parse(found[1], above)))
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
        command = fields["command"] or above.get("command", "")
        across = fields["across"] or (above.get("across", "") if "PACK" in command else "")
        return cls({**fields, "command": command, "across": across}, holds)

    def parts(self, name: str) -> list[str]:
        """The parts of a field."""
        return parts_of(self.fields[name])

    def commands(self) -> Iterator[tuple[tuple[str, str], list[str]]]:
        """The words of each command, after the labels of its rows and of its columns."""
        given = shlex.split(self.fields["command"])
        for row, options in map(_labelled, self.parts("down") or [""]):
            for column, words in map(_labelled, self.parts("across") or [""]):
                pack, others = (words[0], words[1:]) if words else ("PACK", words)
                yield (row, column), [word.replace("PACK", pack) for word in (*given, *options, *others)]

    def written(self, run: Run) -> tuple[str, list[str]]:
        """The table in Markdown, and a sentence for each condition that does not hold."""
        shown = self.shown(run)
        failures = [
            f"{row}, {column}, {each}: {cell} is not {condition}"
            for row, column, label, condition in self.holds
            for each, cell in shown.cells(row, column, label)
            if not fulfils(cell, condition)
        ]
        return markdown(shown.lines()), failures

    def shown(self, run: Run) -> Shown:
        """The tables that the commands print."""
        return Shown(self, {labels: self._chosen(run(words)) for labels, words in self.commands()})

    def _chosen(self, tables: Sequence[Tabulated]) -> Tabulated:
        name = self.fields["table"]
        found = [table for table in tables if table.columns[0].startswith(name)]
        found = [table.turned for table in found] if self.fields["turned"] else found
        if not found:
            known = "; ".join(table.columns[0] for table in tables) or "none"
            raise InputError(f"{self.fields['command']!r} prints no table {name!r}; it prints {known}")
        return found[0]


@dataclass(frozen=True, slots=True)
class Shown:
    """The tables of a block by the labels of their rows and columns."""

    block: Block
    tables: Mapping[tuple[str, str], Tabulated]

    def lines(self) -> Iterator[list[str]]:
        """The head and the rows of the table that is shown."""
        first = next(iter(self.tables.values()))
        once = self.block.parts("once")
        columns = self.block.parts("columns") or [name for name in first.columns[1:] if name not in once]
        across = list(dict.fromkeys(column for _, column in self.tables))
        heads = across if len(across) > 1 else columns
        name = "" if self.block.parts("down") else first.columns[0].rpartition(": ")[2]
        yield [name, *once, *heads]
        for name, label, row in self._rows():
            tables = [self.tables[label, column] for column in across]
            cells = [self._cells(table, row, columns) for table in tables]
            joined = ["/".join(parts) for parts in cells] if len(across) > 1 else cells[0]
            yield [name, *(tables[0].cell(row, column) for column in once), *joined]

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        """The name that is shown of each row, the label of its table, and its name there."""
        for label in dict.fromkeys(label for label, _ in self.tables):
            table = next(table for (other, _), table in self.tables.items() if other == label)
            rows = self.block.parts("rows") or [cells[0] for cells in table.rows]
            for row in rows:
                yield (label if label and len(rows) == 1 else f"{label}, {row}" if label else row), label, row

    def _cells(self, table: Tabulated, row: str, columns: Iterable[str]) -> list[str]:
        star = self.block.fields["star"]
        mark = "*" if star and table.cell(row, star).endswith("*") else ""
        short = [without_interval(table.cell(row, column)).rstrip("*") for column in columns]
        return [*short[:-1], short[-1] + mark]

    def cells(self, name: str, column: str, label: str) -> Iterator[tuple[str, str]]:
        """The cells of a row and column by their labels: of this one, or of all for "*"."""
        found = {shown: (of, row) for shown, of, row in self._rows()}.get(name)
        across = dict.fromkeys(other for _, other in self.tables)
        if not found or label not in {*across, "*"}:
            raise InputError(f"there is no row {name!r} of {label!r} of which anything could hold")
        for each in across if label == "*" else [label]:
            yield each, self.tables[found[0], each].cell(found[1], column)


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
    """What stands between semicolons."""
    return [part.strip() for part in text.split(";") if part.strip()]


def _labelled(part: str) -> tuple[str, list[str]]:
    """A label and what is typed, from `LABEL = WORDS`; the label is the first word without one."""
    label, equals, words = f"{part} ".partition(" = ")
    typed = shlex.split(words if equals else part)
    return (label.strip() if equals else "".join(typed[:1])), typed
