"""The tutorial, typed from its first line to its last."""

from __future__ import annotations

import json
import secrets
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docs.blocks import ROOT, Block, Walk, blocks, steps, walking

if TYPE_CHECKING:
    from servers import Pool

DASHBOARDS = ROOT / "docs" / "how-to" / "dashboards.md"
_http = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


@pytest.mark.whole
def test_the_tutorial_up_to_the_search_page(tmp_path: Path) -> None:
    with walking(tmp_path) as walk:
        for block in steps(server=False):
            walk.type(block)
        with _http(f"http://127.0.0.1:{walk.page}/api/search?q=") as answer:
            found = json.load(answer)
        assert (found["stories"], found["documents"]) == (3, 6)
        assert max(hit["size"] for hit in found["hits"]) == 3
        walk.reader.run("scrapy runspider spider.py")
        walk.reader.check("...\n... dup-groups: 11 items (6 unchanged, 5 not_article), ...\n")


@pytest.mark.server
@pytest.mark.slow
def test_the_tutorial_on_opensearch(tmp_path: Path, server_pool: Pool) -> None:
    server = server_pool.get("opensearch-3").url.removeprefix("http://")
    index = f"test-{secrets.token_hex(6)}"
    names = {"localhost:9200/news": f"{server}/{index}"}
    with walking(tmp_path, names) as walk:
        for block in steps(server=False):
            titled = block.title in ("papers.py", "spider.py", "a second terminal")
            if titled or block.first == "python papers.py":
                walk.type(block)
        for block in steps(server=True):
            walk.type(block)
        answer = json.loads(walk.reader.printed)
        dashboards = [_printed(walk, block) for block in blocks(DASHBOARDS) if block.language == "bash"]
    (hit,) = answer["hits"]["hits"]
    assert hit["inner_hits"]["copies"]["hits"]["total"]["value"] == 3
    first_copies, all_copies = (answer["aggregations"] for answer in dashboards)
    assert [bucket["doc_count"] for bucket in first_copies["sites"]["buckets"]] == [1]
    assert all_copies["stories"]["value"] == 1
    assert [bucket["doc_count"] for bucket in all_copies["printed"]["buckets"]] == [3]


def _printed(walk: Walk, block: Block) -> Any:
    walk.type(block)
    return json.loads(walk.reader.printed)
