"""Fetch or run a server by hand: `make server NAME=opensearch-3`, or `python -m servers` in tests/."""

import argparse
import os
import signal
import sys
import time

from servers import RELEASES, ServerUnavailable, fetch, start
from servers.java import JAVA_OPTIONS

DEFAULT, PORT = "opensearch-3", 9200  # as in the docs


def main() -> int:
    """Exit status: 0, or 1 after one sentence about what is missing."""
    parser = argparse.ArgumentParser(prog="python -m servers", description="Run a real server until Ctrl-C.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RELEASES))
    parser.add_argument("--fetch", action="store_true", help="only download (without a NAME: all of them)")
    options = parser.parse_args()
    try:
        if options.fetch:
            for name in options.names or RELEASES:
                print(f"{name}: {fetch(name)}", flush=True)
        elif len(options.names) > 1:
            parser.error(f"name one server to run: {', '.join(RELEASES)}")
        else:
            _serve(*options.names)
    except ValueError as error:
        parser.error(str(error))
    except ServerUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped")
    return 0


def _serve(name: str = DEFAULT) -> None:
    os.environ.setdefault(JAVA_OPTIONS, "")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with start(name, PORT) as server:
        print(
            f"{server.name} {server.version}: {server.url} (log: {server.log}); Ctrl-C stops it", flush=True
        )
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    sys.exit(main())
