"""`dup-groups reindex` says how many documents it wrote again."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import run
from engines.documents import document, opened


@pytest.mark.parametrize(
    ("options", "printed"),
    [([], "2 documents written again\n"), (["--json"], '{"documents": 2, "failures": {}}\n')],
    ids=["text", "json"],
)
def test_the_command_says_how_many(
    options: list[str],
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with opened(tmp_path / "x.db") as engine:
        engine.put([document("a"), document("b")])
    assert run(monkeypatch, "reindex", "--engine", f"sqlite:///{tmp_path}/x.db", *options) == 0
    assert "".join(capsys.readouterr().out.split()) == "".join(printed.split())
