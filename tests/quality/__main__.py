"""`make quality SHARED=FOLDER`: one table of what must not get worse, and exit status 1 if something did.

FOLDER has `data/duplicates` and `data/extraction` (packs), `data/real` (more documents) and
`cases/extraction` (pages, each with a JSON file of what a reader would say). `floors.toml` has the lowest or
highest allowed value of each row. Parts run in two processes, the store that grows in the first, with the
other busy all the time. `--only WORD` runs the parts with this word in their names.
"""

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import numpy  # noqa: F401  # before the pool: its import is no cost of a part
from typer.main import get_command

from dupgroups import Deduper, Page
from dupgroups.cli.console import app
from dupgroups.content import extract
from dupgroups.flow.signing import PageSigner
from dupgroups.text.batches import batches
from dupgroups_lab.commands.printed_tables import keep_tables
from dupgroups_lab.labels.labelled_pages import read_pack
from dupgroups_lab.measures.tabulated import Tabulated
from quality.growth import counting, shuffled

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FLOORS = Path(__file__).with_name("floors.toml")
PROCESSES = 2
NOISES = ("ocr:0.02", "ocr:0.04")
NOISY_PACKS = ("en-fnc", "en-reprints", "zh-events", "zh-reprints", "zh-series")  # as in docs/benchmarks.md
STORE_SIZES, STORE_STEP = (5_000, 14_000), 1_000  # costs are those of the last documents up to a size
STORE_BATCH = 200

Row = tuple[str, float]
Part = Callable[[], list[Row]]


# -- the parts


def parts_of(folder: Path) -> dict[str, Part]:
    """Everything that is measured on what the folder has, by name; what takes longest first."""
    data, cases = folder / "data", folder / "cases" / "extraction"
    parts: dict[str, Part] = {}
    sources = [*real_files(data)]
    if sources:
        parts["growth of a store"] = partial(growth, sources)
    packs = [path.parent for path in sorted((data / "duplicates").glob("*/pairs.csv"))]
    sampled = [pack for pack in packs if is_sampled(pack)]
    parts |= {f"pairs of {pack.name}": partial(sampled_pairs, pack) for pack in sampled}
    for pack in (pack for pack in packs if pack not in sampled):
        parts[f"groups of {pack.name}"] = partial(groups, pack)
        for noise in NOISES if pack.name in NOISY_PACKS else ():
            parts[f"groups of {pack.name}, {noise}"] = partial(groups, pack, noise)
    for path in sorted((data / "extraction").glob("*/pages.jsonl.gz")):
        parts[f"extraction of {path.parent.name}"] = partial(extraction, path.parent)
    if cases.is_dir():
        parts["fields of cases"] = partial(fields, cases)
    return parts


def real_files(data: Path) -> list[Path]:
    """The files of real documents: those of the sampled packs, and more."""
    packs = [path.parent for path in sorted((data / "duplicates").glob("*/pairs.csv"))]
    sampled = [pack / "docs.jsonl.gz" for pack in packs if is_sampled(pack)]
    return [*sampled, *sorted((data / "real").glob("*.jsonl.gz"))]


def is_sampled(pack: Path) -> bool:
    """Whether its labels have weights."""
    with (pack / "pairs.csv").open(encoding="utf-8") as lines:
        return "weight" in lines.readline().strip().split(",")


def table_of(*typed: object) -> Tabulated:
    """The first table that a command prints."""
    with keep_tables() as tables, redirect_stdout(StringIO()):
        get_command(app).main(list(map(str, typed)), "dup-groups", standalone_mode=False)
    return tables[0]


def number(cell: str) -> float:
    """The number at the beginning of a cell, before its interval."""
    return float(cell.split(" ")[0].replace(",", ""))


def groups(pack: Path, noise: str = "") -> list[Row]:
    """F1 of the groups of a pack, from its texts."""
    damage = ("--noise", noise) if noise else ()
    name = f"F1 of groups, {pack.name}{', ' * bool(noise)}{noise}"
    return [(name, number(evaluated(pack, *damage).cell("F1", "groups")))]


def sampled_pairs(pack: Path) -> list[Row]:
    """Weighted F1 of a pack whose labelled pairs are a sample: of all, short and long pairs."""
    table = evaluated(pack)
    rows = [(f"F1 weighted, {pack.name}, {cells[0]}", cells) for cells in table.rows]
    return [(name, number(cells[3])) for name, cells in rows if cells[4] != "0, 0, 0"]


def evaluated(pack: Path, *options: str) -> Tabulated:
    files = ("--docs", pack / "docs.jsonl.gz", "--labels", pack / "pairs.csv", "--fields", "html=")
    return table_of("evaluate", "duplicates", *files, "--processes", 1, *options)


def extraction(pack: Path) -> list[Row]:
    """F1 of the texts of a pack of pages, and of its pages that are no articles; none without gold texts."""
    if not any(page.text for page in read_pack(pack)):
        return []
    table = table_of("evaluate", "extraction", "--pack", pack, "--extractors", "auto")
    return [(f"F1 of extraction, {cells[0]}", number(table.cell(cells[0], "F1"))) for cells in table.rows]


# -- fields of pages


def fields(folder: Path) -> list[Row]:
    """The number of fields that are as a reader of the page would say."""
    right = total = 0
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        html = path.with_suffix(".html").read_bytes()
        found = extract(Page(case.get("url"), html, encoding=case.get("header_charset")))
        judged = fields_right(case["expected"], found)
        right, total = right + sum(judged.values()), total + len(judged)
    return [("fields right", right), ("fields judged", total)]


def fields_right(expected: Mapping[str, Any], found: Any) -> dict[str, bool]:
    """Whether each expected field is right: one of several values; of a date, its beginning."""
    text, date = " ".join((found.text or "").split()), found.date or None
    right = {
        name: getattr(found, name) in one_or_more(expected[name])
        for name in ("title", "author", "language", "site")
        if name in expected
    }
    if expected.get("empty"):
        right["text"] = not text
    elif "must" in expected or "must_not" in expected:
        has = all(passage in text for passage in expected.get("must", ()))
        right["text"] = has and not any(passage in text for passage in expected.get("must_not", ()))
    if "date" in expected:
        days = one_or_more(expected["date"])
        right["date"] = any(date == day or bool(date and day and date.startswith(day)) for day in days)
    if "article" in expected:
        right["article"] = (found.article >= 0.5) == expected["article"]
    return right


def one_or_more(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# -- a store that grows


def growth(files: Sequence[Path]) -> list[Row]:
    """What the last documents cost up to two sizes of a SQLite file, and the bytes of their signatures."""
    pages = shuffled(files)[: STORE_SIZES[-1]]
    candidates, milliseconds, size = {}, {}, []
    with tempfile.TemporaryDirectory() as folder, closing(Deduper(f"sqlite:///{folder}/news.db")) as deduper:
        counted, signer = counting(deduper.engine), PageSigner(deduper.config)
        done = 0
        for batch in batches(pages, STORE_BATCH):
            at_size = next((one for one in STORE_SIZES if one - STORE_STEP <= done < one), None)
            before, began = counted[0], time.process_time()
            documents = [document for document in signer.sign(batch) if document]
            deduper.add_signed(documents)
            seconds = time.process_time() - began
            signatures = [document.record.signature for document in documents]
            size += [len("".join(one.keys)) + len(one.body) for one in signatures if one.keys]
            done += len(batch)
            if at_size:
                candidates[at_size] = candidates.get(at_size, 0) + (counted[0] - before) / STORE_STEP
                milliseconds[at_size] = milliseconds.get(at_size, 0) + seconds / STORE_STEP * 1000
    small, large = STORE_SIZES
    if done < large:
        raise SystemExit(f"{done:,} real documents are too few: {large:,} are needed")
    return [
        *((f"candidates a document at {one:,}", candidates[one]) for one in STORE_SIZES),
        (f"candidates, {large:,} / {small:,}", candidates[large] / candidates[small]),
        *((f"CPU ms a document at {one:,}", milliseconds[one]) for one in STORE_SIZES),
        (f"CPU, {large:,} / {small:,}", milliseconds[large] / milliseconds[small]),
        ("bytes of keys and body", sum(size) / len(size)),
    ]


# -- the table


def timed(part: Part) -> tuple[list[Row], float]:
    began = time.monotonic()
    return part(), time.monotonic() - began


def run(parts: Mapping[str, Part]) -> list[Row]:
    """The rows of all parts, in their order; how long each takes goes to standard error."""
    found: dict[str, list[Row]] = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        names = {pool.submit(timed, part): name for name, part in parts.items()}
        for future in as_completed(names):
            found[names[future]], seconds = future.result()
            print(f"{seconds:6.1f} s  {names[future]}", file=sys.stderr, flush=True)
    return [row for name in parts for row in found[name]]


def check(rows: Sequence[Row], limits: Mapping[str, Mapping[str, float]], *, whole: bool) -> list[str]:
    """A sentence for each row beyond its limit and, of the whole table, for each limit without a row."""
    values, floors, ceilings = dict(rows), limits.get("floors", {}), limits.get("ceilings", {})
    low = [
        f"{name}: {values[name]:.4f} is below {floor}"
        for name, floor in floors.items()
        if name in values and values[name] < floor - 5e-5
    ]
    high = [
        f"{name}: {values[name]:.4f} is above {ceiling}"
        for name, ceiling in ceilings.items()
        if name in values and values[name] > ceiling + 5e-5
    ]
    missing = [f"{name}: not measured" for name in (*floors, *ceilings) if name not in values]
    return [*low, *high, *(missing if whole else [])]


def print_table(rows: Sequence[Row], limits: Mapping[str, Mapping[str, float]]) -> None:
    print("| row | value | limit |\n|---|--:|--:|")
    for name, value in rows:
        signs = {"≥": limits.get("floors", {}), "≤": limits.get("ceilings", {})}
        limit = " ".join(f"{sign} {known[name]}" for sign, known in signs.items() if name in known)
        print(f"| {name} | {value:.4f} | {limit} |")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="quality", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="parts with this word in their names")
    parser.add_argument("--floors", type=Path, default=FLOORS)
    options = parser.parse_args(arguments)
    parts = {name: part for name, part in parts_of(options.folder).items() if re.search(options.only, name)}
    if not parts:
        parser.error(f"{options.folder} has nothing to measure: it needs data/duplicates")
    limits = tomllib.loads(options.floors.read_text(encoding="utf-8"))
    rows = run(parts)
    print_table(rows, limits)
    failures = check(rows, limits, whole=not options.only)
    print("\n".join(failures) or "Nothing is worse.")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
