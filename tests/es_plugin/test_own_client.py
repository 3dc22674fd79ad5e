"""The queries of the docs for clients that are not ours, sent as they stand there."""

from __future__ import annotations

import json
import re
from contextlib import closing

from docs.blocks import ROOT, blocks
from dupgroups import Deduper, open_engine
from es_plugin.clusters import ALL, ask, index_of, servers
from stories import story

HEADING = "Searching with your own client"
FORMS = ("flood", "floods", "flooded", "flooding")
TEXT = "{story}\nPeople came to see the {word} in its old quarter, where shops stayed shut for a week."
WORDS = (*FORMS, "floor")  # each in a story of its own
FOUND = [{"flooded"}, {*FORMS}, {*FORMS}, {*FORMS, "floor"}]
MARKED = [{"flooded", "quarter"}, {*FORMS, "quarter"}, {*FORMS, "quarter"}, {"its", "old", "quarter"}]


@servers(ALL)
def test_a_strangers_client_finds_and_marks_forms_of_words(engine_url: str) -> None:
    with closing(open_engine(engine_url)) as engine:
        Deduper(engine).add_all(
            {
                "id": word,
                "title": f"The {word}",
                "text": TEXT.format(story=story(word), word=word),
                "language": "en",
            }
            for word in WORDS
        )
        engine.refresh()
    queries = [
        json.loads(block.text) for block in blocks(ROOT / "docs/clusters.md") if block.heading == HEADING
    ]
    assert len(queries) == len(FOUND)
    for query, found, marked in zip(queries, FOUND, MARKED, strict=True):
        hits = ask(engine_url, "POST", f"/{index_of(engine_url)}/_search", query)["hits"]["hits"]
        assert {hit["_id"] for hit in hits} == found
        shown = [text for hit in hits for texts in hit["highlight"].values() for text in texts]
        assert {word.lower() for text in shown for word in re.findall("<em>(.*?)</em>", text)} == marked
