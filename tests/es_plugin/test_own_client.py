"""The queries of the docs for clients that are not ours, sent as they stand there."""

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
WORDS = (*FORMS, "floor")  # each in a story of its own, and the second form in two copies
FOUND = [{"flooded"}, {*FORMS}, {*FORMS}, {*FORMS, "floor"}]
MARKED = [{"flooded", "quarter"}, {*FORMS, "quarter"}, {*FORMS, "quarter"}, {"its", "old", "quarter"}]


@servers(ALL)
def test_a_strangers_client_finds_stories_and_marks_forms_of_words(engine_url: str) -> None:
    with closing(open_engine(f"{engine_url}?shards=3")) as engine:
        Deduper(engine).add_all(
            {
                "id": id_,
                "title": f"The {word}",
                "text": TEXT.format(story=story(word), word=word),
                "language": "en",
            }
            for id_, word in [*zip(WORDS, WORDS, strict=True), ("copy", "flooded")]
        )
        engine.refresh()
    queries = [
        json.loads(block.text) for block in blocks(ROOT / "docs/clusters.md") if block.heading == HEADING
    ]
    assert len(queries) == len(FOUND)
    copies: list[set[str]] = []
    for query, found, marked in zip(queries, FOUND, MARKED, strict=True):
        hits = ask(engine_url, "POST", f"/{index_of(engine_url)}/_search", query)["hits"]["hits"]
        assert sorted(hit["_source"]["dup_group"] for hit in hits) == sorted(found)
        inner = (hit["inner_hits"]["copies"]["hits"]["hits"] for hit in hits if "inner_hits" in hit)
        copies += [{copy["_id"] for copy in some} for some in inner]
        shown = [text for hit in hits for texts in hit["highlight"].values() for text in texts]
        assert {word.lower() for text in shown for word in re.findall("<em>(.*?)</em>", text)} == marked
    assert copies == [{"flooded", "copy"}]
