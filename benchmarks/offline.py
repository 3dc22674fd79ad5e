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
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COPIES, GAP, WORDS = 0.2, 12, 300
SHINGLE, PERMUTATIONS, THRESHOLD = 5, 128, 0.5


def texts(number: int) -> Iterator[tuple[int, str]]:
    """Number of the story, and text, in an order in which copies come after what they copy."""
    rng = random.Random(7)
    syllables = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()
    vocabulary = ["".join(rng.choices(syllables, k=rng.randint(2, 3))) for _ in range(20_000)]
    kept: list[tuple[int, list[str]]] = []
    for story in range(number):
        if kept and rng.random() < COPIES:
            story, words = rng.choice(kept)
            gap = rng.randrange(len(words))
            words = words[:gap] + words[gap + GAP :]
        else:
            words = rng.choices(vocabulary, k=WORDS)
            place = rng.randrange(1000)
            kept[place : place + 1] = [(story, words)]
        yield story, ". ".join(" ".join(words[at : at + 18]) for at in range(0, len(words), 18)) + "."


def write(path: Path, number: int) -> list[int]:
    """Write the texts; the story of each document."""
    stories = []
    with path.open("w") as file:
        for place, (story, text) in enumerate(texts(number)):
            stories.append(story)
            file.write(json.dumps({"id": f"{place:08}", "text": text}) + "\n")
    return stories


# -- measuring a process


@dataclass
class Cost:
    """What a process and its children took."""

    seconds: float
    cpu: float
    peak: int


def measured(command: list[str]) -> Cost | None:
    """Run a command; None if it fails, after printing the last line that it said."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        peaks = [0]
        watch = threading.Thread(target=_watch, args=(process, peaks), daemon=True)
        watch.start()
        said = process.communicate()[1]
    watch.join()
    if process.returncode:
        print(f"{' '.join(command[:3])}: {said.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.monotonic() - start, cpu, peaks[0])


def _watch(process: subprocess.Popen[str], peaks: list[int]) -> None:
    while process.poll() is None:
        peaks[0] = max(peaks[0], sum(map(_resident, _family(process.pid))))
        time.sleep(0.1)


def _family(pid: int) -> list[int]:
    """A process and its descendants; [] where there is no /proc."""
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *(descendant for child in children for descendant in _family(child))]


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds, shared libraries counted once for each."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


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


def agreement(groups: Path, stories: list[int]) -> tuple[float, float]:
    """Precision and recall of the pairs that are in one group; ids are places."""
    from scale import scores  # not in the processes of rivals, whose memory is measured

    with groups.open() as file:
        return scores((group, stories[int(id_)]) for id_, group in list(csv.reader(file))[1:])


def compare(options: argparse.Namespace, folder: Path) -> None:
    docs, groups = folder / "docs.jsonl", folder / "groups.csv"
    stories = write(docs, options.texts)
    ours = [sys.executable, "-m", "dupgroups", "group", str(docs), "--out", str(groups)]
    limits = ["--processes", str(options.processes), "--memory", str(options.memory)]
    commands = {"dup-groups group": [*ours, *limits]}
    for name in filter(None, options.rivals.split(",")):
        rival = [sys.executable, __file__, "--run", name, str(docs), str(groups)]
        commands[name] = [*rival, "--processes", str(options.processes)]
    print(f"\n{options.texts:,} texts, {options.processes} processes\n")
    print("| | seconds | CPU ms a document | documents/s/core | peak MB | precision | recall |")
    print("|---|---|---|---|---|---|---|")
    for name, command in commands.items():
        groups.unlink(missing_ok=True)
        cost = measured(command)
        if cost is None:
            continue
        figures = (f"{score:.4f}" for score in agreement(groups, stories)) if groups.exists() else ("", "")
        print(
            f"| {name} | {cost.seconds:.1f} | {1000 * cost.cpu / options.texts:.3f} | "
            f"{options.texts / cost.cpu:,.0f} | {cost.peak / 1e6:,.0f} | {' | '.join(figures)} |",
            flush=True,
        )


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
