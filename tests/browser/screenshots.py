"""Where the screenshots of the docs go: docs/images with `make screenshots`, else test-output/."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
WINDOW = {"width": 1000, "height": 480}


def screenshot(page: Page, name: str, *, whole: bool = True) -> None:
    """The whole page, or only what the window shows of it."""
    folder = ROOT / os.environ.get("DUPGROUPS_SCREENSHOTS", "test-output")
    folder.mkdir(parents=True, exist_ok=True)
    # hiding the caret would need an inline style, which the page forbids
    page.screenshot(path=folder / f"{name}.png", full_page=whole, caret="initial")
