"""Real OpenSearch and Elasticsearch servers for the tests: fetched by Maven, never left behind.

>>> sorted(RELEASES)
['elasticsearch-8.19', 'elasticsearch-9', 'opensearch-2.19', 'opensearch-3']
"""

from servers.cache import fetch
from servers.pool import Pool
from servers.releases import RELEASES, Server, ServerUnavailable
from servers.running import start

__all__ = ["RELEASES", "Pool", "Server", "ServerUnavailable", "fetch", "start"]
