"""`make bench-offline`: what grouping a corpus without an engine costs, beside other libraries.

    python benchmarks/offline.py [--texts 50000] [--rivals gaoya,...] [--processes 2] [--memory 1024]
    python benchmarks/offline.py --docs FILE ... [--rivals gaoya,rensa]
    python benchmarks/offline.py --pack FOLDER [--threshold 0.5]

Texts are 300 made words, a fifth of them copies of an earlier one that lacks 12 words, which is for the shape
of a cost only. --docs: real documents in random order. --pack: those of docs.jsonl.gz, with the F1 of the
pairs that pairs.csv labels (a, b, label: duplicate or non, and the weight of each, 1 without one).
Every program gets the same JSON Lines, rivals the title of a document as its first line, and writes a group
for each id. Each runs in a process of its own: CPU is that of the process and its children, memory the most
that all of them held at once. --threshold: from which resemblance rivals join. Rivals that are not installed
are left out.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

SHINGLE, PERMUTATIONS, THRESHOLD = 5, 128, 0.5
BANDS = 32  # of four values each: what resembles in THRESHOLD shares one with 87 %


# -- measuring a process


def measured(command: list[str]) -> tuple[float, float, float] | None:
    """Seconds, those of CPU, and most MB of a command; None if it fails, after printing its last line.

    CPU that a process left uncounted (pyspark ends before its Java) is that of the last look.
    """
    from costs import used_by

    from processes import process_tree

    before, start, peak, seen = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0.0, 0.0
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said) as process,
    ):
        while process.poll() is None:
            peak, seen = map(max, (peak, seen), used_by(process_tree(process.pid))[::-1])
            time.sleep(0.1)
        said.seek(0)
        if process.returncode:
            print(f"{' '.join(command[:3])}: {said.read().strip().splitlines()[-1:]}", file=sys.stderr)
            return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, max(cpu, seen), peak


# -- the programs: each reads `docs`, and writes `groups`: rows of id and group


def run_gaoya(texts: Sequence[str]) -> Iterator[Iterable[int]]:
    """Its index of strings: insert, and unite with what a query finds."""
    from gaoya.minhash import MinHashStringIndex

    runs = SHINGLE, SHINGLE
    index = MinHashStringIndex(BANDS, THRESHOLD, None, None, PERMUTATIONS, "word", True, runs)
    for place, text in enumerate(texts):
        yield index.query(text)
        index.insert_document(place, text)


def run_rensa(texts: Sequence[str]) -> Iterator[Iterable[int]]:
    """RMinHash and its LSH; what shares a band is compared by sketch."""
    from rensa import RMinHash, RMinHashLSH

    index, sketches = RMinHashLSH(THRESHOLD, PERMUTATIONS, BANDS), list[Any]()
    for place, text in enumerate(texts):
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=42)
        sketch.update(_runs(text))
        yield [other for other in index.query(sketch) if sketches[other].jaccard(sketch) >= THRESHOLD]
        index.insert(place, sketch)
        sketches.append(sketch)


RIVALS = {"gaoya": run_gaoya, "rensa": run_rensa}


def _runs(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1))]


def run_rival(name: str, docs: Path, groups: Path) -> None:
    """Unite each document with those before it that the rival finds."""
    with docs.open() as file:
        rows = [json.loads(line) for line in file]
    ids = [row["id"] for row in rows]
    texts = ["\n".join(filter(None, [row.get("title"), row["text"]])) for row in rows]
    parent = list(range(len(ids)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = place = parent[parent[place]]
        return place

    for place, others in enumerate(RIVALS[name](texts)):
        for other in others:
            parent[root(other)] = root(place)
    _written(groups, {id_: ids[root(place)] for place, id_ in enumerate(ids)})


def run_spark(docs: Path, groups: Path, processes: int) -> None:
    """Our own grouping in Spark, in local mode; ends when Spark has, so that what it took is counted."""
    from pyspark.sql import SparkSession

    from dupgroups_spark import group

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{processes}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.shuffle.partitions", 4 * processes).getOrCreate()
    rows = group(spark.read.json(str(docs), "id string, text string"), order=None).collect()
    _written(groups, {row.id: row.dup_group for row in rows})
    java = spark.sparkContext._gateway.proc
    spark.stop()
    java.stdin.close()
    java.wait()


def _written(path: Path, groups: dict[str, str]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("id", "group"), *groups.items()])


# -- the table

HEADS = "|seconds|CPU ms a document|documents/s/core|peak MB".split("|")


def compare(options: Namespace, folder: Path) -> None:
    """Print a table of all programs on the texts."""
    from costs import print_table  # not in the processes of rivals: their memory is measured
    from made_texts import page

    from quality.growth import shuffled

    docs, groups = folder / "docs.jsonl", folder / "groups.csv"
    real = [options.pack / "docs.jsonl.gz"] if options.pack else options.docs
    pages = shuffled(real) if real else [page(place) for place in range(options.texts)]
    names = ("id", "title", "url", "date")
    rows = ({name: getattr(one, name) for name in names} | {"text": one.text or ""} for one in pages)
    docs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ours = [sys.executable, "-m", "dupgroups", "group", str(docs), "--out", str(groups)]
    ours += ["--processes", str(options.processes), "--memory", str(options.memory)]
    commands = {"dup-groups group": ours}
    for name in filter(None, options.rivals.split(",")):
        rival = [sys.executable, __file__, "--run", name, str(docs), str(groups)]
        threshold = ["--threshold", str(options.threshold)]
        commands[name] = [*rival, "--processes", str(options.processes), *threshold]
    print(f"\n{len(pages):,} texts, {options.processes} processes\n")
    heads = [*HEADS, "precision", "recall", "F1"] if options.pack else HEADS
    print_table(heads, _rows(commands, groups, len(pages), options.pack))


def _rows(
    commands: dict[str, list[str]], groups: Path, number: int, pack: Path | None = None
) -> Iterator[list[str]]:
    for name, command in commands.items():
        if cost := measured(command):
            seconds, cpu, peak = cost
            each, rate = f"{1000 * cpu / number:.3f}", f"{number / cpu:,.0f}"
            shares = scores(groups, pack) if pack else ()
            yield [name, f"{seconds:.1f}", each, rate, f"{peak:,.0f}", *(f"{share:.3f}" for share in shares)]


def scores(groups: Path, pack: Path) -> tuple[float, float, float]:
    """Weighted precision, recall and F1 of the labelled pairs; pairs with other labels do not count."""
    with groups.open(newline="") as file:
        group = {row["id"]: row["group"] for row in csv.DictReader(file)}
    found = true = right = 0.0
    with (pack / "pairs.csv").open(encoding="utf-8", newline="") as file:
        labelled = [row for row in csv.DictReader(file) if row["label"] in ("duplicate", "non")]
    for row in labelled:
        weight, is_copy = float(row.get("weight") or 1), row["label"] == "duplicate"
        together = row["a"] in group and group[row["a"]] == group.get(row["b"])
        found, true = found + weight * together, true + weight * is_copy
        right += weight * (together and is_copy)
    precision, recall = right / max(1e-9, found), right / max(1e-9, true)
    return precision, recall, 2 * right / max(1e-9, found + true)


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=50_000)
    parser.add_argument("--docs", type=Path, nargs="+", help="real documents instead of made ones")
    parser.add_argument("--pack", type=Path, help="a folder with docs.jsonl.gz and pairs.csv")
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--rivals", default=",".join([*RIVALS, "spark"]))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--memory", type=int, default=1024, metavar="MB")
    parser.add_argument("--run", nargs=3, metavar=("RIVAL", "DOCS", "GROUPS"), help=SUPPRESS)
    options = parser.parse_args()
    if options.run:
        name, docs, groups = options.run
        globals()["THRESHOLD"] = options.threshold
        if name == "spark":
            run_spark(Path(docs), Path(groups), options.processes)
        else:
            run_rival(name, Path(docs), Path(groups))
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(options, Path(folder))


if __name__ == "__main__":
    main()
