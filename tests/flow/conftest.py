"""What tests of the flow share."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dupgroups.flow import commit_loop


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the flow would have waited for others."""
    waited: list[float] = []
    monkeypatch.setattr(commit_loop, "time", SimpleNamespace(sleep=waited.append))
    return waited
