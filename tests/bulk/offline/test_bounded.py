"""Texts that overlap without end: how many of them a document is compared with, on each path."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.offline.page_groups import Resources, group_pages, grouped_pages
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow import method_set
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.grouping.grouping_rule import MAX_COMPARED_TEXTS
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
from dupgroups.model import Record, Verdict
from dupgroups.model.config import Method, Step
from dupgroups.text.facts import Facts
from stories import story

MOST = MAX_COMPARED_TEXTS // 4  # so that few texts are enough
WORDS = story("long", 900).split()
PAGES = [Page(id=f"p{at:03}", text=" ".join(WORDS[at : at + 300])) for at in range(0, 400, 8)]
SHUFFLED = random.Random(1).sample(PAGES, len(PAGES))


def group_all(pages: Sequence[Page]) -> dict[str, str]:
    with grouped_pages(pages, resources=Resources(1)) as groups:
        return dict(groups)


def pairs_of_all(pages: Sequence[Page]) -> dict[str, str]:
    return group_pages(pages, processes=1).groups


def add_at_once(pages: Sequence[Page]) -> dict[str, str]:
    engine = SQLiteEngine()
    Deduper(engine).add_all(pages)
    return {member.id: member.group for member in engine.memberships()}


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Counter[frozenset[str]]:
    """How often each pair of texts was compared."""
    pairs, judge = Counter[frozenset[str]](), EvidenceJudge.by_texts

    def count(self: EvidenceJudge, a: Record, b: Record, one: Facts, two: Facts) -> Verdict:
        pairs[frozenset((one.text, two.text))] += 1
        return judge(self, a, b, one, two)

    monkeypatch.setattr(EvidenceJudge, "by_texts", count)
    monkeypatch.setattr(method_set, "MAX_COMPARED_TEXTS", MOST)
    return pairs


def test_each_path_compares_the_same_few_texts_and_none_twice(compared: Counter[frozenset[str]]) -> None:
    found = []
    for path in (group_all, pairs_of_all, add_at_once):
        groups = path(SHUFFLED)
        assert set(compared.values()) == {1}
        assert len(PAGES) < len(compared) <= MOST * len(PAGES)
        found.append((groups, set(compared)))
        compared.clear()
    assert found[0] == found[1] == found[2]
    assert 1 < len(set(found[0][0].values())) < len(PAGES)


def test_the_nearest_are_compared(compared: Counter[frozenset[str]]) -> None:
    methods = MethodSet()
    records = [document.record for document in sign_all(PAGES, methods) if document]
    last, *others = reversed(records)
    kept = methods.choose_compared(last, random.Random(2).sample(others, len(others)))
    assert {record.id for record in kept} == {record.id for record in others[:MOST]}
    assert len(methods.choose_compared(last, others, always={last.id})) > MOST, "said of it"


def test_nothing_is_bounded_where_no_texts_are_read(compared: Counter[frozenset[str]]) -> None:
    config = Config(methods={"*": Method(judge=Step("evidence", {"compare_from": 1}))})
    methods = MethodSet(config)
    assert (methods.rule.max_compared_texts, methods.rule.max_partners) == (None, config.candidates)
    assert (MethodSet().rule.max_compared_texts, MethodSet().rule.max_partners) == (MOST, MOST)


def test_the_facts_of_a_text_are_read_once_whatever_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although fewer are remembered than there are."""
    read, of_text = Counter[str](), method_set.read_facts

    def count(text: str) -> Facts:
        read[text] += 1
        return of_text(text)

    monkeypatch.setattr(method_set, "read_facts", count)
    monkeypatch.setattr(method_set, "KNOWN_FACTS", 40)
    texts = [" ".join(WORDS[at : at + 100]) for at in range(0, 800, 8)]
    group_all([Page(text=text) for text in random.Random(1).sample(texts, len(texts))])
    assert len(read) == len(texts)
    assert read.total() < 1.5 * len(texts)
