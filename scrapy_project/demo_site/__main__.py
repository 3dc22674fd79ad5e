"""`python -m demo_site`: serve the demo news sites until Ctrl-C."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from demo_site import FIRST_PORT, seeds, serve
from dupgroups.cli.files import check_place, written
from dupgroups.errors import InputError


def main() -> None:
    """Serve the sites, print their URLs, and write the seeds file if requested."""
    parser = argparse.ArgumentParser(prog="python -m demo_site", description=__doc__)
    parser.add_argument("--seeds", type=Path, metavar="FILE", help="write the start pages of a crawl to FILE")
    parser.add_argument("--port", type=int, default=FIRST_PORT, help="port of the first site (%(default)s)")
    options = parser.parse_args()
    if options.seeds:
        try:
            check_place(options.seeds)
        except InputError as error:
            parser.error(str(error))
    with serve(options.port) as sites:
        for site in sites:
            print(f"{site.url}/  {site.name}", flush=True)
        if options.seeds:
            with written(options.seeds) as file:
                file.write(seeds(sites))
        print("Stop with Ctrl-C.", flush=True)
        _wait()


def _wait() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
