"""A signer that is added as CONTRIBUTING says, one file and one row, has all that the others have."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups.signatures import SIGNERS
from stories import running_text

TESTS = Path(__file__).parent
HELD_TO = ("signatures/test_laws.py", "signatures/test_methods.py", "test_method_tables.py")
FILE = '''"""Lines: the digests of the lines of a text, for a test.

| parameter | default | meaning         |
|-----------|---------|-----------------|
| least     | 5       | lines of a text |
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from dupgroups.model import Content, Signature
from dupgroups.signatures.base import scheme
from dupgroups.text.keys import key_strings
from dupgroups.text.stored_sets import pack_sample


def digest(line: str) -> int:
    return int.from_bytes(blake2b(line.encode(), digest_size=8).digest(), "big")


@dataclass(frozen=True)
class Lines:
    judges: ClassVar[tuple[str, ...]] = ("jaccard",)

    least: int = 5

    @cached_property
    def scheme(self) -> str:
        return scheme("lines", 1, self)

    def __call__(self, content: Content) -> Signature:
        lines = [line.strip() for line in content.text.split("\\n") if line.strip()]
        digests = {digest(line) for line in lines}
        if len(digests) < self.least:
            return Signature(self.scheme)
        found = np.sort(np.array(list(digests), np.uint64))
        return Signature(self.scheme, key_strings(found[:30]), pack_sample(found))
'''
ROW = "from dupgroups.signatures import SIGNERS\nfrom lines import Lines\nSIGNERS['lines'] = Lines\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the new signer is, as a file that can be imported."""
    (tmp_path / "lines.py").write_text(FILE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lines", raising=False)
    return tmp_path


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    return result.output


def test_one_row_lists_explains_and_runs_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIGNERS, "lines", importlib.import_module("lines").Lines)
    assert "  lines (jaccard): Lines: the digests of the lines of a text, for a test." in run("methods")
    assert "least     | 5" in run("methods", "lines")
    texts = [running_text("a"), running_text("a").replace("\n", "\n\n"), running_text("b")]
    documents, out = folder / "docs.jsonl", folder / "groups.csv"
    documents.write_text(
        "\n".join(json.dumps({"id": str(at), "text": text}) for at, text in enumerate(texts))
    )
    run("group", str(documents), "--out", str(out), "--processes", "1", "--signer", "lines least=6")
    assert len({line.split(",")[1] for line in out.read_text().splitlines()[1:]}) == 2


@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        ("least: int = 5", "least: int = 5", ""),
        ('scheme("lines", 1, self)', '"lines.1"', "the_scheme_tells"),
        ("if len(digests) < self.least", "if False", "an_empty_text"),
        ("digest(line) for", "abs(hash(line)) for", "in_every_process"),
        ("digest(line) for", "len(line) << 40 for", "share_no_key"),
        ('line in content.text.split("\\n")', 'line in content.text.split("\\n  ")', "line_breaks"),
    ],
)
def test_the_laws_hold_it_and_catch_it_when_it_is_broken(
    folder: Path, old: str, new: str, failing: str
) -> None:
    assert old in FILE
    (folder / "lines.py").write_text(FILE.replace(old, new))
    (folder / "row.py").write_text(ROW)
    path = os.pathsep.join([str(folder), *sys.path])
    chosen = failing or "lines"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "row", "-p", "no:cacheprovider", "-p", "no:xdist"),
            *("-q", "--tb=no", "-k", f"({chosen}) and (lines or process)", "--hypothesis-seed=1"),
            *(str(TESTS / file) for file in HELD_TO),
        ],
        capture_output=True,
        text=True,
        cwd=TESTS.parent,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert ("failed" in done.stdout) is bool(failing), done.stdout + done.stderr
    assert failing or "passed" in done.stdout
