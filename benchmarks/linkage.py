"""What average linkage costs beside closure: the CPU time of adding signed documents, and the groups.

    python benchmarks/linkage.py [DOCUMENTS]
    python benchmarks/linkage.py template [MEMBERS ...]

Two piles: one in which a fifth are copies of an earlier text with a gap, and one chain in which 1 to 4 of 30
sentences change from each text to the next. The groups are compared with those of `dup-groups group`.
`template`: what one more near copy costs in SQLite when a group has so many members.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from dupgroups import Config, Deduper, Page
from dupgroups.model import Document
from dupgroups.offline import group_records

BATCH = 200
COPIES = 0.2
GAP = 12  # words that a copy lacks
CHAIN = 200
MORE = 20  # near copies that come to a template, one by one
MEMBERS = (10, 40, 1_000, 3_000, 5_000)
SENTENCES = 30

_SYLLABLES = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()


def sentence(rng: random.Random) -> str:
    """Eighteen made words."""
    return " ".join("".join(rng.choices(_SYLLABLES, k=rng.randint(2, 3))) for _ in range(18)) + "."


def copies(number: int, rng: random.Random) -> list[str]:
    """Texts of 250 words, a fifth of them copies."""
    texts: list[str] = []
    for _ in range(number):
        if texts and rng.random() < COPIES:
            words = rng.choice(texts).split(" ")
            gap = rng.randrange(len(words))
            texts.append(" ".join(words[:gap] + words[gap + GAP :]))
        else:
            texts.append(" ".join(sentence(rng) for _ in range(14)))
    return texts


def chain(number: int, rng: random.Random) -> list[str]:
    """Texts of 30 sentences, each like the one before but for 1 to 4 of them."""
    sentences = [sentence(rng) for _ in range(SENTENCES)]
    texts = []
    for _ in range(number):
        for _ in range(rng.randint(1, 4)):
            sentences[rng.randrange(SENTENCES)] = sentence(rng)
        texts.append("\n".join(sentences))
    return texts


def near_copies(number: int, rng: random.Random) -> list[str]:
    """Texts of 15 sentences, of which one differs."""
    template = [sentence(rng) for _ in range(14)]
    return [" ".join([*template, sentence(rng)]) for _ in range(number)]


@contextmanager
def fresh(engine: str) -> Iterator[str]:
    """The URL of an empty engine."""
    with tempfile.TemporaryDirectory() as folder:
        yield "memory://" if engine == "memory" else f"sqlite:///{Path(folder) / 'news.db'}"


def run(engine: str, config: Config, documents: list[Document]) -> tuple[float, list[int], bool]:
    """Seconds of CPU; the sizes of the groups, largest first; whether grouping all at once gives them too."""
    with fresh(engine) as url, closing(Deduper(url, config)) as deduper:
        begin = time.process_time()
        for start in range(0, len(documents), BATCH):
            deduper.add_signed(documents[start : start + BATCH])
        seconds = time.process_time() - begin
        records = [document.record for document in deduper.engine.scan()]  # type: ignore[attr-defined]
        groups = {record.id: record.group for record in records}
        return (
            seconds,
            sorted(Counter(groups.values()).values(), reverse=True),
            groups == group_records(records, config),
        )


def signed(texts: list[str]) -> list[Document]:
    """The texts, signed."""
    with closing(Deduper("memory://")) as signer:
        return [signer.sign(Page(id=f"{place:06}", text=text)) for place, text in enumerate(texts)]


def add_to_template(stored: list[Document], more: list[Document], config: Config) -> float:
    """Milliseconds of CPU for one more near copy of a text that a group in SQLite has these copies of."""
    with fresh("sqlite") as url, closing(Deduper(url, config)) as deduper:
        group = stored[0].record.id
        deduper.engine.put(
            [
                replace(document, record=replace(document.record, group=group, first_seen=1 + place))
                for place, document in enumerate(stored)
            ]
        )
        begin = time.process_time()
        for document in more:
            deduper.add_signed([document])
        return 1000 * (time.process_time() - begin) / len(more)


def template(sizes: list[int]) -> None:
    """Print what a near copy costs, by the size of its group."""
    table = Table("members", "closure, ms a document", "average", box=None)
    documents = signed(near_copies(MORE + max(sizes), random.Random(7)))
    more = documents[-MORE:]
    for size in sizes:
        costs = (
            add_to_template(documents[:size], more, Config(linkage=linkage))
            for linkage in ("closure", "average")
        )
        table.add_row(f"{size:,}", *(f"{cost:.1f}" for cost in costs))
    Console(highlight=False).print(table)


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["template"]:
        template([int(size) for size in sys.argv[2:]] or list(MEMBERS))
        return
    rng = random.Random(7)
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    table = Table("pile", "engine", "linkage", "ms a document", "groups", "largest", "as at once", box=None)
    for pile, texts in {"copies": copies(number, rng), "chain": chain(CHAIN, rng)}.items():
        documents = signed(texts)
        for engine in ("memory", "sqlite"):
            for linkage in ("closure", "average"):
                seconds, sizes, equal = run(engine, Config(linkage=linkage), documents)
                cost = f"{1000 * seconds / len(documents):.2f}"
                table.add_row(pile, engine, linkage, cost, f"{len(sizes):,}", str(sizes[0]), str(equal))
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
