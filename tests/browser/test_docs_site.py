"""The site of the docs, built and opened in a real browser."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]


class Quiet(SimpleHTTPRequestHandler):
    """Logs nothing."""

    def log_message(self, *args: object) -> None:
        """Called for every request."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(built)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return built


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_fits_and_asks_no_other_server(
    site: str, folder: Path, browser: Browser, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    asked: set[str] = set()
    errors: list[str] = []
    page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    page.on("pageerror", lambda error: errors.append(str(error)))
    for path in sorted(folder.rglob("*.html")):
        if path.name == "404.html":  # its links are those of the place where the site will be
            continue
        page.goto(f"{site}/{path.relative_to(folder).as_posix()}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name
        broken = "[...document.images].filter(image => image.complete && !image.naturalWidth).length"
        assert page.evaluate(broken) == 0, path.name
    assert asked == {urlsplit(site).netloc}
    assert errors == []
    page.close()
