"""Fetch or run a server by hand: `make server NAME=opensearch-3`, or `python -m servers` in tests/."""

from __future__ import annotations

import argparse
import signal
import sys
import time

from servers import RELEASES, ServerUnavailable, fetch, start


def main() -> int:
    """Exit status: 0, or 1 after one sentence about what is missing."""
    parser = _parser()
    options = parser.parse_args()
    try:
        if options.fetch:
            _fetch(options.names)
        else:
            _serve(options.names, options.port)
    except ValueError as error:
        parser.error(str(error))
    except ServerUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m servers", description="Run a real server until Ctrl-C.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RELEASES))
    parser.add_argument("--port", type=int, help="default: a free one; OpenSearch: 9201 to 9299")
    parser.add_argument("--fetch", action="store_true", help="only download (without a NAME: all of them)")
    return parser


def _fetch(names: list[str]) -> None:
    for name in names or RELEASES:
        print(f"{name}: {fetch(name)}", flush=True)


def _serve(names: list[str], port: int | None) -> None:
    if len(names) != 1:
        raise ValueError(f"name one server to run: {', '.join(RELEASES)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with start(names[0], port) as server:
        print(
            f"{server.name} {server.version}: {server.url} (log: {server.log}); Ctrl-C stops it", flush=True
        )
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    sys.exit(main())
