"""Debian's chromium, driven by playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Dialog, Page, sync_playwright

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox",  # tests run as root in containers, where there is no sandbox to be had
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str:
    """Where chromium is: DUPGROUPS_CHROMIUM, else on PATH."""
    found = (
        os.environ.get("DUPGROUPS_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    assert found, (
        "no chromium here: install it (apt-get install chromium) or set DUPGROUPS_CHROMIUM; "
        'the other tests run with -m "not browser"'
    )
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser until the block ends."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Reader:
    """A page of the browser that notes every dialog, error and message of the console."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialogs: list[str] = []
        self.complaints: list[str] = []
        page.on("dialog", self._dismiss)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text))

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


def screenshot(page: Page, name: str, *, whole: bool = True, folder: str = "") -> None:
    """The whole page, or only what the window shows of it, in a folder; without one it is for the docs, and
    goes to test-output/, or with `make screenshots` to docs/images.
    """
    place = ROOT / (folder or os.environ.get("DUPGROUPS_SCREENSHOTS", "test-output"))
    place.mkdir(parents=True, exist_ok=True)
    # hiding the caret would need an inline style, which the page forbids
    page.screenshot(path=place / f"{name}.png", full_page=whole, caret="initial")
