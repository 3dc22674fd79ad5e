"""Where screenshots go: test-output/, and with `make screenshots` those of the docs to docs/images."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
WINDOW = {"width": 1000, "height": 480}


def screenshot(page: Page, name: str, *, whole: bool = True, folder: str = "") -> None:
    """The whole page, or only what the window shows of it; without a folder it is one of the docs."""
    place = ROOT / (folder or os.environ.get("DUPGROUPS_SCREENSHOTS", "test-output"))
    place.mkdir(parents=True, exist_ok=True)
    # hiding the caret would need an inline style, which the page forbids
    page.screenshot(path=place / f"{name}.png", full_page=whole, caret="initial")
