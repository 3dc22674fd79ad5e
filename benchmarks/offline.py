"""`make bench-offline`: what grouping a pile without an engine costs, beside other libraries in the same run.

    python benchmarks/offline.py [--texts 50000] [--signed 1000000]
                                 [--rivals datasketch,datatrove,spark,text-dedup]
                                 [--python datatrove=/venv/bin/python] [--processes 2] [--memory 1024]

Texts are 300 made words, a fifth of them copies of an earlier one that lacks 12 words; every program gets
the same JSON Lines and writes a group for each id. Each runs in a process of its own: CPU is that of the
process and its children, memory the most that all of them held at once. Precision and recall are those of
pairs in one group. `--signed` measures grouping alone: keys and bodies come from a generator, whose time is
not counted. Rivals that are not installed are left out; `--python` names the interpreter of one of another
environment.
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
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COPIES, GAP, WORDS, KEYS = 0.2, 12, 300, 17
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


def run_datatrove(docs: Path, groups: Path, processes: int) -> None:
    """Its four stages, with as many tasks as processes, and the ids of clusters saved."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupFilter
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    folder, config = docs.parent / "datatrove", MinhashConfig(num_buckets=14, hashes_per_bucket=8)
    reader = JsonlReader(str(docs.parent), glob_pattern=docs.name)
    signatures, buckets, removed, kept = (str(folder / name) for name in ("sigs", "buckets", "ids", "out"))
    stages = [
        ([reader, MinhashDedupSignature(signatures, config)], 1),
        ([MinhashDedupBuckets(signatures, buckets, config=config)], config.num_buckets),
        ([MinhashDedupCluster(buckets, removed, config=config, save_cluster_id=True)], 1),
        (
            [
                reader,
                MinhashDedupFilter(
                    removed,
                    load_cluster_ids=True,
                    exclusion_writer=JsonlWriter(f"{kept}/no", compression=None),
                ),
                JsonlWriter(f"{kept}/yes", compression=None),
            ],
            1,
        ),
    ]
    for number, (pipeline, tasks) in enumerate(stages):
        log = str(folder / f"log{number}")
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=min(tasks, processes), logging_dir=log).run()
    found = {}
    for path in Path(kept).glob("*/*.jsonl"):
        for document in map(json.loads, path.open()):
            found[document["id"]] = str(document["metadata"].get("minhash_cluster_id", document["id"]))
    _written(groups, {id_: cluster if cluster != "-1" else id_ for id_, cluster in found.items()})


def run_text_dedup(docs: Path, groups: Path, processes: int) -> None:
    """Its command; the clusters are written into the data set."""
    from datasets import load_from_disk

    out = docs.parent / "text-dedup"
    command = f"-m text_dedup.minhash --path json --data_files {docs} --split train --output {out}"
    more = f"--column text --batch_size 10000 --num_proc {processes} --threshold {THRESHOLD}"
    more += f" --debug --skip_filter --cache_dir {docs.parent / 'cache'}"
    subprocess.run([sys.executable, *command.split(), *more.split()], check=True)
    rows = load_from_disk(str(out))
    _written(groups, {row["id"]: str(row["__cluster__"]) for row in rows})


def run_spark(docs: Path, groups: Path, processes: int) -> None:
    """Our own grouping in Spark, in local mode; ends when Spark has, so that what it took is counted."""
    from pyspark.sql import SparkSession

    from dupgroups.spark import group

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{processes}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.shuffle.partitions", 4 * processes).getOrCreate()
    rows = group(spark.read.json(str(docs), "id string, text string"), order=None).collect()
    _written(groups, {row.id: row.dup_group for row in rows})
    java = spark.sparkContext._gateway.proc
    spark.stop()
    java.stdin.close()
    java.wait()


RIVALS = {
    "datasketch": run_datasketch,
    "datatrove": run_datatrove,
    "spark": run_spark,
    "text-dedup": run_text_dedup,
}


def _root(parent: dict[str, str], id_: str) -> str:
    while parent[id_] != id_:
        parent[id_] = id_ = parent[parent[id_]]
    return id_


def _written(path: Path, groups: dict[str, str]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("id", "group"), *groups.items()])


# -- the table of texts


def scores(groups: Path, stories: list[int]) -> tuple[float, float]:
    """Precision and recall of the pairs that are in one group; ids are places."""
    with groups.open() as file:
        rows = list(csv.reader(file))[1:]
    found = Counter(group for _, group in rows)
    both = Counter((group, stories[int(id_)]) for id_, group in rows)
    true = Counter(stories)
    pairs = [sum(size * (size - 1) // 2 for size in sizes.values()) for sizes in (both, found, true)]
    return pairs[0] / (pairs[1] or 1), pairs[0] / (pairs[2] or 1)


def compare_texts(options: argparse.Namespace, folder: Path) -> None:
    docs, groups = folder / "docs.jsonl", folder / "groups.csv"
    stories = write(docs, options.texts)
    pythons = dict(given.split("=", 1) for given in options.python)
    processes = ["--processes", str(options.processes)]
    ours = [sys.executable, "-m", "dupgroups", "group", str(docs), "--out", str(groups), *processes]
    commands = {
        "dup-groups group": [*ours, "--memory", str(options.memory)],
        "the same to Parquet, with the compared pairs": [
            *ours[:6],
            str(folder / "groups.parquet"),
            *processes,
            "--pairs",
            str(folder / "pairs.csv"),
        ],
    }
    for name in filter(None, options.rivals.split(",")):
        rival = [pythons.get(name, sys.executable), __file__, "--run", name, str(docs), str(groups)]
        commands[name] = [*rival, "--processes", str(options.processes)]
    print(f"\n{options.texts:,} texts, {options.processes} processes\n")
    print("| | seconds | CPU ms a document | documents/s/core | peak MB | precision | recall |")
    print("|---|---|---|---|---|---|---|")
    for name, command in commands.items():
        groups.unlink(missing_ok=True)
        cost = measured(command)
        if cost is None:
            continue
        figures = (f"{score:.4f}" for score in scores(groups, stories)) if groups.exists() else ("", "")
        print(
            f"| {name} | {cost.seconds:.1f} | {1000 * cost.cpu / options.texts:.3f} | "
            f"{options.texts / cost.cpu:,.0f} | {cost.peak / 1e6:,.0f} | {' | '.join(figures)} |",
            flush=True,
        )


# -- signed documents


def group_signed(number: int, memory: int, processes: int) -> None:
    """Group documents whose keys and bodies come from a generator, and print a row."""
    from dupgroups.config import Config
    from dupgroups.grouping.scratch import Scratch
    from dupgroups.method_set import MethodSet
    from dupgroups.offline import Pile, grouped
    from dupgroups.processes import Pool

    earlier = _cpu_of_children()  # of the commands that were compared
    with Scratch(memory << 20) as scratch, Pool(processes, MethodSet, Config()) as pool:
        pile, added, wall = Pile(scratch), 0.0, 0.0
        stories = []
        for columns, known in signed(number):
            stories.append(known)
            start, begun = time.process_time(), time.monotonic()
            pile.add(columns)
            added, wall = added + time.process_time() - start, wall + time.monotonic() - begun
        start, begun = time.process_time(), time.monotonic()
        groups = grouped(pile, pool=pool)
        added, wall = added + time.process_time() - start, wall + time.monotonic() - begun
    cpu = added + _cpu_of_children() - earlier
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    _check(groups.oldest, stories)
    print(
        f"| {number:,} | {wall:.1f} | {1e6 * cpu / number:.2f} | {number / cpu:,.0f} | {peak / 1e6:,.0f} | "
        f"{len(groups):,} | {groups.compared:,} |"
    )


def _cpu_of_children() -> float:
    """Seconds of the processes that this one has started and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def signed(number: int, at_once: int = 10_000):  # type: ignore[no-untyped-def]
    """Columns of signed documents, and for each the place of what it is a copy of, or its own."""
    import numpy as np

    from dupgroups.codecs.sketch_codec import pack
    from dupgroups.method_set import MethodSet
    from dupgroups.offline import Columns

    rng, scheme = np.random.default_rng(3), MethodSet().signer("en").scheme
    for first in range(0, number, at_once):
        n = min(at_once, number - first)
        story = np.arange(n)
        copies = np.flatnonzero(rng.random(n) < COPIES)
        story[copies] = (rng.random(len(copies)) * copies).astype(np.int64)
        while (story[story] != story).any():
            story = story[story]
        keys = rng.integers(0, 1 << 63, (n, KEYS), dtype=np.uint64)
        shingles = rng.integers(0, 1 << 63, (n, WORDS), dtype=np.uint64) << np.uint64(1)
        changed = rng.random((n, WORDS)) < 14 / WORDS
        shingles = np.where(changed, shingles, shingles[story])
        keys = np.where(rng.random(keys.shape) < 0.1, keys, keys[story])
        figures = rng.integers(0, 256, (n, 30), dtype=np.uint8)[story]
        _, sketches = pack("bitmap", shingles.reshape(-1), np.arange(0, n * WORDS + 1, WORDS), 1512)
        bodies = [sketch + figure.tobytes() for sketch, figure in zip(sketches, figures, strict=True)]
        yield (
            Columns(
                [f"{place:09}" for place in range(first, first + n)],
                [f"site{place % 97}.example" for place in range(n)],
                [scheme] * n,
                np.arange(first, first + n),
                np.zeros(n, np.int32),
                keys.reshape(-1),
                np.full(n, KEYS),
                b"".join(bodies),
                np.array(list(map(len, bodies))),
            ),
            story + first,
        )


def _check(oldest, stories) -> None:  # type: ignore[no-untyped-def]
    """The groups have to be those that were made."""
    import numpy as np

    wrong = int(np.count_nonzero(oldest != np.concatenate(stories)))
    if wrong:
        print(f"{wrong:,} documents are in another group than the generator meant", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=50_000)
    parser.add_argument("--signed", type=int, default=1_000_000)
    parser.add_argument("--rivals", default=",".join(RIVALS))
    parser.add_argument("--python", action="append", default=[], metavar="RIVAL=INTERPRETER")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--memory", type=int, default=1024, metavar="MB")
    parser.add_argument("--run", nargs=3, metavar=("RIVAL", "DOCS", "GROUPS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        name, docs, groups = options.run
        RIVALS[name](Path(docs), Path(groups), options.processes)
        return
    with tempfile.TemporaryDirectory() as folder:
        if options.texts:
            compare_texts(options, Path(folder))
    if options.signed:
        print(f"\nSigned documents, {options.memory:,} MB for what is kept of them\n")
        print("| documents | seconds | CPU us a document | documents/s/core | peak MB | groups | pairs |")
        print("|---|---|---|---|---|---|---|")
        group_signed(options.signed, options.memory, options.processes)


if __name__ == "__main__":
    main()
