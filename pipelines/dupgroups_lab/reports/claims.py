"""What papers claim, judged by the figures of the tables of a page.

    <!-- figures
    table: claims
    -->

    |the paper says|its figure|measured by|must be|ours|holds|
    |---|---|---|---|---|---|
    |CE-BEST is as good as the reference|0.99999|`evaluate cedar` table 1; crf; - reference; *|= 0|

The first four cells of a row are written by hand, the others from the figures. `measured by` names the
command with the table, its row, its column, and a label (`*`: each): see `marked_tables`.
"""

from __future__ import annotations

from collections.abc import Sequence

from dupgroups.errors import InputError
from dupgroups_lab.reports.marked_tables import Block, Run, fulfils, markdown, parts_of, without_interval

CLAIMS = "claims"
_COLUMNS = ("the paper says", "its figure", "measured by", "must be", "ours", "holds")
_HEAD = (f"|{_COLUMNS[0]}|", "|---")


def judged(table: str | None, blocks: Sequence[Block], run: Run) -> str:
    """The table of claims with our figures, and whether it holds for them.

    Raises InputError for a row that names no figure of these blocks.
    """
    claims = [line for line in (table or "").splitlines() if not line.startswith(_HEAD)]
    rows = (line.strip("|").split("|")[:4] for line in claims)
    return markdown([_COLUMNS, *((*row, *_verdict(row, blocks, run)) for row in rows)])


def _verdict(row: Sequence[str], blocks: Sequence[Block], run: Run) -> tuple[str, str]:
    place = parts_of(row[2]) if len(row) == 4 else []
    block = next((block for block in blocks if [_name(block)] == place[:1]), None)
    if len(place) != 4 or not block:
        known = "CLAIM|FIGURE|`COMMAND` TABLE; ROW; COLUMN; LABEL|CONDITION"
        raise InputError(f"{'|'.join(row)!r} is not {known} of a table of this page")
    cells = dict(block.shown(run).cells(*place[1:]))
    held = [fulfils(cell, row[3]) for cell in cells.values()]
    ours = "; ".join(f"{label} {without_interval(cell)}" for label, cell in cells.items())
    verdict = "yes" if all(held) else f"on {sum(held)} of {len(held)}" if any(held) else "no"
    return ours.replace("*", r"\*"), verdict


def _name(block: Block) -> str:
    command = " ".join(block.fields["command"].split()[:2])
    return f"`{command}` {block.fields['table']}".strip()
