"""`make bench-offline`: what grouping a corpus without an engine costs, beside other libraries.

    python benchmarks/offline.py [--texts 50000] [--rivals datasketch,spark] [--processes 2] [--memory 1024]

Texts are 300 made words, a fifth of them copies of an earlier one that lacks 12 words; every program gets
the same JSON Lines and writes a group for each id. Each runs in a process of its own: CPU is that of the
process and its children, memory the most that all of them held at once. Precision and recall are those of
pairs in one group. Rivals that are not installed are left out.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

SHINGLE, PERMUTATIONS, THRESHOLD = 5, 128, 0.5


def write(path: Path, number: int) -> list[int]:
    """Write the texts; the story of each document."""
    from scale import page, story_of  # not in the processes of rivals, whose memory is measured

    with path.open("w") as file:
        for place in range(number):
            file.write(json.dumps({"id": f"{place:08}", "text": page(place).text}) + "\n")
    return list(map(story_of, range(number)))


# -- measuring a process


def measured(command: list[str]) -> tuple[float, float, float] | None:
    """Seconds, those of CPU, and most MB of a command; None if it fails, after printing its last line."""
    from scale import family, used_by

    before, start, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0.0
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said) as process,
    ):
        while process.poll() is None:
            peak = max(peak, used_by(family(process.pid))[1])
            time.sleep(0.1)
        said.seek(0)
        if process.returncode:
            print(f"{' '.join(command[:3])}: {said.read().strip().splitlines()[-1:]}", file=sys.stderr)
            return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, cpu, peak


# -- the programs: each reads `docs`, and writes `groups`: rows of id and group


def run_datasketch(docs: Path, groups: Path, processes: int) -> None:
    """MinHashLSH as its documentation does it: insert, and unite with what a query finds."""
    from datasketch import MinHash, MinHashLSH

    index, parent = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS), {}
    with docs.open() as file:
        for document in map(json.loads, file):
            words = document["text"].split()
            sketch = MinHash(num_perm=PERMUTATIONS)
            runs = range(max(1, len(words) - SHINGLE + 1))
            sketch.update_batch([" ".join(words[at : at + SHINGLE]).encode() for at in runs])
            parent[document["id"]] = document["id"]
            for other in index.query(sketch):
                parent[_root(parent, other)] = _root(parent, document["id"])
            index.insert(document["id"], sketch)
    _written(groups, {id_: _root(parent, id_) for id_ in parent})


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


RIVALS = {"datasketch": run_datasketch, "spark": run_spark}


def _root(parent: dict[str, str], id_: str) -> str:
    while parent[id_] != id_:
        parent[id_] = id_ = parent[parent[id_]]
    return id_


def _written(path: Path, groups: dict[str, str]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("id", "group"), *groups.items()])


# -- the table


def compare(options: argparse.Namespace, folder: Path) -> None:
    from scale import print_table

    docs, groups = folder / "docs.jsonl", folder / "groups.csv"
    stories = write(docs, options.texts)
    ours = [sys.executable, "-m", "dupgroups", "group", str(docs), "--out", str(groups)]
    limits = ["--processes", str(options.processes), "--memory", str(options.memory)]
    commands = {"dup-groups group": [*ours, *limits]}
    for name in filter(None, options.rivals.split(",")):
        rival = [sys.executable, __file__, "--run", name, str(docs), str(groups)]
        commands[name] = [*rival, "--processes", str(options.processes)]
    print(f"\n{options.texts:,} texts, {options.processes} processes\n")
    heads = "|seconds|CPU ms a document|documents/s/core|peak MB|precision|recall".split("|")
    print_table(heads, _rows(commands, groups, stories))


def _rows(commands: dict[str, list[str]], groups: Path, stories: list[int]) -> Iterator[list[str]]:
    from scale import scores

    for name, command in commands.items():
        if cost := measured(command):
            seconds, cpu, peak = cost
            each, rate = f"{1000 * cpu / len(stories):.3f}", f"{len(stories) / cpu:,.0f}"
            with groups.open() as file:  # ids are places
                agreed = scores((row["group"], stories[int(row["id"])]) for row in csv.DictReader(file))
            shares = (f"{share:.4f}" for share in agreed)
            yield [name, f"{seconds:.1f}", each, rate, f"{peak:,.0f}", *shares]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=50_000)
    parser.add_argument("--rivals", default=",".join(RIVALS))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--memory", type=int, default=1024, metavar="MB")
    parser.add_argument("--run", nargs=3, metavar=("RIVAL", "DOCS", "GROUPS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        name, docs, groups = options.run
        RIVALS[name](Path(docs), Path(groups), options.processes)
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(options, Path(folder))


if __name__ == "__main__":
    main()
