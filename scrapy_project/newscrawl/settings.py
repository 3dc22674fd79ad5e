"""Settings of the crawl: three lines for dup-groups, the others for politeness to other people's servers."""

import os

ADDONS = {"dupgroups.Addon": 300}
DUPGROUPS_ENGINE = os.environ.get("DUPGROUPS_ENGINE", "sqlite:///news.db")
DUPGROUPS_DEAD_LETTERS = "news.dead.jsonl"
DUPGROUPS_METRICS_PORT = os.environ.get("DUPGROUPS_METRICS_PORT")
DUPGROUPS_METRICS_HOST = os.environ.get("DUPGROUPS_METRICS_HOST", "127.0.0.1")

BOT_NAME = "newscrawl"
SPIDER_MODULES = ["newscrawl.spiders"]
NEWSPIDER_MODULE = "newscrawl.spiders"

# The operators of a site must be able to contact you: put your own address here.
USER_AGENT = "newscrawl/0.1 (+https://example.org/about-our-crawler; crawler@example.org)"
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 2
DOWNLOAD_DELAY = 0.5
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.5
AUTOTHROTTLE_TARGET_CONCURRENCY = 1.0
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 10_000_000  # a larger "page" is a video or a trap
DOWNLOAD_WARNSIZE = 0
RETRY_TIMES = 2
COOKIES_ENABLED = False
# what seeds do not name is never fetched from our own network, whatever redirects, feeds and names say
NEWSCRAWL_PRIVATE_ADDRESSES = False
DOWNLOADER_MIDDLEWARES = {"newscrawl.strangers.NoStrangers": 50}
TWISTED_DNS_RESOLVER = "newscrawl.strangers.PublicResolver"
NEWSCRAWL_SITEMAPS = 200  # sitemaps a site, at most
NEWSCRAWL_SITEMAP_DEPTH = 3  # indexes below one another, at most
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
HTTPCACHE_ENABLED = False  # HTTPCACHE_ENABLED=True keeps pages in .scrapy/ while you try things out

LOG_LEVEL = "INFO"
FEED_EXPORT_FIELDS = [
    "id",
    "url",
    "dup_id",
    "dup_group",
    "dup_state",
]  # pages themselves are bytes, and large
