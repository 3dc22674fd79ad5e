"""Copies with misread characters: what signatures leave in doubt, the texts decide, on every path alike."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from dupgroups import Config, Deduper, Page, compare
from dupgroups.bulk.audit import audit
from dupgroups.bulk.offline.page_groups import group_pages
from dupgroups.bulk.resign import try_out
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.method_set import UNREAD, MethodSet
from dupgroups.flow.signing import sign
from dupgroups.model import Content, Linkage
from dupgroups.text.batches import batches
from dupgroups.text.facts import add_title
from stories import chinese_story, misread, news_text


class Counting(SQLiteEngine):
    """Counts the requests for texts."""

    requests = 0

    def texts(self, ids: Sequence[str]) -> dict[str, str]:
        self.requests += 1
        return super().texts(ids)


class WithoutTexts(SQLiteEngine):
    """Keeps html, as some indices of other tools do."""

    keeps_text = False

    def texts(self, ids: Sequence[str]) -> dict[str, str]:
        return {}


class Elsewhere(SQLiteEngine):
    """Gives texts that it does not store."""

    kept: Mapping[str, str] = {}

    def texts(self, ids: Sequence[str]) -> dict[str, str]:
        return {id_: self.kept[id_] for id_ in ids if id_ in self.kept}


def report(day: int) -> str:
    """One day of a series, which only numerals tell from the other days."""
    return "\n".join(
        f"{news_text(f'series {place}', 1)} On that day {day * 31 + place * 7} were counted."
        for place in range(12)
    )


def pages() -> list[Page]:
    """Three copies of some stories, and a series; each is misread in other places."""
    texts = {f"{story}{copy}": news_text(story) for story in "abc" for copy in range(3)}
    texts |= {f"z{copy}": chinese_story("z") for copy in range(3)}
    texts |= {f"day{day}": report(day) for day in range(1, 5)}
    return [Page(id=id_, text=misread(text, id_)) for id_, text in texts.items()]


@pytest.mark.parametrize(("linkage", "size"), [("closure", 1), ("average", 99)])
def test_the_texts_of_misread_copies_join_them_in_any_order_as_at_once(linkage: Linkage, size: int) -> None:
    expected = {id_: page.id[0] for page in pages() if (id_ := page.id) and not id_.startswith("day")}
    config, mixed = Config(linkage=linkage), random.Random(size).sample(pages(), len(pages()))
    with closing(SQLiteEngine()) as engine:
        flow = Deduper(engine, config)
        for some in batches(mixed, size):
            flow.add_all(some)
        flow.regroup()
        found = {one.id: one.group for one in engine.memberships()}
        assert found == group_pages(mixed, config, processes=1).groups
        assert all(check.ok for check in audit(engine, config))
        assert (try_out(engine, config).groups, len({*found.values()})) == (8, 8)
    assert {id_: group[0] for id_, group in found.items() if id_ in expected} == expected
    assert all(group == id_ for id_, group in found.items() if id_.startswith("day"))


def test_the_texts_of_a_batch_are_read_in_one_request() -> None:
    with closing(Counting()) as engine:
        flow = Deduper(engine)
        flow.add_all(pages()[::3])
        before, looked = engine.requests, flow.metrics.value("second_looks_total")
        flow.add_all(pages()[1::3])
        assert flow.metrics.value("second_looks_total") - looked >= 4
        assert engine.requests - before <= 2  # of the groups that the batch is tied to, and of the batch


def test_without_texts_the_verdict_of_the_signatures_stands() -> None:
    with closing(WithoutTexts()) as engine:
        flow = Deduper(engine)
        assert {one.state for one in flow.add_all(pages()) if one.id[0] in "abc"} == {"new"}


def test_a_document_that_comes_signed_is_compared_by_the_text_that_the_store_has() -> None:
    """As in an index into which others write."""
    methods = MethodSet()
    signed = [sign(page, methods) for page in pages()]
    with closing(Elsewhere()) as engine:
        engine.kept = {one.record.id: add_title(one.content) for one in signed}
        Deduper(engine).add_all(replace(one, content=Content("")) for one in signed)
        found = {one.id: one.group for one in engine.memberships()}
        assert found == group_pages(pages(), processes=1).groups
        texts = {check.name: check.detail for check in audit(engine)}["texts"]
        assert texts.startswith(f"{len(signed)} documents without a text")
    assert UNREAD in methods.second_look(signed[0].record, signed[1].record, ("", "text")).reason


def test_two_misread_texts_are_compared_like_stored_ones() -> None:
    one, two = pages()[:2]
    verdict = compare(one, two)
    assert verdict.relation == "duplicate"
    assert compare(two, one) == verdict
