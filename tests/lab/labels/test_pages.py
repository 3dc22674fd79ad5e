"""Packs that cannot be read are named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from dupgroups.errors import InputError
from dupgroups_lab.labels.pages import read_pack

ROW = {"id": "1", "site": "s", "url": None, "lang": "en", "page_type": "article", "html": "<p>x", "text": "x"}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "line 2, is not a labelled page: not JSON"),
        ("[]", "line 2, is not a labelled page: not a JSON object"),
        (json.dumps(ROW | {"html": None}), "line 2, .* not a string"),
        (json.dumps({key: ROW[key] for key in ROW if key != "site"}), "line 2, .* it has no 'site'"),
    ],
)
def test_a_line_that_is_not_a_page_is_named(tmp_path: Path, line: str, what: str) -> None:
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(f"{json.dumps(ROW)}\n{line}\n")
    with pytest.raises(InputError, match=what):
        list(read_pack(tmp_path))
