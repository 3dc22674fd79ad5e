"""Adding pages: one partition whatever the order, no page lost, and what a failure leaves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.offline.page_groups import group_pages
from dupgroups.engines import Engine
from dupgroups.errors import ConflictError, EngineError
from dupgroups.metrics import STEPS
from dupgroups.model import Document, Relation
from dupgroups.model.config import Method, Step
from flow.scenes import AVERAGE, CLOSURE, deduper, groups, page, pages, partition, states
from stories import chinese_story, story
from watched import Watched, away

OLD, NEW = Page(id="old", text=story("old")), Page(id="new", text=story("new"))


# -- order


@pytest.mark.parametrize("direction", ["contains", "contained"])
@pytest.mark.parametrize("order", [1, -1])
def test_joining_has_no_direction(direction: Relation, order: int) -> None:
    both = [page("whole", "abc"), page("part", "aX")][::order]
    assert set(group_pages(both, processes=1).groups) == {"whole", "part"}
    config = Config(join=frozenset({"duplicate", direction}))
    for joins, number in ((None, 2), (config, 1)):
        adding = deduper("memory://", joins)
        for one in both:
            adding.add(one)
        assert len(partition(adding.engine)) == number
        assert len(set(group_pages(both, joins, processes=1).groups.values())) == number


def test_twins_in_one_batch_meet_and_an_id_that_comes_twice_is_one_document(engine: Engine) -> None:
    batch = [*pages("12"), *pages("1"), *pages("1", "fgh")]
    assert states(Deduper(engine).add_all(batch)) == ["new", "joined", "unchanged", "updated"]
    assert groups(engine) == {"1": "1", "2": "2"}


def test_an_id_may_come_any_number_of_times_in_a_batch(pauses: list[float]) -> None:
    """More often than others may overtake a plan, and nobody is waited for."""
    both = [*pages("1"), *pages("1", "fgh")]
    assert states(deduper("memory://").add_all(both * 15)) == ["new", *["updated"] * 29]
    assert pauses == []


def test_a_page_that_comes_again_is_unchanged_though_its_group_is_put_together_anew(engine: Engine) -> None:
    adding = Deduper(engine, AVERAGE)
    adding.add(page("old", "abc"))
    outcomes = adding.add_all(pages(["new", "old"]))
    assert states(outcomes) == ["joined", "unchanged"]
    assert {outcome.group for outcome in outcomes} == {"old"}
    outcomes = adding.add_all([page("old", "fgh"), *pages(["new"])])
    assert states(outcomes) == ["updated", "unchanged"]
    assert [outcome.group for outcome in outcomes] == ["old", "new"]


def test_a_page_whose_id_utf8_cannot_encode_fails_alone_with_a_reason() -> None:
    good, bad = Deduper("memory://").add_all([OLD, replace(NEW, id="new\ud800")])
    assert (good.state, bad.state, bad.reason.split(": ")[1:]) == ("new", "failed", ["give it another id"])


# -- the order of the work


def test_the_store_is_read_at_once_before_anything_is_written_and_touched_before_it_is_put(
    engine: Engine,
) -> None:
    deduper(engine).add(OLD)
    watched = Watched(engine)
    deduper(watched).add_all([NEW, OLD, Page(id="newer", text=story("old"))])
    assert watched.names[-2:] == ["touch", "put"]
    assert not {"touch", "put"} & set(watched.names[:-2])
    assert watched.names.count("candidates") == 1


@pytest.mark.parametrize("readings", [[100], list(range(100, 0, -1)), [5, 5, 4, 9, 9, 3]])
def test_no_two_documents_of_one_process_are_of_one_age(engine: Engine, readings: list[int]) -> None:
    """Whether the clock stands still, goes back, or jumps; the one that came first is the older."""
    adding = deduper(engine, clock=itertools.cycle(readings).__next__)
    names = "0123456789"
    for batch in (names[:3], names[3:4], names[4:]):
        adding.add_all(pages(batch))
    seen = [record.first_seen for record in engine.get([*names]).values()]
    assert seen == sorted(set(seen))
    assert set(groups(engine).values()) == {"0"}


# -- pages that come again


def test_the_same_page_again_is_an_update_or_a_later_visit(engine: Engine) -> None:
    adding = deduper(engine, clock=lambda: 100)
    url = "https://example.org/a?utm_source=x"
    first = adding.add(Page(url=url, text=story("a"), title="A"))
    [before] = engine.get([first.id]).values()
    other = adding.add(NEW)
    again = adding.add(Page(url="https://example.org/a#top", text=story("a"), title="A"))
    assert (first.state, again.state, again.id) == ("new", "unchanged", first.id)
    records = engine.get([first.id, other.id])
    assert records[first.id] == replace(before, last_seen=records[first.id].last_seen)
    assert records[first.id].last_seen > records[other.id].last_seen > before.first_seen
    changed = adding.add(Page(url=url, text=story("a"), title="A, mark_corrected"))
    assert (changed.state, changed.id, changed.group) == ("updated", first.id, first.id)
    assert [stored.content.title for stored in engine.read([first.id]).values()] == ["A, mark_corrected"]


FRONT = "https://example.org/news/all"


def html(url: str | None, text: str, canonical: str = FRONT, title: str = "Report") -> Page:
    """A page that calls an address canonical."""
    head = f'<title>{title}</title><link rel="canonical" href="{canonical}">'
    paragraphs = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    return Page(url=url, html=f"<html><head>{head}</head><body><h1>{title}</h1>{paragraphs}</body></html>")


def test_a_twin_page_never_overwrites_the_canonical_one(engine: Engine) -> None:
    adding = Deduper(engine)
    amp, main, canonical = (
        html(f"https://{host}example.org/news/all", story("a"), title=title)
        for host, title in [("amp.", "From AMP"), ("www.", "Main"), ("", "Canonical")]
    )
    came = [adding.add(twin).state for twin in (amp, main, canonical, amp, canonical)]
    assert came == ["new", "unchanged", "updated", "unchanged", "unchanged"]
    engine.refresh()
    assert [stored.content.title for stored in engine.scan()] == ["Canonical"]


OTHER = Config(methods={"*": Method(signer=Step("shingling")), "zh": Method(signer=Step("minhash"))})
AMP = "https://amp.example.org/a"


@pytest.mark.parametrize(
    ("faults", "count"), [({}, 1), ({"read": lambda ids: {}}, 2)], ids=["stored", "deleted by now"]
)
def test_a_twin_of_a_page_that_another_configuration_signed(
    engine: Engine, faults: dict[str, Callable[..., Any]], count: int
) -> None:
    """The text of the page is signed as is done now; a page that is gone by then cannot be."""
    deduper(engine, OTHER).add(html(FRONT, story("a")))
    deduper(Watched(engine, **faults)).add(html(AMP, story("a").rsplit("\n", 1)[0]))
    assert len(groups(engine)) == count


def test_a_twin_with_the_same_short_text_is_its_page() -> None:
    """Though no judge would say so of texts that are too short."""
    adding = deduper("memory://")
    assert states(adding.add_all([html(FRONT, "Hm."), html(AMP, "Hm.")])) == ["not_article", "unchanged"]


def test_a_twin_of_another_scheme_is_another_story(engine: Engine) -> None:
    """English and Chinese signatures do not meet: no judge can be asked, and neither text is lost."""
    adding = deduper(engine, OTHER)
    both = [adding.add(html(FRONT, chinese_story("front"))), adding.add(html(AMP, story("a")))]
    assert states(both) == ["new", "new"]
    assert len({record.signature.scheme for record in engine.get([one.id for one in both]).values()}) == 2


# -- signing anew, and settling a straggler


def test_a_group_comes_apart_when_its_bridge_is_signed_otherwise(engine: Engine) -> None:
    adding = Deduper(engine, CLOSURE)
    adding.add_all([page("left", "abc"), page("right", "cde"), page("bridge", "abcde")])
    assert set(groups(engine).values()) == {"left"}
    [old] = engine.read(["bridge"]).values()
    adding.committer.replace([Document(adding.sign(page("bridge", "fgh")).record, old.content)])
    assert groups(engine) == {"left": "left", "right": "right", "bridge": "bridge"}


# -- failures


@pytest.mark.parametrize("failing", ["touch", "put"])
def test_an_engine_that_is_gone_is_an_error_and_adding_again_is_safe(engine: Engine, failing: str) -> None:
    deduper(engine).add(OLD)
    with pytest.raises(EngineError, match="refused"):
        deduper(Watched(engine, **{failing: away})).add_all([OLD, NEW])
    assert groups(engine) == {"old": "old"}
    assert states(deduper(engine).add_all([OLD, NEW])) == ["unchanged", "new"]


def test_what_is_refused_fails_alone_names_no_group_and_is_not_tried_again(engine: Engine) -> None:
    """Others overtake one document meanwhile, which is planned again."""

    def put(documents: Sequence[Document], **rest: Any) -> None:
        stored = [one for one in documents if one.record.id not in ("bad", "late")]
        if len(stored) == len(documents) - 2:
            engine.put(stored, **rest)
            raise ConflictError("others were faster", ids=["late", "bad"], failures={"bad": "no room"})
        engine.put(documents, **rest)

    outcomes = deduper(Watched(engine, put=put)).add_all(pages(["bad", "good", "late"]))
    assert states(outcomes) == ["failed", "joined", "joined"]
    assert outcomes[0].reason == "no room"
    assert groups(engine) == {"good": "good", "late": "good"}


def test_the_engine_is_the_given_one_then_the_configured_one_then_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DUPGROUPS_ENGINE", "memory://")
    assert Deduper().engine.name == "memory://"
    configured = Config(engine=f"sqlite:///{tmp_path}/configured.db")
    assert Deduper(config=configured).engine.name.endswith("configured.db")
    assert Deduper("memory://", configured).engine.name == "memory://"


# -- what is counted


def test_steps_verdicts_and_candidates_of_a_batch_are_counted() -> None:
    adding = deduper("memory://", CLOSURE)

    def steps() -> dict[str, int]:
        return {step: adding.metrics.value("step_seconds_count", step=step) for step in STEPS}

    adding.add_all(pages("a"))
    adding.add_all(pages("bc"))
    assert steps() == {"sign": 0, "look": 2, "plan": 2, "write": 2, "regroup": 0}
    assert adding.metrics.value("candidates_count") == 3
    assert adding.metrics.value("candidates_sum") == 0 + 1 + 2
    assert adding.metrics.value("verdicts_total", relation="duplicate") == 1 + 2
    adding.committer.regroup(list(adding.engine.get(["b"]).values()))
    assert steps()["plan"] == 3
