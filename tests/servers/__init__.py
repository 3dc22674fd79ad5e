"""Real OpenSearch and Elasticsearch servers for the tests: fetched by Maven, never left behind.

>>> sorted(RELEASES)
['elasticsearch-8.19', 'elasticsearch-9', 'opensearch-2.19', 'opensearch-3']
"""

from servers.cache import fetch
from servers.nodes import start
from servers.pool import Pool
from servers.releases import RELEASES, Server, ServerUnavailable

__all__ = ["RELEASES", "Pool", "Server", "ServerUnavailable", "fetch", "start"]
