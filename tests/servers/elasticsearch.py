"""How to run Elasticsearch from its integration-test archive: the plain server, no security, no painless."""

from __future__ import annotations

import os
import pwd
import shutil
from pathlib import Path

from servers.launch import HEAP, Launch
from servers.ports import free_port

SERVANT = "nobody"  # Elasticsearch refuses to run as root

# Without a disk threshold a nearly full disk can't turn the tests' indices read-only.
SETTINGS = """\
cluster.name: {home.name}
cluster.routing.allocation.disk.threshold_enabled: false
discovery.type: single-node
http.port: {port}
network.host: 127.0.0.1
path.data: {home}/data
path.logs: {home}/logs
transport.port: {transport_port}
xpack.security.enabled: false
"""


def choose_port() -> int:
    """A free port."""
    return free_port()


def prepare(unpacked: Path, java: Path, home: Path, port: int) -> Launch:
    """Write configuration and directories into `home`, whose name becomes the cluster's name."""
    (archive,) = unpacked.glob("elasticsearch-*")
    shutil.copytree(archive / "config", home / "config")
    settings = SETTINGS.format(home=home, port=port, transport_port=free_port())
    (home / "config" / "elasticsearch.yml").write_text(settings, encoding="utf-8")
    for directory in ("data", "logs", "tmp"):
        (home / directory).mkdir()
    root = os.geteuid() == 0
    if root:
        # The cache may lie below /root, where nobody else can read.
        archive = Path(shutil.copytree(archive, home / "elasticsearch", symlinks=True))
        _give_away(home)
    return Launch(("bash", f"{archive}/bin/elasticsearch"), _environment(java, home), SERVANT if root else "")


def _environment(java: Path, home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "HOME": str(home),
        "ES_JAVA_HOME": str(java),
        "ES_JAVA_OPTS": f"-Xms{HEAP} -Xmx{HEAP}",
        "ES_PATH_CONF": str(home / "config"),
        "ES_TMPDIR": str(home / "tmp"),  # 9.x refuses a parent of its configuration
    }


def _give_away(home: Path) -> None:
    owner = pwd.getpwnam(SERVANT)
    for path in (home, *home.rglob("*")):
        os.chown(path, owner.pw_uid, owner.pw_gid)
