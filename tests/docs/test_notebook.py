"""The notebook of the docs prints what it shows; `DUPGROUPS_NOTEBOOK=write` writes what it prints."""

import json
import os
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from docs.blocks import ROOT

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def test_the_notebook_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook, names = json.loads(NOTEBOOK.read_text("utf-8")), dict[str, Any]()
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 4
    for cell in cells:
        printed = StringIO()
        with redirect_stdout(printed):
            exec("".join(cell["source"]), names)
        lines = printed.getvalue().splitlines(keepends=True)
        made = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
        if os.environ.get("DUPGROUPS_NOTEBOOK") == "write":
            cell["outputs"] = made
        assert cell["outputs"] == made, "".join(cell["source"])
    if os.environ.get("DUPGROUPS_NOTEBOOK") == "write":
        NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
