"""`make bench-search PACK=FOLDER`: copies that are left in the top ten, by ways to search, in one run.

    python benchmarks/search_rivals.py FOLDER [--engine opensearch://127.0.0.1:9200] [--questions 200]

FOLDER has docs.jsonl.gz and pairs.csv (a, b, label). The documents go into an index of another tool, with a
vector each, and `backfill` groups them. Without an engine, OpenSearch 2.19 is started with the k-NN plug-in;
an engine needs that plug-in, and the index is deleted at the end. Vectors are made without a download: latent
semantic analysis of these texts, so they know words, no meanings. A question is the title of a document that
has a copy (its first words, if it has none), one a story. A copy is a document with a better one of its story
in the top ten; stories are what the pairs labelled "duplicate" connect.

Best stories: the first ten of what the plain search finds, without copies. MMR is the formula that OpenSearch
documents, over three candidates a place, and "both" the reciprocal ranks of two searches; both in the client.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from scale import bulk, new_store, print_table

from dupgroups import Page
from dupgroups_lab.labels.labelled_pairs import closure, read_labels
from es_plugin.clusters import ask
from quality.growth import shuffled
from servers import Server, opensearch
from servers.cache import fetch, fetch_release
from servers.java import JAVA_OPTIONS
from servers.nodes import Node
from servers.releases import Release

TOP, DEEP = 10, 50  # documents shown; read of each search
DIMENSIONS = 256
DIVERSITIES = (0.3, 0.5, 0.7)  # 0.5 is the default of OpenSearch
RANK_OFFSET = 60  # of reciprocal ranks, the usual one
BATCH = 500  # documents of a bulk
SERVER, PLUGIN_CLASS = "opensearch-2.19", "org.opensearch.knn.plugin.KNNPlugin"
PLUGIN_VERSION = "2.19.1.0"  # 3.5 needs transport-grpc-spi, which Maven does not find
PLUGIN_NAMES = "org.opensearch.plugin", "opensearch-knn"
PLUGIN = Release(PLUGIN_NAMES[1], "opensearch", PLUGIN_VERSION, *PLUGIN_NAMES, PLUGIN_VERSION, "zip")
HEADS = {"term": {"dup_head": True}}
VECTOR_FIELD = {
    "type": "knn_vector",
    "dimension": DIMENSIONS,
    "space_type": "cosinesimil",
    "method": {"name": "hnsw", "engine": "lucene"},
}
MAPPING = {"title": {"type": "text"}, "text": {"type": "text"}, "vector": VECTOR_FIELD}


@contextmanager
def knn_server(url: str | None) -> Iterator[str]:
    """The URL of a server that runs already; one with k-NN that is started for the block if None."""
    if url:
        yield url.rstrip("/")
        return
    os.environ.setdefault(JAVA_OPTIONS, "")
    with tempfile.TemporaryDirectory() as folder:
        home, jars = Path(folder) / "knn", Path(folder) / "jars"
        jars.mkdir()
        (home / "data").mkdir(parents=True)
        for jar in (*fetch_release(PLUGIN).glob("*.jar"), *fetch(SERVER).glob("*.jar")):
            (jars / jar.name).unlink(missing_ok=True)
            (jars / jar.name).symlink_to(jar)
        port = opensearch.choose_port()
        launch = opensearch.prepare(jars, home, port)
        launch = replace(launch, command=(*launch.command, "-pluginTypes", PLUGIN_CLASS))
        address = f"127.0.0.1:{port}"
        server = Server(SERVER, f"http://{address}", "opensearch", "2.19", home / "server.log")
        node = Node(server, launch, home.name)
        try:
            node.start()
            node.wait()
            yield f"opensearch://{address}"
        finally:
            node.stop()


# -- documents, stories, questions, vectors


def read_stories(pack: Path) -> dict[str, str]:
    """The story of each document that has a copy."""
    copies = [pair for pair, label in read_labels(pack / "pairs.csv").items() if label == "duplicate"]
    return closure(chain.from_iterable(copies), copies)


def choose_titles(pages: Sequence[Page], story: dict[str, str], number: int) -> list[str]:
    """Titles, or first words, of documents with a copy, one a story."""
    chosen = {story[page.id]: page for page in pages if page.id in story}.values()
    titles = [page.title or " ".join((page.text or "").split()[:12]) for page in chosen]
    return random.Random(number).sample(titles, min(number, len(titles)))


def make_vectors(texts: Sequence[str], questions: Sequence[str]) -> list[np.ndarray]:
    """Unit vectors of both, a row each; one without a word that two texts have is zero."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    weighed = TfidfVectorizer(token_pattern=r"\w+", min_df=2, sublinear_tf=True, smooth_idf=False).fit(texts)
    weighed.idf_ -= 1  # a word that all texts have weighs nothing
    parts = TruncatedSVD(DIMENSIONS, algorithm="arpack", random_state=0).fit(weighed.transform(texts))
    vectors = normalize(parts.transform(weighed.transform([*texts, *questions])))
    return np.split(vectors, [len(texts)])


def index_documents(store: str, pages: Sequence[Page], vectors: np.ndarray) -> None:
    """Write an index of another tool, and group it."""
    name = store.rpartition("/")[2]
    settings = {"index.knn": True, "number_of_shards": 1, "number_of_replicas": 0}
    ask(store, "PUT", f"/{name}", {"settings": settings, "mappings": {"properties": MAPPING}})
    sources = [(page.id, {"title": page.title or "", "text": page.text or ""}) for page in pages]
    for (_, source), vector in zip(sources, vectors.round(5).tolist(), strict=True):
        source |= {"vector": vector} if any(vector) else {}
    for start in range(0, len(sources), BATCH):
        bulk(store, name, sources[start : start + BATCH])
    ask(store, "POST", f"/{name}/_refresh")
    backfill = [sys.executable, "-m", "dupgroups", "backfill", "--quiet", "--processes", "1"]
    with tempfile.TemporaryDirectory() as work:
        options = ["--engine", store, "--fields", "text=text,title=title", "--work", work]
        subprocess.run([*backfill, *options], check=True, stdout=subprocess.DEVNULL)
    ask(store, "POST", f"/{name}/_refresh")


# -- ways to search: each gives so many ids, best first


@dataclass(frozen=True)
class Question:
    """A title, and its vector."""

    title: str
    vector: list[float]


Query = Callable[[Question, str], Any]


def query_text(question: Question, form: str) -> Any:
    words = {"multi_match": {"query": question.title, "fields": ["title^3", "text"]}}
    return {"bool": {"must": words, "filter": HEADS}} if form == "dup_head" else words


def query_vectors(question: Question, form: str) -> Any:
    filtered = {"filter": HEADS} if form == "dup_head" else {}
    return {"knn": {"vector": {"vector": question.vector, "k": DEEP, **filtered}}}


def read_hits(store: str, query: Any, size: int, **more: Any) -> list[Any]:
    body = {"query": query, "size": size, "_source": False, **more}
    hits: list[Any] = ask(store, "POST", f"/{store.rpartition('/')[2]}/_search", body)["hits"]["hits"]
    return hits


def search_there(store: str, question: Question, size: int, query: Query, form: str = "") -> list[str]:
    """All of it in the server."""
    collapsed = {"collapse": {"field": "dup_group"}} if form == "collapse" else {}
    return [hit["_id"] for hit in read_hits(store, query(question, form), size, **collapsed)]


def fuse(store: str, question: Question, size: int, form: str) -> list[str]:
    """Both searches by reciprocal ranks, in the client."""
    scores = defaultdict[str, float](float)
    for query in (query_text, query_vectors):
        for rank, id_ in enumerate(search_there(store, question, DEEP, query, form), 1):
            scores[id_] += 1 / (RANK_OFFSET + rank)
    return sorted(scores, key=lambda id_: -scores[id_])[:size]


def diversify(store: str, question: Question, size: int, diversity: float) -> list[str]:
    """Maximal marginal relevance, in the client."""
    hits = read_hits(store, query_vectors(question, ""), 3 * size, _source=["vector"])
    vectors = np.array([hit["_source"]["vector"] for hit in hits])
    alike = (1 + vectors @ vectors.T) / 2  # as the server scores cosines
    scores = (1 - diversity) * np.array([hit["_score"] for hit in hits])
    taken: list[int] = []
    while len(taken) < min(size, len(hits)):
        repeated = alike[:, taken].max(axis=1) if taken else 0
        gains = scores - diversity * repeated
        gains[taken] = -np.inf
        taken.append(int(gains.argmax()))
    return [hits[place]["_id"] for place in taken]


Way = Callable[[str, Question, int], list[str]]
FORMS = {"plain": "", "collapse on dup_group": "collapse", "filter on dup_head": "dup_head"}


def list_ways() -> Iterator[tuple[str, str, Way]]:
    """The kind of search, the way, and how to ask; the first of a kind is what others are compared with."""
    for kind, query in (("words", query_text), ("vectors", query_vectors)):
        for name, form in FORMS.items():
            yield kind, name, partial(search_there, query=query, form=form)
    for diversity in DIVERSITIES:
        yield "vectors", f"MMR {diversity}", partial(diversify, diversity=diversity)
    for name, form in FORMS.items():
        yield "both", name, partial(fuse, form=form)


# -- the table

HEADS_OF_TABLE = "search|way|copies in the top ten|x plain|stories|of the ten best|ms|x plain".split("|")


def time_ways(store: str, questions: Sequence[Question], ways: Sequence[Way]) -> tuple[list[Any], list[Any]]:
    """What each way answers to each question, and the ms of each: in turn, and the second time."""
    answers: list[list[list[str]]] = [[] for _ in ways]
    spent: list[list[float]] = [[] for _ in ways]
    for question in (*questions, *questions):
        for answer, times, way in zip(answers, spent, ways, strict=True):
            began = time.perf_counter()
            answer.append(way(store, question, TOP))
            times.append(1000 * (time.perf_counter() - began))
    asked = len(questions)
    return [answer[asked:] for answer in answers], [median(times[asked:]) for times in spent]


def measure_ways(
    store: str, questions: Sequence[Question], story: dict[str, str], ways: Sequence[tuple[str, str, Way]]
) -> Iterator[list[str]]:
    """A row for each way."""

    def stories_of(ids: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(story.get(id_, id_) for id_ in ids))

    plain: dict[str, tuple[float, float, list[list[str]]]] = {}
    timed = time_ways(store, questions, [way for *_, way in ways])
    for (kind, name, way), found, ms in zip(ways, *timed, strict=True):
        told = [stories_of(ids) for ids in found]
        copies = mean(map(len, found)) - mean(map(len, told))
        if kind not in plain:
            best = [stories_of(way(store, question, DEEP))[:TOP] for question in questions]
            plain[kind] = copies, ms, best
        copies_before, ms_before, best = plain[kind]
        kept = mean(len({*some} & {*wanted}) for some, wanted in zip(told, best, strict=True))
        row = [f"{copies:.2f}", f"{copies / max(1e-9, copies_before):.2f}", f"{mean(map(len, told)):.2f}"]
        yield [kind, name, *row, f"{kept:.2f}", f"{ms:.1f}", f"{ms / ms_before:.2f}"]


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path, help="a folder with docs.jsonl.gz and pairs.csv")
    parser.add_argument("--engine", help="a server with k-NN")
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args()
    pages, story = shuffled([options.pack / "docs.jsonl.gz"]), read_stories(options.pack)
    titles = choose_titles(pages, story, options.questions)
    vectors, asked = make_vectors([f"{page.title or ''} {page.text or ''}" for page in pages], titles)
    questions = [Question(*both) for both in zip(titles, asked.tolist(), strict=True) if any(both[1])]
    with knn_server(options.engine) as url, new_store(url) as store:
        index_documents(store, pages, vectors)
        print(f"\n{len(pages):,} texts, {len(questions)} titles of documents with a copy\n")
        print_table(HEADS_OF_TABLE, measure_ways(store, questions, story, [*list_ways()]))


if __name__ == "__main__":
    main()
