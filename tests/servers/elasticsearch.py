"""How to run Elasticsearch from its integration-test archive: the plain server, no security, no painless."""

import os
import pwd
import shutil
import stat
from pathlib import Path

from processes import free_port
from servers import keeper
from servers.java import HEAP, Launch, find_java, java_options

SERVANT = "nobody"  # Elasticsearch refuses to run as root

# Without a disk threshold a nearly full disk can't turn the tests' indices read-only.
SETTINGS = """\
cluster.name: {home.name}
cluster.routing.allocation.disk.threshold_enabled: false
discovery.type: single-node
http.port: {port}
network.host: 127.0.0.1
path.data: {data}
path.logs: {home}/logs
path.repo: {data}/snapshots
transport.port: {transport_port}
xpack.security.enabled: false
"""

# In place of the archive's own options, which ask for modules that a trimmed Java lacks. An untouched heap
# takes half the memory.
JAVA_OPTIONS = """\
-Xms{heap}
-Xmx{heap}
-XX:-AlwaysPreTouch
{others}
-Djava.io.tmpdir={home}/tmp
"""


choose_port = free_port


def prepare(unpacked: Path, home: Path, port: int) -> Launch:
    """Write configuration and directories into `home`, whose name becomes the cluster's name."""
    (archive,) = unpacked.glob("elasticsearch-*")
    _configure(archive, home, port)
    if os.geteuid() != 0:
        return _launch(archive, find_java(), home)
    launch = _launch(_reachable_copy(archive, home), _reachable_copy(find_java(), home), home, SERVANT)
    owner = pwd.getpwnam(SERVANT)
    for path in (home, *home.rglob("*"), (home / keeper.DATA).resolve()):
        os.chown(path, owner.pw_uid, owner.pw_gid, follow_symlinks=False)
    return launch


def _configure(archive: Path, home: Path, port: int) -> None:
    data = (home / keeper.DATA).resolve()
    config = Path(shutil.copytree(archive / "config", home / "config"))
    settings = SETTINGS.format(home=home, data=data, port=port, transport_port=free_port())
    (config / "elasticsearch.yml").write_text(settings, encoding="utf-8")
    options = JAVA_OPTIONS.format(home=home, heap=HEAP, others="\n".join(java_options()))
    (config / "jvm.options").write_text(options, encoding="utf-8")
    for directory in ("logs", "tmp"):
        (home / directory).mkdir()


def _launch(archive: Path, java: Path, home: Path, user: str = "") -> Launch:
    paths = {"HOME": home, "ES_JAVA_HOME": java, "ES_PATH_CONF": home / "config"}
    paths["ES_TMPDIR"] = home / "tmp"  # 9.x refuses a parent of its configuration
    environment = {**os.environ, **{name: str(path) for name, path in paths.items()}}
    return Launch(("bash", f"{archive}/bin/elasticsearch"), environment, user)


def _reachable_copy(directory: Path, home: Path) -> Path:
    """The directory itself, or a copy in `home` when it lies where only root can read, such as /root."""
    may_pass = all(parent.stat().st_mode & stat.S_IXOTH for parent in directory.parents)
    if may_pass and directory.stat().st_mode & 0o005 == 0o005:
        return directory
    return Path(shutil.copytree(directory, home / directory.name, symlinks=True))
