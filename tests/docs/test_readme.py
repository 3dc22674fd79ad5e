"""Every block of the README is run, or is named here with the reason why not."""

from __future__ import annotations

import ast
import csv
import gzip
import json
import re
import secrets
import shlex
import subprocess
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from commands import cli
from docs.blocks import NOT_RUN as NOT_RUN_IN_THE_TUTORIAL
from docs.blocks import ROOT, TUTORIAL, Block, blocks, reading
from dupgroups import Deduper, Page, extract_text, open_engine
from dupgroups_demo import DemoPage, build

if TYPE_CHECKING:
    from servers import Pool

README = ROOT / "README.md"
NOT_RUN = {
    "pip install '.[scrapy,web]'": "tests/test_wheel.py installs it, and types the rest",
    "make demo      # the same, and `make serve` the page": (
        "sets up a .venv from the package index; .ci/run runs it"
    ),
    "dup-groups filter --engine URL --fields text=body,title=title --listen 127.0.0.1:9201": (
        "runs until it is ended; tests/filtering does that"
    ),
    "pip install './dup-groups[scrapy,opensearch,web]'    # or elasticsearch; web is the search page": (
        "installs from the package index"
    ),
}
ON_A_CLUSTER = ("Point it at your cluster", "How results collapse")
_http = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


@pytest.fixture(scope="module")
def pages() -> dict[str, DemoPage]:
    """Four copies of a story of the demo, and two other stories, by URL."""
    articles = {site.url + page.path: page for site in build() for page in site.pages if page.article}
    stories = [page.story for page in articles.values() if not page.excerpt]
    wanted = [max(stories, key=stories.count), *dict.fromkeys(stories[-2:])]
    whole = [(url, page) for url, page in articles.items() if page.story in wanted and not page.excerpt]
    return dict(sorted(whole, key=lambda item: wanted.index(item[1].story)))


@pytest.fixture
def folder(tmp_path: Path, pages: dict[str, DemoPage]) -> Path:
    """The files that the README takes for granted; pages 0 and 1 are copies of one story."""
    with gzip.open(tmp_path / "docs.jsonl.gz", "wt", encoding="utf-8") as file:
        for number, (url, page) in enumerate(pages.items()):
            html, body = page.body.decode(page.encoding), extract_text(page.body)
            file.write(json.dumps({"id": str(number), "url": url, "html": html, "body": body}) + "\n")
    (tmp_path / "labels.csv").write_text("a,b,label\n0,1,duplicate\n", "utf-8")
    for name, page in zip(("a", "b", "page"), pages.values(), strict=False):
        (tmp_path / f"{name}.html").write_bytes(page.body)
    return tmp_path


def the(heading: str, language: str) -> list[Block]:
    """The blocks of a language under a heading; there is at least one."""
    found = [block for block in blocks(README) if (block.heading, block.language) == (heading, language)]
    assert found
    return found


def test_every_block_has_a_test_or_is_named_and_the_targets_of_make_exist() -> None:
    """Those without a cluster are run in order by the next test, the others by the last one."""
    assert {block.first for block in blocks(README)} >= set(NOT_RUN)
    assert {block.first for block in blocks(TUTORIAL)} >= set(NOT_RUN_IN_THE_TUTORIAL)
    run = {"Add it to your Scrapy project", "Without a server", *ON_A_CLUSTER}
    assert {block.heading for block in blocks(README) if block.first not in NOT_RUN} == run
    targets = re.findall(r"(?:`|^)make ([a-z-]+)", README.read_text("utf-8"), re.MULTILINE)
    subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, check=True, capture_output=True)


def test_the_commands_without_a_server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process but for what comes from a pipe."""
    monkeypatch.chdir(folder)
    (block,) = the("Without a server", "bash")
    with reading(folder, {}) as reader:
        for line in block.text.splitlines():
            if line.startswith("dup-groups "):
                cli(*shlex.split(line, comments=True)[1:])
            else:
                reader.run(line)
    with (folder / "groups.csv").open(encoding="utf-8") as file:
        groups = [row["group"] for row in csv.DictReader(file)]
    assert len(set(groups)) == 3 < len(groups)


def test_the_python_of_the_readme(
    folder: Path, pages: dict[str, DemoPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (url_a, a), (_, b), *_ = pages.items()
    names: dict[str, Any] = {"url": url_a, "html": a.body, "html_a": a.body, "html_b": b.body}
    names |= {"text_a": extract_text(a.body), "text_b": extract_text(b.body)}
    for block in the("Add it to your Scrapy project", "python"):
        exec(block.text, dict(names))
    (block,) = the("Without a server", "python")
    imports, *calls = ast.parse(block.text).body
    exec(ast.unparse(imports), names)
    text, verdict, groups, group = (eval(ast.unparse(call), names) for call in calls)
    assert text == names["text_a"]
    assert verdict.relation == "duplicate"
    assert groups == {"a": "a", "b": "a"}
    with closing(open_engine("sqlite:///news.db")) as engine:
        assert [document.record.group for document in engine.scan()] == [group]


@pytest.mark.server
def test_the_cluster_of_the_readme(
    server_pool: Pool, pages: dict[str, DemoPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = server_pool.get("opensearch-3").url.removeprefix("http://")
    index, other = (f"test-{secrets.token_hex(6)}" for _ in range(2))
    engine = f"opensearch://{server}/{index}"
    with closing(open_engine(engine)) as opened:
        Deduper(opened).add_all(Page(url=url, html=page.body) for url, page in pages.items())
        opened.refresh()
    for number, page in enumerate(pages.values()):
        body = {"title": "A story", "body": extract_text(page.body)}
        _send(f"http://{server}/{other}/_doc/{number}?refresh=true", body)
    names = {
        "opensearch+https://search.example.org:9200/news": engine,
        "--engine URL": f"--engine opensearch://{server}/{other}",
    }
    text = "".join(block.text for block in the(ON_A_CLUSTER[0], "bash") if block.first not in NOT_RUN)
    for name, actual in names.items():
        text = text.replace(name, actual)
    for program, *words in (shlex.split(line, comments=True) for line in text.splitlines()):
        if program == "export":
            for word in words:
                monkeypatch.setenv(*word.split("=", 1))
        else:
            printed = cli(*words).output
    assert "3 groups, " in printed
    (collapse,) = the(ON_A_CLUSTER[1], "json")
    query = json.loads(collapse.text) | {"query": {"match_all": {}}}
    hits = _send(f"http://{server}/{index}/_search", query)["hits"]["hits"]
    assert len(hits) == 3
    assert max(hit["inner_hits"]["copies"]["hits"]["total"]["value"] for hit in hits) == 4


def _send(url: str, body: object) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with _http(request) as answer:
        return json.load(answer)
