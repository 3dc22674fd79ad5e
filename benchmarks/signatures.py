"""`make bench-signatures`: documents per second of every signer, beside datasketch and rensa.

    python benchmarks/signatures.py [DOCS.jsonl.gz] [--rounds 3]

DOCS hold `id` and `text` (or `html`, extracted before the clock starts); without them the pages of the demo
sites are used. The two libraries get the usual input: 128 values over runs of 5 words (Han characters for
Chinese). All take turns in one process. Times are CPU time of one core in the best round: compare the ratios,
because machines are noisy. Bytes are those of keys and body, the mean over documents that have a signature.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from chain import console, demo_pages, load
from rich.progress import track
from rich.table import Table

from dupgroups.config import Config, Method, Step
from dupgroups.method_choice import everywhere
from dupgroups.method_set import MethodSet
from dupgroups.model import Content, Signature
from dupgroups.signatures import SIGNERS

PERMUTATIONS, RUN = 128, 5
AT_ONCE = 64  # documents, as many as `dup-groups group` hands to a process
_words = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+").findall

Contender = Callable[[Sequence[Content]], Iterable[Signature | None]]


def shingles(text: str) -> list[str]:
    words = _words(text.lower())
    return [" ".join(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))]


def datasketch(contents: Sequence[Content]) -> Iterable[None]:
    from datasketch import MinHash

    for content in contents:
        sketch = MinHash(num_perm=PERMUTATIONS)
        yield sketch.update_batch([shingle.encode() for shingle in shingles(content.text)])


def rensa(contents: Sequence[Content]) -> Iterable[None]:
    from rensa import RMinHash

    for content in contents:
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=42)
        sketch.update(shingles(content.text))
        yield sketch.digest() and None


def signing(methods: MethodSet, at_once: int) -> Contender:
    def sign(contents: Sequence[Content]) -> Iterable[Signature]:
        for start in range(0, len(contents), at_once):
            yield from methods.signatures(contents[start : start + at_once])

    return sign


def contenders() -> dict[str, Contender]:
    methods = {
        name: signing(MethodSet(everywhere(Config(), Method(signer=Step(name)))), AT_ONCE)
        for name in sorted(SIGNERS)
    }
    auto = {
        f"auto, {AT_ONCE} at once": signing(MethodSet(), AT_ONCE),
        "auto, one by one": signing(MethodSet(), 1),
    }
    return {"datasketch": datasketch, "rensa": rensa} | auto | methods


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("docs", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    pages = load(options.docs) if options.docs else demo_pages()
    methods = MethodSet()
    contents = [methods.extract(page) for page in track(pages, "extracting", console=console, transient=True)]
    compare(contents, options.rounds)


def compare(contents: Sequence[Content], rounds: int) -> None:
    rivals = contenders()
    for sign in rivals.values():
        list(sign(contents[:AT_ONCE]))  # imports, tables, first use
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    sizes: dict[str, float] = {}
    for _ in track(range(rounds), "signing", console=console, transient=True):
        for name, sign in rivals.items():
            start = time.process_time()
            signed = list(sign(contents))
            seconds[name].append((time.process_time() - start) / len(contents))
            sizes[name] = size(signed)
    best = {name: min(runs) for name, runs in seconds.items()}
    characters = statistics.fmean(len(content.text) for content in contents)
    table = Table(
        "",
        "documents/s/core",
        "x datasketch",
        "x rensa",
        "bytes",
        title=f"{len(contents)} texts of {characters:,.0f} characters",
    )
    for name, fastest in best.items():
        ratios = (f"{best[rival] / fastest:.2f}" for rival in ("datasketch", "rensa"))
        table.add_row(name, f"{1 / fastest:,.0f}", *ratios, f"{sizes[name]:,.0f}" if sizes[name] else "")
    console.print(table)


def size(signed: Sequence[Signature | None]) -> float:
    """Mean bytes of keys and body of the signatures; 0 without signatures."""
    sizes = [len("".join(signature.keys)) + len(signature.body) for signature in signed if signature]
    return statistics.fmean(sizes) if sizes else 0.0


if __name__ == "__main__":
    main()
