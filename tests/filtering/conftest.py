"""Filters in the process of the tests sign all that comes, however busy the machine is."""

from __future__ import annotations

import pytest

from dupgroups_filter import signer


@pytest.fixture(autouse=True)
def _signs_nevertheless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signer, "LATE", 3600.0)
