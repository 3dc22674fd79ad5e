"""A signer that is added as CONTRIBUTING says, one file and one entry point, has all that the others have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from stories import running_text

pytestmark = pytest.mark.whole
TESTS = Path(__file__).parent
HELD_TO = ("signatures/test_laws.py", "signatures/test_methods.py", "test_method_tables.py")
FILE = '''"""Lines: the digests of the lines of a text, for a test.

| parameter | default | meaning         |
|-----------|---------|-----------------|
| least     | 5       | lines of a text |
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from dupgroups_papers.codecs.set_codec import pack_sample
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import SchemeOfFields
from dupgroups.sketches.keys import key_strings


def digest(line: str) -> int:
    return int.from_bytes(blake2b(line.encode(), digest_size=8).digest(), "big")


@dataclass(frozen=True)
class Lines(SchemeOfFields):
    NAME: ClassVar[str] = "lines"
    judges: ClassVar[tuple[str, ...]] = ("jaccard",)

    least: int = 5

    def __call__(self, content: Content) -> Signature:
        lines = [line.strip() for line in content.text.split("\\n") if line.strip()]
        digests = {digest(line) for line in lines}
        if len(digests) < self.least:
            return Signature(self.scheme)
        found = np.sort(np.array(list(digests), np.uint64))
        return Signature(self.scheme, key_strings(found[:30]), pack_sample(found))
'''
BROKEN = {
    "fixed": ('"lines"\n', '"lines"\n    scheme = "lines.1"\n', "the_scheme_tells"),
    "hasty": ("if len(digests) < self.least", "if False", "an_empty_text"),
    "salted": ("digest(line) for", "abs(hash(line)) for", "in_every_process"),
    "coarse": ("digest(line) for", "len(line) << 40 for", "share_no_key"),
    "fussy": ("[line.strip() for", "[line for", "line_breaks"),
}
"""What is broken in a signer of this name, how, and the law that has to notice."""


def install(folder: Path, modules: Mapping[str, str]) -> dict[str, str]:
    """Install a package of signers, as pip leaves it in a folder on the path; gives the environment."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    info = folder / "signers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: signers\nVersion: 1.0\n")
    points = [f"{name} = {name}:Lines" for name in modules]
    (info / "entry_points.txt").write_text("\n".join(["[dupgroups.signers]", *points, ""]))
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}


def test_one_entry_point_lists_explains_and_runs_it(tmp_path: Path) -> None:
    folder, env = tmp_path, install(tmp_path, {"lines": FILE})

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "dupgroups", *words]
        return subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout

    assert "  lines (jaccard): Lines: the digests of the lines of a text, for a test." in run("methods")
    assert "least     | 5" in run("methods", "lines")
    texts = [running_text("a"), running_text("a").replace("\n", "\n\n"), running_text("b")]
    documents, out = folder / "docs.jsonl", folder / "groups.csv"
    documents.write_text(
        "\n".join(json.dumps({"id": str(at), "text": text}) for at, text in enumerate(texts))
    )
    run("group", str(documents), "--out", str(out), "--processes", "1", "--signer", "lines least=6")
    assert len({line.split(",")[1] for line in out.read_text().splitlines()[1:]}) == 2


def test_the_laws_hold_it_and_catch_it_when_it_is_broken(tmp_path: Path) -> None:
    rows = {"lines": FILE}
    for name, (old, new, _) in BROKEN.items():
        assert old in FILE
        rows[name] = FILE.replace(old, new)
    laws = " or ".join(f"({law} and ({name} or process))" for name, (_, _, law) in BROKEN.items())
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"),
            *("-q", "--tb=no", "-rpf", "-k", f"lines or {laws}", "--hypothesis-seed=1"),
            *(str(TESTS / file) for file in HELD_TO),
        ],
        capture_output=True,
        text=True,
        cwd=TESTS.parent,
        env=install(tmp_path, rows),
    )
    passed, failed = (
        [line for line in done.stdout.splitlines() if line.startswith(word)] for word in ("PASSED", "FAILED")
    )
    assert sum("[lines" in line for line in passed) >= 8, done.stdout + done.stderr
    assert not any("[lines" in line for line in failed), done.stdout
    for name, (_, _, law) in BROKEN.items():
        assert any(law in line and (name in line or "process" in law) for line in failed), (name, done.stdout)
