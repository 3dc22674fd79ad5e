"""One small web server on 127.0.0.1 for all sites: the name in a request says which one is meant."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Thread
from urllib.parse import urlsplit

from dupgroups.errors import InputError
from dupgroups_demo.pages import DemoPage, DemoSite, build

ADDRESS = "127.0.0.1"
NOT_FOUND = b"<!DOCTYPE html><title>Not found</title><h1>Not found</h1>"


class SiteServer(ThreadingTCPServer):
    """Serves the pages of `sites`, by host and port; they must be set before the first request.

    HTTPServer would resolve the name of the host, which takes seconds on some machines.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64
    sites: Mapping[str, DemoSite]

    def __init__(self, port: int) -> None:
        super().__init__((ADDRESS, port), _Handler)


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
        page = self._page()
        status = HTTPStatus.OK if page else HTTPStatus.NOT_FOUND
        page = page or DemoPage(self.path, NOT_FOUND, "text/html")
        self.send_response(status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        return page.body

    def _page(self) -> DemoPage | None:
        site = self.server.sites.get(self.headers.get("Host", "").lower())
        return site.by_path.get(urlsplit(self.path).path) if site else None

    def log_message(self, *args: object) -> None:
        """Log nothing: the crawler logs its requests."""


@contextmanager
def serve(port: int = 0) -> Iterator[list[DemoSite]]:
    """Serve all sites until the block ends; yields them with their URLs. Port 0 lets the system choose.

    Raises InputError if the port is in use: another one would change the URLs, and the ids made from them.
    """
    with _open(port) as server:
        sites = build(server.server_address[1])
        server.sites = {urlsplit(site.url).netloc: site for site in sites}
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield sites
        finally:
            server.shutdown()


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
    except OSError as error:
        raise InputError(
            f"the demo sites cannot be served on port {port} of {ADDRESS} ({error.strerror or error}): "
            "stop what uses it, such as another demo, or choose another --sites-port"
        ) from error
