"""Run the commands of an installation, with any extras, on any system: `python tests/smoke.py`.

Every command has help; what needs an extra that is missing says so in a sentence; stories are added, grouped,
searched, explained and corrected in the embedded engine. Needs nothing but dup-groups itself.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPORT = (
    "The harbour of Northport reopens on Monday after nine weeks of repairs to the eastern quay, the port "
    "authority said. Two of the four cranes are working again, and the first ferry to the islands leaves at "
    "half past six. Fishermen who had to land their catch in Eastbay were promised a refund of their fees by "
    "the end of the month."
)
OTHER = (
    "The council of Eastbay has rejected the plan for a second bridge by eleven votes to four. Its critics "
    "feared the traffic in the old town; the mayor wants to ask the citizens in the autumn. Until then the "
    "ferry keeps running every twenty minutes, and the county pays for the new landing stage."
)
PAGES = (
    {"id": "first", "url": "https://north.example/harbour", "title": "Harbour reopens", "text": REPORT},
    {"id": "second", "url": "https://east.example/harbour", "title": "Harbour reopens", "text": REPORT},
    {"id": "third", "url": "https://east.example/bridge", "title": "No second bridge", "text": OTHER},
)
EXTRA = re.compile(r"needs an extra: pip install")


def run(folder: Path, *words: str) -> str:
    """What a command prints. Ends the program if it fails otherwise than by asking for an extra."""
    call = [sys.executable, "-m", "dupgroups", *words]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1", "COLUMNS": "200"}
    ended = subprocess.run(
        call, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    printed = ended.stdout + ended.stderr
    if "Traceback" in printed or (ended.returncode and not EXTRA.search(printed)):
        sys.exit(f"dup-groups {' '.join(words)} ended with {ended.returncode}:\n{printed}")
    return printed


def commands(folder: Path) -> list[str]:
    """The names of all commands, of other packages too."""
    return re.findall(r"^[│ ]{1,2}([a-z]+) {2,}", run(folder, "--help"), re.MULTILINE)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, PAGES)), encoding="utf-8")
        engine = ("--engine", "sqlite:///news.db")
        names = commands(folder)
        assert {"add", "search", "explain", "serve"} <= set(names), names
        for command in names:
            run(folder, command, "--help")
        run(folder, "add", "pages.jsonl", *engine)
        assert "second" in run(folder, "groups", *engine)
        assert "north.example" in run(folder, "search", "harbour", *engine)
        assert "copy" in run(folder, "explain", "first", "second", *engine)
        run(folder, "explain", "first", *engine)
        for words in (("stats",), ("doctor",), ("corrections",), ("regroup",), ("search", "bridge")):
            run(folder, *words, *engine)
        run(folder, "group", "pages.jsonl", "--out", "groups.csv")
        print(f"{len(names)} commands, a store of {len(PAGES)} pages: as expected")


if __name__ == "__main__":
    main()
