"""`make bench`: what a page and a signature cost, beside the parser alone and what a user would write today.

    python benchmarks/chain.py [PAGES.jsonl.gz] [DOCS.jsonl.gz] [--rounds 3]

PAGES hold `html` (and `url`), DOCS hold `id` and `text` (or `html`, extracted before the clock starts);
without them the articles of the demo are used. The chains take turns, each in a fresh process; the signers
take turns in one. Rivals get the usual input: 128 values over runs of 5 words (Han characters for Chinese).
Times are CPU time of one core: compare the ratios, because machines are noisy. Bytes are those of keys and
body, the mean over documents that have a signature.
"""

import multiprocessing
import re
import resource
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rich import print as rich_print
from rich.table import Table

from browser.stories import demo_pages
from dupgroups import Deduper, Page, extract
from dupgroups.bulk.inputs.page_reader import PageReader
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.method_choice import use_everywhere
from dupgroups.methods.signatures import SIGNERS
from dupgroups.model import Content, Signature
from dupgroups.model.config import Config, Method, Step

WARM_UP = 10  # pages before the clock starts: imports, tables, first use
# the first Han character loads a dictionary
CHINESE = Page(html="<p>渡轮在大雾中撞上码头。", text="渡轮在大雾中撞上码头。", id="warm-up")
PERMUTATIONS, RUN, THRESHOLD = 128, 5, 0.5
AT_ONCE = 64  # documents, as many as `dup-groups group` hands to a process
words = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+").findall

Signing = Callable[[Sequence[Content]], Iterable[Signature | None]]


# -- chains


def parse_only(pages: Sequence[Page]) -> None:
    """The floor: lexbor builds the tree, and nothing else is done."""
    from selectolax.lexbor import LexborHTMLParser

    for page in pages:
        LexborHTMLParser(page.html or "")


def extraction(pages: Sequence[Page]) -> None:
    """Our extraction alone: decode, divide, choose the article, describe it."""
    for page in pages:
        extract(page.html or "", page.url)


def whole_chain(pages: Sequence[Page]) -> None:
    """Our chain: decode, extract, sign, look up, judge, group, store with full text in SQLite."""
    with tempfile.TemporaryDirectory() as folder, closing(Deduper(f"sqlite:///{folder}/news.db")) as deduper:
        for start in range(0, len(pages), 50):
            deduper.add_all(pages[start : start + 50])


def glue(pages: Sequence[Page]) -> None:
    """The usual glue: trafilatura, 5-word shingles, MinHashLSH in memory; nothing is stored."""
    import trafilatura
    from datasketch import MinHashLSH

    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    for number, page in enumerate(pages):
        sketch = minhash(trafilatura.extract(page.html) or "")
        index.query(sketch)
        index.insert(str(number), sketch)


CHAINS: dict[str, Callable[[Sequence[Page]], None]] = {
    "parse only (lexbor)": parse_only,
    "dup-groups extract": extraction,
    "dup-groups into SQLite": whole_chain,
    "trafilatura + datasketch": glue,
}


def compare_chains(pages: Sequence[Page], rounds: int) -> None:
    """Print pages per second and core, and peak memory, of every chain."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in CHAINS}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for _ in range(rounds):
            for name in CHAINS:
                runs[name].append(pool.apply(cost_of_chain, (name, pages)))
    size = statistics.fmean(len(page.html or "") for page in pages) / 1000
    title = f"{len(pages)} pages of {size:.0f} kB"
    table = Table("", "ms a page", "pages/s/core", "x parse", "peak MB", title=title)
    floor = statistics.median(seconds for seconds, _ in runs["parse only (lexbor)"])
    for name, costs in runs.items():
        seconds, memory = (statistics.median(column) for column in zip(*costs, strict=True))
        figures = f"{seconds * 1000:.2f}", f"{1 / seconds:,.0f}", f"{seconds / floor:.1f}", f"{memory:.0f}"
        table.add_row(name, *figures)
    rich_print(table)


def cost_of_chain(name: str, pages: Sequence[Page]) -> tuple[float, float]:
    """CPU seconds per page and peak memory in MB of one chain, in this fresh process."""
    CHAINS[name]([*pages[:WARM_UP], CHINESE])
    start = time.process_time()
    CHAINS[name](pages)
    seconds = (time.process_time() - start) / len(pages)
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


# -- signers


def shingles(text: str) -> list[str]:
    found = words(text.lower())
    return [" ".join(found[start : start + RUN]) for start in range(max(1, len(found) - RUN + 1))]


def minhash(text: str) -> Any:
    from datasketch import MinHash

    sketch = MinHash(num_perm=PERMUTATIONS)
    sketch.update_batch([shingle.encode() for shingle in shingles(text)])
    return sketch


def datasketch(contents: Sequence[Content]) -> Iterable[None]:
    return (minhash(content.text) and None for content in contents)


def rensa(contents: Sequence[Content]) -> Iterable[None]:
    from rensa import RMinHash

    for content in contents:
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=42)
        sketch.update(shingles(content.text))
        yield sketch.digest() and None


def signing(methods: MethodSet, at_once: int = AT_ONCE) -> Signing:
    """Our own signers, so many documents at once."""

    def sign(contents: Sequence[Content]) -> Iterable[Signature]:
        for start in range(0, len(contents), at_once):
            yield from methods.signatures(contents[start : start + at_once])

    return sign


def compare_signers(contents: Sequence[Content], rounds: int) -> None:
    """Print documents per second and core of every signer, and the bytes of a signature."""
    auto = {f"auto, {AT_ONCE} at once": signing(MethodSet()), "auto, one by one": signing(MethodSet(), 1)}
    ours = {
        name: signing(MethodSet(use_everywhere(Config(), Method(signer=Step(name)))))
        for name in sorted(SIGNERS)
    }
    signers: dict[str, Signing] = {"datasketch": datasketch, "rensa": rensa} | auto | ours
    for sign in signers.values():
        list(sign(contents[:AT_ONCE]))  # imports, tables, first use
    best = dict.fromkeys(signers, float("inf"))
    sizes: dict[str, float] = {}
    for _ in range(rounds):
        for name, sign in signers.items():
            start = time.process_time()
            signed = list(sign(contents))
            best[name] = min(best[name], (time.process_time() - start) / len(contents))
            sizes[name] = bytes_of(signed)
    characters = statistics.fmean(len(content.text) for content in contents)
    title = f"{len(contents)} texts of {characters:,.0f} characters"
    table = Table("", "documents/s/core", "x datasketch", "x rensa", "bytes", title=title)
    for name, fastest in best.items():
        ratios = (f"{best[rival] / fastest:.2f}" for rival in ("datasketch", "rensa"))
        table.add_row(name, f"{1 / fastest:,.0f}", *ratios, f"{sizes[name]:,.0f}" if sizes[name] else "")
    rich_print(table)


def bytes_of(signed: Sequence[Signature | None]) -> float:
    """Mean bytes of keys and body of the signatures; 0 without signatures."""
    sizes = [len("".join(signature.keys)) + len(signature.body) for signature in signed if signature]
    return statistics.fmean(sizes) if sizes else 0.0


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="?", type=Path)
    parser.add_argument("docs", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    pages = list(PageReader(options.pages, print)) if options.pages else demo_pages()
    compare_chains([page for page in pages if page.html], options.rounds)
    methods = MethodSet()
    docs = PageReader(options.docs, print) if options.docs else pages
    compare_signers([methods.extract(page) for page in docs], options.rounds)


if __name__ == "__main__":
    main()
