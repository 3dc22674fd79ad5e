"""What a server needs to be started: the record that each distribution's module fills in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

HEAP = "512m"
JAVA_OPTIONS = "DUPGROUPS_SERVER_JAVA_OPTIONS"  # a variable; empty where a server is measured
_QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


def java_options() -> list[str]:
    """What Java gets beside the heap. Servers of tests live briefly with tiny indices: the quick compiler and
    the simple collector halve their processor time.
    """
    return os.environ.get(JAVA_OPTIONS, _QUICK).split()


@dataclass(frozen=True, slots=True)
class Peer:
    """A node of a cluster of several: its number from 0, and the ports by which all nodes find each other."""

    cluster: str
    number: int
    transport_ports: tuple[int, ...]

    def settings(self, first: str) -> str:
        """What its configuration says of the others; `first` is the setting that names the first masters."""
        seeds = ", ".join(f'"127.0.0.1:{port}"' for port in self.transport_ports)
        names = ", ".join(f"n{number}" for number in range(len(self.transport_ports)))
        return (
            f"cluster.name: {self.cluster}\n"
            f"node.name: n{self.number}\n"
            f"transport.port: {self.transport_ports[self.number]}\n"
            f"discovery.seed_hosts: [{seeds}]\n"
            f"{first}: [{names}]\n"
        )


@dataclass(frozen=True, slots=True)
class Launch:
    """A command line, its environment, and the user to run it as (empty: ourselves)."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    user: str = ""
