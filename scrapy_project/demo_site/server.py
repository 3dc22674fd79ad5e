"""One small web server per site on 127.0.0.1, each on its own port."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Thread
from urllib.parse import urlsplit

from demo_site.pages import DemoPage, DemoSite, build
from demo_site.sites import load_sites

HOST = "127.0.0.1"
NOT_FOUND = b"<!DOCTYPE html><title>Not found</title><h1>Not found</h1>"
log = logging.getLogger(__name__)


class SiteServer(ThreadingTCPServer):
    """Serves the pages of one site; `site` must be set before the first request.

    HTTPServer would resolve the name of the host, which takes seconds on some machines.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64
    site: DemoSite

    def __init__(self, port: int) -> None:
        super().__init__((HOST, port), _Handler)

    @property
    def url(self) -> str:
        """The base URL, without a final slash."""
        return f"http://{HOST}:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    """Ignores the query string: a URL with utm_source=... leads to the same page."""

    server: SiteServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Respond with headers and body."""
        self.wfile.write(self._head())

    def do_HEAD(self) -> None:
        """Respond with the headers only."""
        self._head()

    def _head(self) -> bytes:
        page = self.server.site.by_path.get(urlsplit(self.path).path)
        status = HTTPStatus.OK if page else HTTPStatus.NOT_FOUND
        page = page or DemoPage(self.path, NOT_FOUND, "text/html")
        self.send_response(status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        return page.body

    def log_message(self, *args: object) -> None:
        """Log nothing: the crawler logs its requests."""


@contextmanager
def serve(ports: int = 0) -> Iterator[list[DemoSite]]:
    """Serve all sites until the block ends; yields them with their actual URLs.

    `ports` is the port of the first site, the others follow; 0 lets the system choose. If a port is in use,
    another one is taken, with a warning: URLs, and the ids made from them, are different then.
    """
    with ExitStack() as stack:
        servers = [stack.enter_context(_open(ports and ports + i)) for i in range(len(load_sites()))]
        sites = build([server.url for server in servers])
        for server, site in zip(servers, sites, strict=True):
            server.site = site
            Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
            stack.callback(server.shutdown)
        yield sites


def seeds(sites: Sequence[DemoSite]) -> str:
    """A seeds file for the crawl: home pages, feeds, the sitemap and AMP pages, one URL per line."""
    lines = ["# The demo news sites"]
    for site in sites:
        feed = [site.url + site.feed] if site.feed else []
        amp = [site.url + page.path for page in site.pages if page.path.startswith("/amp/")]
        lines += [f"# {site.name}", f"{site.url}/", *feed, *amp]
    return "\n".join(lines) + "\n"


def _open(port: int) -> SiteServer:
    try:
        return SiteServer(port)
    except OSError:
        if not port:
            raise
        server = SiteServer(0)
        log.warning("Port %d is in use, so a demo site uses port %d.", port, server.server_address[1])
        return server
