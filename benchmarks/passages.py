"""`make bench-passages PACK=FOLDER PASSIM=FOLDER`: texts with passages in common, found by us and by passim.

    python benchmarks/passages.py FOLDER [--passim FOLDER] [--processes 1] [--memory 6]

FOLDER has docs.jsonl.gz and pairs.csv (a, b, label, and the weight of each). The folder of passim has it and
intervaltree: `pip install --target FOLDER git+https://github.com/dasmiq/passim`. It runs with its defaults
up to the passages of pairs (`--pairwise`): their clusters, which need the jar of graphframes, are not made.
"joined": pairs whose passages have --threshold of the characters of the longer text. All get texts without
titles; passim with a line of its own before each, for it loses a passage that begins with its text.

Of each label, the share of the pairs that are found. A pair labelled "non" may well have a passage in common.
Then the share of EXCERPTS excerpts of so many words, from texts of LONG_WORDS and more, that find their text.
"""

import csv
import json
import os
import random
import sys
import tempfile
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from offline import measured, ours, write_rows
from scale import print_table

from dupgroups import Deduper
from dupgroups_lab.labels.labelled_pairs import pairs_within
from quality.growth import shuffled

LABELS = "duplicate", "containment", "near", "non"
EXCERPT_WORDS, EXCERPTS, LONG_WORDS = (50, 80, 120, 200), 200, 300
LEAD_CHARS = 40  # passim loses passages that begin in the first 20
NO_CLUSTERS = "class GraphFrame:\n    def __init__(self, *parts):\n        raise SystemExit(0)\n"
SPARK = {
    "spark.ui.enabled": "false",
    "spark.sql.execution.pythonUDF.arrow.enabled": "false",  # passim gives generators
}

Pairs = dict[frozenset[str], bool]  # whether they are joined


def command_of_passim(docs: Path, out: Path, options: Namespace) -> list[str]:
    """Its command, which ends when the pairs are written."""
    stand_in, led = out.with_name("stand-in"), out.with_name("led.jsonl")
    stand_in.mkdir()
    (stand_in / "graphframes.py").write_text(NO_CLUSTERS)
    rows = map(json.loads, docs.open(encoding="utf-8"))
    write_rows(led, ({**row, "site": "", "text": f"{lead(row['id'])}\n{row['text']}"} for row in rows))
    spark = [part for name, value in SPARK.items() for part in ("--conf", f"{name}={value}")]
    master = ["--master", f"local[{options.processes}]", "--driver-memory", f"{options.memory}g"]
    environment = {
        "PYTHONPATH": os.pathsep.join([str(stand_in), str(options.passim.absolute())]),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": " ".join([*master, *spark, "pyspark-shell"]),
    }
    # its rows cannot be stored without a field
    program = [sys.executable, "-m", "passim.seriatim", "--fields", "site", "--pairwise", str(led), str(out)]
    return ["env", *(f"{name}={value}" for name, value in environment.items()), *program]


def lead(id_: str) -> str:
    """A line that no other text has."""
    return sha256(id_.encode()).hexdigest()[:LEAD_CHARS]


def pairs_of_passim(out: Path, lengths: dict[str, int], threshold: float) -> Pairs:
    common = Counter[frozenset[str]]()
    for part in (out / "align.json").glob("*.json"):
        for line in part.open(encoding="utf-8"):
            passage = json.loads(line)
            common[frozenset((passage["id"], passage["id2"]))] += passage["matches"]
    return {
        pair: matches >= threshold * max(lengths[id_] for id_ in pair) for pair, matches in common.items()
    }


def command_of_find(docs: Path, out: Path) -> list[str]:
    """Fill a file, and ask it for each document."""
    engine = f"--quiet --engine sqlite:///{out}.db"
    program = f"{sys.executable} -m dupgroups"
    return ["sh", "-c", f"{program} add {docs} {engine} && {program} find {docs} --json {engine} >{out}"]


def pairs_of_find(out: Path) -> Pairs:
    found: Pairs = {}
    for line in out.open(encoding="utf-8"):
        answer = json.loads(line)
        for one in answer["found"]:
            if one["id"] != answer["id"]:
                pair = frozenset((answer["id"], one["id"]))
                found[pair] = found.get(pair, False) or one["joins"]
    return found


def pairs_of_groups(out: Path) -> Pairs:
    with out.open(newline="") as file:
        groups = {row["id"]: row["group"] for row in csv.DictReader(file)}
    return dict.fromkeys(map(frozenset, pairs_within(groups)), True)


# -- the table

HEADS = ["", *LABELS, "F1 of duplicate", "pairs", "seconds", "CPU ms a text", "x group"]


def shares(pairs: set[frozenset[str]], pack: Path) -> list[str]:
    """Of each label the weighted share that is found, and F1 of duplicates against non."""
    found, total = Counter[str](), Counter[str]()
    with (pack / "pairs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            weight = float(row.get("weight") or 1)
            total[row["label"]] += weight  # type: ignore[assignment]
            found[row["label"]] += weight * (frozenset((row["a"], row["b"])) in pairs)  # type: ignore[assignment]
    f1 = 2 * found["duplicate"] / (found["duplicate"] + found["non"] + total["duplicate"])
    return [*(f"{found[label] / total[label]:.3f}" if total[label] else "" for label in LABELS), f"{f1:.3f}"]


def measure_ways(options: Namespace, folder: Path) -> Iterator[list[str]]:
    pages = shuffled([options.pack / "docs.jsonl.gz"])
    docs = folder / "docs.jsonl"
    rows = [
        {"id": page.id, "text": page.text or "", "site": f"{at}.example"} for at, page in enumerate(pages)
    ]
    write_rows(docs, rows)
    lengths = {page.id: len(page.text or "") for page in pages}
    group, find, passim = (folder / name for name in ("group", "find", "passim"))
    ways = {
        "dup-groups group": (ours(docs, group, options), lambda: pairs_of_groups(group)),
        "dup-groups find": (command_of_find(docs, find), lambda: pairs_of_find(find)),
    }
    if options.passim:
        command = command_of_passim(docs, passim, options)
        ways["passim"] = command, lambda: pairs_of_passim(passim, lengths, options.threshold)
    first = 0.0
    for name, (command, read) in ways.items():
        if cost := measured(command):
            each = 1000 * cost[1] / len(pages)
            first, pairs = first or each, read()
            costs = [f"{cost[0]:.0f}", f"{each:.1f}", f"{each / first:.1f}"]
            joined = {pair for pair, joins in pairs.items() if joins}
            if len(joined) < len(pairs):
                listed = shares({*pairs}, options.pack)[:-1]
                yield [name, *listed, "", f"{len(pairs):,}", *costs]
                name, costs = f"{name}, joined", ["", "", ""]
            yield [name, *shares(joined, options.pack), f"{len(joined):,}", *costs]


def measure_excerpts(database: Path, texts: Sequence[tuple[str, str]]) -> list[str]:
    """The share of the excerpts of each length that find the text that they are from."""
    rng = random.Random(1)
    found = dict.fromkeys(EXCERPT_WORDS, 0)
    with Deduper(f"sqlite:///{database}") as deduper:
        for words in EXCERPT_WORDS:
            for id_, text in rng.choices(texts, k=EXCERPTS):
                parts = text.split()
                start = rng.randrange(len(parts) - words)
                near = deduper.find(" ".join(parts[start : start + words]))
                found[words] += any(one.id == id_ for one in near)
    return [f"{count / EXCERPTS:.2f}" for count in found.values()]


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path, help="a folder with docs.jsonl.gz and pairs.csv")
    parser.add_argument("--passim", type=Path, help="a folder with passim and intervaltree")
    parser.add_argument("--threshold", type=float, default=0.5)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--memory", type=int, default=6, metavar="GB", help="for Spark")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print_table(HEADS, measure_ways(options, Path(folder)))
        rows = map(json.loads, (Path(folder) / "docs.jsonl").open(encoding="utf-8"))
        long = [(row["id"], row["text"]) for row in rows if len(row["text"].split()) > LONG_WORDS]
        if long:
            print()
            heads = [f"{words} words" for words in EXCERPT_WORDS]
            print_table(["", *heads], [["excerpts", *measure_excerpts(Path(folder) / "find.db", long)]])


if __name__ == "__main__":
    main()
