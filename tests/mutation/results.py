"""A report from the folder of a mutmut run."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FATES = {0: "survived", 5: "untested", 33: "untested", None: "untested"}
"""By the exit code of mutmut; every other one is a test that failed or ran too long."""
_SQL = re.compile(r'"(?:BEGIN|COMMIT|DELETE|INSERT|PRAGMA|SELECT|UPDATE)\b')


@dataclass(frozen=True)
class Mutant:
    """A changed function. `fate` is killed, survived or untested; a killed one has no `diff`."""

    file: str
    name: str
    fate: str
    diff: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line that it changes (or lines), without white space around it."""
        return self._lines("-")

    @property
    def is_same_sql(self) -> bool:
        """Whether it only changes the case of a statement of SQL, which is read without case."""
        is_sql = _SQL.search(self.line) is not None
        return is_sql and self.line.casefold() == self._lines("+").casefold()

    def _lines(self, sign: str) -> str:
        return "\n".join(line[1:].strip() for line in self.diff if line.startswith(sign))


def toml(path: Path) -> dict[str, Any]:
    """The values of a TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def mutants(folder: Path) -> list[Mutant]:
    """All mutants of a run of mutmut in this folder."""
    all_mutants = []
    for meta in sorted((folder / "mutants" / "src").rglob("*.py.meta")):
        file = str(meta.relative_to(folder / "mutants" / "src")).removesuffix(".meta")
        for name, code in json.loads(meta.read_text())["exit_code_by_key"].items():
            fate = FATES.get(code, "killed")
            all_mutants.append(Mutant(file, name, fate, () if fate == "killed" else _diff(folder, name)))
    return all_mutants


def _diff(folder: Path, name: str) -> tuple[str, ...]:
    from mutmut.configuration import reset_config
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    before = Path.cwd()
    os.chdir(folder)  # where mutmut looks
    reset_config()  # of the room before
    try:
        lines: list[str] = get_diff_for_mutant(name).splitlines()
    finally:
        os.chdir(before)
    return tuple(line for line in lines if line and not line.startswith(("---", "+++", "@@", "#")))


def report(all_mutants: Sequence[Mutant], accepted: Collection[tuple[str, str]]) -> tuple[float, str]:
    """The share that is killed or accepted (1 when there is no mutant), and the report: the rest.

    `accepted` are lines with their files; nobody has to name those of which only the case of SQL changes.
    """
    living = [mutant for mutant in all_mutants if mutant.fate != "killed"]
    bad = [
        mutant for mutant in living if not mutant.is_same_sql and (mutant.file, mutant.line) not in accepted
    ]
    lines = [f"{len(all_mutants)} mutants, {len(living) - len(bad)} accepted, {len(bad)} not killed"]
    for mutant in bad:
        lines += ["", f"{mutant.name} {mutant.fate}"]
        lines += [f"    {line}" for line in mutant.diff if line.startswith(("-", "+"))]
    return 1 - len(bad) / max(1, len(all_mutants)), os.linesep.join(lines)
