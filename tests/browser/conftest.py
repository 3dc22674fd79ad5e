"""A browser for the tests of this folder: the system's chromium or playwright's own, driven by playwright."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tools import find_chromium

FLAGS = ["--disable-gpu", "--disable-quic"]  # playwright itself does without sandbox, updates and first runs


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """DUPGROUPS_CHROMIUM says where chromium is, else PATH, else it is the one that `make tools` fetched."""
    expect.set_options(timeout=60_000)  # where many tests run at once
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        yield browser
        browser.close()
