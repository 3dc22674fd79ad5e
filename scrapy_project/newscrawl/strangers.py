"""Nobody but the seeds leads the crawl into our own network: no redirect, feed or link, and no name that
resolves there.

`NEWSCRAWL_PRIVATE_ADDRESSES = True` allows loopback, private and link-local addresses for every host.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError

SETTING = "NEWSCRAWL_PRIVATE_ADDRESSES"


def is_private(address: str) -> bool:
    """Whether an IP address, in any notation that sockets take, is not one of the public internet.

    False for a name.

    >>> is_private("127.0.0.2"), is_private("0x7f.1"), is_private("93.184.215.14")
    (True, True, False)
    """
    try:
        ip = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        try:
            ip = ipaddress.IPv4Address(socket.inet_aton(address))  # 127.1, 0x7f000001, 2130706433
        except (OSError, UnicodeError):
            return False
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return not ip.is_global or ip.is_multicast


class NoStrangers:
    """A downloader middleware: requests to private addresses that no seed names are not sent."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.allowed = crawler.settings.getbool(SETTING)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> NoStrangers:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for a private address; also called for each redirect and robots.txt."""
        host = urlsplit(request.url).hostname or ""
        if self.allowed or host in seed_hosts(self.crawler):
            return
        if is_private(host) or host == "localhost" or host.endswith(".localhost"):
            assert self.crawler.stats is not None
            self.crawler.stats.inc_value("newscrawl/private_address")
            raise IgnoreRequest(f"{host} is a private address and no seed; {SETTING}=True allows it")


class PublicResolver(CachingThreadedResolver):
    """Names that resolve to a private address are as good as unknown, unless a seed has them."""

    def __init__(self, crawler: Any, reactor: ReactorBase, *args: Any) -> None:
        super().__init__(reactor, *args)
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: ReactorBase) -> PublicResolver:
        """As Scrapy makes it."""
        settings = crawler.settings
        size = settings.getint("DNSCACHE_SIZE") if settings.getbool("DNSCACHE_ENABLED") else 0
        return cls(crawler, reactor, size, settings.getfloat("DNS_TIMEOUT"))

    def getHostByName(self, name: str, timeout: Any = ()) -> Deferred[str]:  # noqa: N802  # Twisted's
        """The address of a name; fails with DNSLookupError where it is private."""
        return super().getHostByName(name, timeout).addCallback(self._check_address, name)

    def _check_address(self, address: str, name: str) -> str:
        allowed = self.crawler.settings.getbool(SETTING) or name in seed_hosts(self.crawler)
        if is_private(address) and not allowed:
            raise DNSLookupError(f"{name} is at the private address {address}; {SETTING}=True allows it")
        return address


def seed_hosts(crawler: Any) -> set[str]:
    """The hosts of the seeds of a crawler, or of all crawlers of a process, which is what resolvers get."""
    spiders = [one.spider for one in getattr(crawler, "crawlers", (crawler,))]
    return {urlsplit(url).hostname or "" for spider in spiders for url in getattr(spider, "seeds", ())}
