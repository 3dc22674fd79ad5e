"""A page of the browser that notes what goes wrong, and its screenshots."""

import os
from pathlib import Path

from playwright.sync_api import Dialog, Page

ROOT = Path(__file__).parents[2]


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
