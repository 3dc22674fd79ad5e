"""Debian's chromium, driven by playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from browser.screenshots import screenshot

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

    def __init__(self, page: Page, screen: str = "") -> None:
        self.page, self.screen = page, screen
        self.dialogs: list[str] = []
        self.complaints: list[str] = []
        page.on("dialog", self._dismiss)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text))

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def screenshot(self, name: str) -> None:
        screenshot(self.page, "-".join(filter(None, (name, self.screen))), folder="test-output")

    @property
    def fits(self) -> bool:
        """Whether the page is not wider than the window."""
        root = "document.documentElement"
        return bool(self.page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"))
