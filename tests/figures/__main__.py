"""`python -m figures [FOLDER...]`: write the tables of the docs again, from the packs in these folders.

The packs of the demo are always there: `small.md` has a table of each kind on them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from dupgroups.cli.console import main
from figures.small_packs import write_small_packs

ROOT, SMALL = Path(__file__).parents[2], Path(__file__).with_name("small.md")
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "<!-- figures\n" in page.read_text("utf-8")
]

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write_small_packs(Path(folder))
        packs = [word for each in (folder, *sys.argv[1:]) for word in ("--packs", each)]
        sys.argv[1:] = ["evaluate", "page", str(SMALL), *map(str, PAGES), *packs]
        main()
