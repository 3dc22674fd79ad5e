"""The figures of an index, on every engine, against the documents themselves."""

from __future__ import annotations

from collections import Counter

from dupgroups import Deduper
from dupgroups.engines import Engine
from dupgroups.model import Facet, Page, Statistics
from stories import story


def test_the_figures_are_those_of_the_documents(engine: Engine) -> None:
    assert engine.statistics() == Statistics()
    deduper = Deduper(engine)
    pages = [
        Page(url=f"https://{'ab'[number % 2]}.example.org/{name}/{number}", text=story(name))
        for name, copies in (("one", 5), ("two", 2), ("three", 1), ("four", 1))
        for number in range(copies)
    ]
    deduper.add_all(pages)
    deduper.settle()
    engine.refresh()
    documents = list(engine.scan())
    groups = Counter(document.record.group for document in documents)
    found = engine.statistics()
    assert found.documents == len(documents) == 9
    assert found.sizes == Counter(groups.values()) == {5: 1, 2: 1, 1: 2}
    assert found.groups == 4
    assert found.states == {"alone": 2, "first": 2, "copy": 5}
    assert found.largest_sites == (Facet("a.example.org", 6), Facet("b.example.org", 3))
    assert found.sites == 2
    assert found.last_seen == max(document.record.last_seen for document in documents)
    assert (found.unsettled, found.redirects) == (0, 0)
    engine.put([], moves={documents[0].record.group: documents[-1].record.group})
    list(engine.redirects())  # refreshes them
    assert engine.statistics().redirects == 1
