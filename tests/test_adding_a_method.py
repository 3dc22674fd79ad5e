"""A signer that is added as CONTRIBUTING says, one file and one entry point, has all that the others have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stories import running_text

pytestmark = pytest.mark.whole
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
"""What is broken in a signer of this name, how, and the law that has to notice."""


def run(folder: Path, *words: str) -> str:
    """Run a command with the signer installed, as pip leaves it in a folder on the path."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    command = [sys.executable, "-m", "dupgroups", *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout


def test_one_entry_point_lists_explains_and_runs_it(tmp_path: Path) -> None:
    (tmp_path / "lines.py").write_text(FILE)
    info = tmp_path / "signers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: signers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dupgroups.signers]\nlines = lines:Lines\n")
    assert "  lines (jaccard): Lines: the digests of the lines of a text, for a test." in run(
        tmp_path, "methods"
    )
    assert "least     | 5" in run(tmp_path, "methods", "lines")
    texts = [running_text("a"), running_text("a").replace("\n", "\n\n"), running_text("b")]
    documents, out = tmp_path / "docs.jsonl", tmp_path / "groups.csv"
    documents.write_text(
        "\n".join(json.dumps({"id": str(at), "text": text}) for at, text in enumerate(texts))
    )
    options = ["--out", str(out), "--processes", "1", "--signer", "lines least=6"]
    run(tmp_path, "group", str(documents), *options)
    assert out.read_text().splitlines()[1:] == ["0,0", "1,0", "2,2"]
