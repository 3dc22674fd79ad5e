"""A browser for the tests of a module: Debian's chromium, driven by playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

FLAGS = ["--disable-gpu", "--disable-quic"]  # playwright itself does without sandbox, updates and first runs


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """DUPGROUPS_CHROMIUM says where chromium is, else PATH."""
    found = (
        os.environ.get("DUPGROUPS_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    assert found, (
        "no chromium here: install it (apt-get install chromium) or set DUPGROUPS_CHROMIUM; "
        'the other tests run with -m "not browser"'
    )
    expect.set_options(timeout=60_000)  # where many tests run at once
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()
