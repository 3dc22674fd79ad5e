"""A browser for the tests of a module, and a reader at three kinds of screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browser.chromium import Reader, chromium

SCREENS = {
    "desk": ((1200, 850), "light"),
    "dark": ((1200, 850), "dark"),
    "phone": ((390, 844), "light"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(params=SCREENS)
def reader(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Reader]:
    """The same way on a desk, in the dark, and on a phone; nothing may be complained about on any."""
    (width, height), scheme = SCREENS[request.param]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    reader = Reader(page, request.param)
    yield reader
    page.close()
    assert reader.complaints == []
    assert reader.dialogs == []
