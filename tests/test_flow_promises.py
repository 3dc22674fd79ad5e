"""What the flow promises about the order of its work, about time, and about what a failure leaves."""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from dupgroups import Config, Deduper, Page, flow, open_engine
from dupgroups.config import Hosts, Method, Step
from dupgroups.engines import Engine
from dupgroups.engines.base import Backlog
from dupgroups.errors import ConflictError, EngineError
from dupgroups.flow import Settled
from dupgroups.flow.committer import Committer
from dupgroups.flow.ingest import Ingestor
from dupgroups.metrics.table import CANDIDATES, CUT_VIEWS, REPLANS, STEP_SECONDS, VERDICTS
from dupgroups.model import Document, Record, Signature, Verdict
from dupgroups.signing import OnlineTemplates
from engines.documents import document
from stories import chinese_story, story
from watched import Watched, away

OLD, NEW = Page(id="old", text=story("old")), Page(id="new", text=story("new"))


def deduper(engine: object, config: Config | None = None, **options: Any) -> Deduper:
    return Deduper(engine, config, **options)  # type: ignore[arg-type]


def groups(engine: Engine) -> dict[str, str]:
    engine.refresh()
    return {document.record.id: document.record.group for document in engine.scan()}


# -- the order of the work


def test_the_store_is_read_before_anything_is_written_and_touched_before_it_is_put(engine: Engine) -> None:
    deduper(engine).add(OLD)
    watched = Watched(engine)
    deduper(watched).add_all([NEW, OLD, Page(id="newer", text=story("old"))])
    assert watched.names[-2:] == ["touch", "put"]
    assert not {"touch", "put"} & set(watched.names[:-2])


def test_when_touching_fails_nothing_is_stored_yet(engine: Engine) -> None:
    deduper(engine).add(OLD)
    with pytest.raises(EngineError, match="refused"):
        deduper(Watched(engine, touch=away)).add_all([OLD, NEW])
    assert groups(engine) == {"old": "old"}
    outcomes = deduper(engine).add_all([OLD, NEW])
    assert [outcome.state for outcome in outcomes] == ["unchanged", "new"]


def test_what_came_again_as_it_is_was_seen_and_keeps_all_else(engine: Engine) -> None:
    ticks = itertools.count(10)
    adding = deduper(engine, clock=lambda: next(ticks))
    adding.add(OLD)
    [before] = engine.get(["old"]).values()
    adding.add(OLD)
    [after] = engine.get(["old"]).values()
    assert after == replace(before, last_seen=after.last_seen)
    assert after.last_seen > before.last_seen == before.first_seen


def test_many_unchanged_documents_take_one_call_of_each_kind(engine: Engine) -> None:
    """Neither candidates nor groups are looked up for them, and nothing is put."""
    names = [str(number) for number in range(5_000)]
    documents = [document(name, scheme="none", seen=0) for name in names]
    engine.put(documents)
    watched = Watched(engine)
    outcomes = deduper(watched).add_signed(documents)
    assert {outcome.state for outcome in outcomes} == {"unchanged"}
    assert watched.given("get").count(names) == 1
    assert [sorted(ids) for ids in watched.given("touch")] == [sorted(names)]
    for reading in ("candidates", "resolve", "members", "read"):
        assert not any(watched.given(reading)), reading
    assert "put" not in watched.names
    assert len(watched.calls) < 10


def test_a_batch_is_looked_up_in_one_call(engine: Engine) -> None:
    watched = Watched(engine)
    deduper(watched).add_all([Page(id=name, text=story(name)) for name in "abcdefgh"])
    assert watched.names.count("candidates") == watched.names.count("put") == 1


# -- time


def test_the_clock_counts_whole_microseconds_since_1970() -> None:
    before = time.time_ns() // 1000
    now = flow.now()
    assert before <= now <= time.time_ns() // 1000
    assert isinstance(now, int)


@pytest.mark.parametrize("readings", [[100], list(range(100, 0, -1)), [5, 5, 4, 9, 9, 3]])
def test_no_two_documents_of_one_process_are_of_one_age(engine: Engine, readings: list[int]) -> None:
    """Whether the clock stands still, goes back, or jumps; the one that came first is the older."""
    adding = deduper(engine, clock=itertools.cycle(readings).__next__)
    names = [str(number) for number in range(10)]
    for batch in (names[:3], names[3:4], names[4:]):
        adding.add_all([Page(id=name, text=story("one")) for name in batch])
    seen = [record.first_seen for record in engine.get(names).values()]
    assert seen == sorted(set(seen))
    assert set(groups(engine).values()) == {"0"}


def test_a_visit_is_later_than_all_that_came_before(engine: Engine) -> None:
    adding = deduper(engine, clock=lambda: 100)
    adding.add_all([OLD, NEW])
    adding.add(OLD)
    records = engine.get(["old", "new"])
    assert records["old"].last_seen > records["new"].last_seen


# -- candidates


def everything_joins(a: Record, b: Record) -> Verdict:
    return Verdict("duplicate", 1.0, "")


@pytest.fixture
def nearest(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Deduper:
    """Compares a document with one stored document and one of its batch, and joins whatever it compares."""
    monkeypatch.setattr(Committer, "judge", lambda _, a, b: everything_joins(a, b))
    return deduper(engine, Config(candidates=1))


def test_candidates_of_a_batch_are_those_that_share_most(nearest: Deduper) -> None:
    """Not the first ones, and not those with the smallest ids."""
    batch = [document("a", keys="1"), document("c", keys="12"), document("b", keys="1")]
    outcomes = nearest.add_signed([*batch, document("x", keys="12")])
    assert set(outcomes[-1].verdicts) == {"c"}


def test_among_candidates_of_a_batch_that_share_the_same_number_the_smallest_id_is_first(
    nearest: Deduper,
) -> None:
    batch = [document("c", keys="12"), document("a", keys="13"), document("b", keys="12")]
    outcomes = nearest.add_signed([*batch, document("x", keys="1")])
    assert set(outcomes[-1].verdicts) == {"a"}


def test_a_document_meets_the_store_and_its_batch(nearest: Deduper) -> None:
    nearest.add_signed([document("stored", keys="1"), document("alone", keys="9")])
    outcomes = nearest.add_signed([document("first", keys="2"), document("x", keys="12")])
    assert set(outcomes[-1].verdicts) == {"stored", "first"}
    assert (outcomes[-1].state, outcomes[-1].group) == ("merged", "stored")


def test_the_former_text_of_a_document_of_the_batch_is_not_a_candidate(nearest: Deduper) -> None:
    nearest.add_signed([document("a", keys="1", fingerprint="old")])
    changed, new = document("a", keys="2", fingerprint="new"), document("x", keys="1")
    assert [dict(outcome.verdicts) for outcome in nearest.add_signed([changed, new])] == [{}, {}]
    assert groups(nearest.engine) == {"a": "a", "x": "x"}  # type: ignore[arg-type]


# -- settling


def sees_nothing(signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
    return [[] for _ in signatures]


class Backlogged(Watched):
    """A store that knows by itself what may have missed its group: these documents, some at a time."""

    def __init__(self, engine: Engine, *slices: str, **faults: Callable[..., Any]) -> None:
        super().__init__(engine, backlog=self._backlog, settled=self.noted.append, **faults)
        self._slices = slices

    @cached_property
    def noted(self) -> list[Backlog]:
        """What was noted as settled."""
        return []

    def _backlog(self) -> Backlog:
        return Backlog((list(self.engine.get([*ids]).values()) for ids in self._slices), "so far")


def invisible(engine: Engine, *names: str) -> None:
    """Twins of one story that did not see each other when they were added."""
    adding = deduper(Watched(engine, candidates=sees_nothing))
    adding.add_all([Page(id=name, text=story("a")) for name in names[:1]])
    for name in names[1:]:
        assert adding.add(Page(id=name, text=story("a"))).state == "new"


@pytest.mark.parametrize("failing", ["backlog", "resolve", "members", "candidates", "version", "put"])
def test_a_failed_settle_is_not_noted_and_done_again(engine: Engine, failing: str) -> None:
    invisible(engine, "1", "2")
    store = Backlogged(engine, "2")
    settling = deduper(store)
    working, store.faults = store.faults, {**store.faults, failing: away}
    with pytest.raises(EngineError, match="refused"):
        settling.settle()
    assert store.noted == []
    store.faults = working
    assert settling.settle() == Settled(documents=1, groups=1)
    assert [backlog.mark for backlog in store.noted] == ["so far"]
    assert groups(engine) == {"1": "1", "2": "1"}


def test_a_settle_is_noted_after_all_is_written(engine: Engine) -> None:
    invisible(engine, "1", "2")
    store = Backlogged(engine, "2")
    deduper(store).settle()
    assert set(store.names[: store.names.index("backlog")]) == {"corrections"}
    assert store.names[-2:] == ["put", "settled"]


def test_a_settle_looks_at_some_at_a_time_as_they_are_by_then(engine: Engine) -> None:
    """The second slice has come to its group with the first, and a third is left as it is."""
    invisible(engine, "1", "2", "3")
    store = Backlogged(engine, "23", "3", "1")
    assert deduper(store).settle() == Settled(documents=4, groups=2)
    assert store.names.count("put") == 1
    assert groups(engine) == dict.fromkeys("123", "1")


def test_a_settle_with_nothing_to_do_writes_nothing(engine: Engine) -> None:
    deduper(engine).add_all([Page(id=name, text=story("a")) for name in "ab"])
    watched = Watched(engine)
    assert deduper(watched).settle() == Settled()
    assert watched.names == ["corrections", "corrections", "backlog", "settled"]
    assert deduper(watched).settle([list(engine.get(["a", "b"]).values())]) == Settled(documents=2)
    assert "put" not in watched.names


def test_settling_everything_notes_the_backlog_too(engine: Engine) -> None:
    """What was looked at with everything is not looked at again."""
    invisible(engine, "1", "2")
    store = Backlogged(engine, "2")
    assert deduper(store).settle([list(engine.get(["1", "2"]).values())]) == Settled(documents=2, groups=1)
    assert len(store.noted) == 1


def test_settling_counts_the_documents_that_went_alone(engine: Engine) -> None:
    """Two stories in one group, as a reader of an older version might have left it."""
    adding = deduper(engine)
    adding.add_all([Page(id=name, text=story(name)) for name in "ab"])
    [stray] = engine.read(["b"]).values()
    engine.put([replace(stray, record=replace(stray.record, group="a"))])
    assert adding.settle([list(engine.get(["b"]).values())]) == Settled(documents=1, regrouped=1)
    assert groups(engine) == {"a": "a", "b": "b"}


def test_the_copies_of_a_story_do_not_hide_its_twins_from_a_settle(engine: Engine) -> None:
    """There are as many of them as candidates are compared."""
    few = Config(candidates=3)
    deduper(engine, few).add(Page(id="z", text=story("a")))
    copies = [Page(id=name, text=story("a")) for name in "abc"]
    deduper(Watched(engine, candidates=sees_nothing), few).add_all(copies)
    assert set(groups(engine).values()) == {"z", "a"}
    deduper(engine, few).settle([list(engine.get(["b"]).values())])
    assert set(groups(engine).values()) == {"z"}


def test_sums_of_what_was_settled() -> None:
    assert Settled(1, 2, 3) + Settled(10, 20, 30) == Settled(11, 22, 33)


def test_with_too_many_unsettled_settling_comes_at_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups.flow.deduper.UNSETTLED", 2)
    watched = Watched(engine)
    adding = deduper(watched)
    settles = []
    for name in "abcdef":
        adding.add(Page(id=name, text=story(name)))
        settles.append(watched.names.count("backlog"))
    assert settles == [0, 0, 1, 1, 1, 2]


def test_who_settles_in_between_begins_to_count_anew(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupgroups.flow.deduper.UNSETTLED", 2)
    watched = Watched(engine)
    adding = deduper(watched)
    adding.add_all([Page(id=name, text=story(name)) for name in "ab"])
    adding.settle()
    adding.add_all([Page(id=name, text=story(name)) for name in "cd"])
    assert watched.names.count("backlog") == 1


# -- twins


def html(text: str, canonical: str) -> str:
    paragraphs = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    return f'<link rel="canonical" href="{canonical}"><body><h1>Report</h1>{paragraphs}</body>'


FRONT = "https://example.org/news/all"


def test_a_twin_of_another_scheme_is_another_story(engine: Engine) -> None:
    """English and Chinese signatures do not meet: no judge can be asked, and neither text is lost."""
    methods = {"*": Method(signer=Step("shingling")), "zh": Method(signer=Step("minhash"))}
    adding = deduper(engine, Config(methods=methods))
    main = adding.add(Page(url=FRONT, html=html(chinese_story("front"), FRONT)))
    amp = adding.add(Page(url="https://amp.example.org/a", html=html(story("a"), FRONT)))
    assert (main.state, amp.state) == ("new", "new")
    assert len({record.signature.scheme for record in engine.get([main.id, amp.id]).values()}) == 2


def test_a_twin_of_a_page_that_is_gone_by_now_is_a_page_of_its_own(engine: Engine) -> None:
    """Another configuration signed the page, and it was deleted before it could be signed as is done now."""
    deduper(engine, Config(methods={"*": Method(signer=Step("shingling"))})).add(
        Page(url=FRONT, html=html(story("a"), FRONT))
    )
    watched = Watched(engine, read=lambda ids: {})
    shorter = html(story("a").rsplit("\n", 1)[0], FRONT)
    amp = deduper(watched).add(Page(url="https://amp.example.org/a", html=shorter))
    assert amp.state == "new"
    assert len(groups(engine)) == 2


def test_twins_that_end_up_under_one_id_are_never_joined_to_themselves(engine: Engine) -> None:
    """Each calls a front page canonical that is another story, so that each comes under its address."""
    adding = deduper(engine)
    adding.add(Page(url=FRONT, html=html(story("front"), FRONT)))
    address, other = "https://example.org/amp/a", "https://example.org/amp/b"
    twin = Page(url=address, html=html(story("a"), FRONT))
    plain = Page(url=address, html=html(story("a"), address))
    elsewhere = Page(url=other, html=html(story("a"), FRONT))
    for batch in itertools.permutations([twin, plain, elsewhere, twin]):
        fresh = open_engine("memory://")
        again = deduper(fresh)
        again.add(Page(url=FRONT, html=html(story("front"), FRONT)))
        outcomes = again.add_all(batch)
        assert sorted(outcome.state for outcome in outcomes) == ["joined", "new", "unchanged", "unchanged"]
        assert not any(outcome.id in outcome.verdicts for outcome in outcomes)
        assert len(groups(fresh)) == 3
    outcomes = adding.add_all([twin, twin, plain])
    assert [outcome.state for outcome in outcomes] == ["new", "unchanged", "unchanged"]


# -- the end


MENU = story("menu", 300)
LEARNED = [
    Page(id=str(at), url=f"https://a.example/{at}", text=f"{MENU}\n{story(str(at))}") for at in range(6)
]


def live(folder: Path) -> Config:
    return Config(hosts=Hosts(str(folder / "hosts.npz"), live=True))


def test_closing_keeps_what_was_learned_for_the_next_crawl(engine: Engine, tmp_path: Path) -> None:
    adding = deduper(Watched(engine, close=lambda: None), live(tmp_path))
    adding.add_all(LEARNED)
    adding.close()
    with closing(deduper("memory://", live(tmp_path))) as next_crawl:
        next_crawl.add(LEARNED[0])
        [known], [again] = engine.get(["0"]).values(), next_crawl.engine.get(["0"]).values()
    with closing(deduper("memory://")) as knows_nothing:
        knows_nothing.add(LEARNED[0])
        [whole] = knows_nothing.engine.get(["0"]).values()
    assert again.signature == known.signature, "the first page of the next crawl is signed without the menu"
    assert again.signature.keys != whole.signature.keys


def test_templates_that_cannot_be_kept_are_one_line_in_the_log(
    engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    adding = deduper(Watched(engine, close=lambda: None), live(tmp_path))
    adding.add_all(LEARNED)
    (tmp_path / "hosts.npz").mkdir()
    adding.close()
    [message] = caplog.messages
    assert message.startswith("What was learned of the hosts cannot be kept: [Errno ")
    assert str(tmp_path) in message


@pytest.mark.parametrize("ends", ["deduper", "ingestor"])
def test_the_engine_is_closed_whatever_keeps_the_templates_from_being_kept(
    ends: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(templates: OnlineTemplates) -> None:
        raise ValueError("a host that no file takes")

    monkeypatch.setattr(OnlineTemplates, "save", broken)
    watched = Watched(open_engine("memory://"))
    adding = deduper(watched, live(tmp_path))
    with pytest.raises(ValueError, match="no file takes"):
        (adding if ends == "deduper" else Ingestor(adding, tmp_path / "dead.jsonl")).close()
    assert watched.names[-1] == "close"


def test_where_templates_are_learned_live_signing_is_left_to_adding(tmp_path: Path) -> None:
    adding = deduper("memory://", live(tmp_path))
    document = adding.sign(LEARNED[0])
    assert document.content.text == LEARNED[0].text
    assert not document.record.signature
    assert deduper("memory://").sign(LEARNED[0]).record.signature
    assert adding.add(document).state == "new"
    [stored] = adding.engine.get(["0"]).values()
    assert stored.signature


def test_closing_settles_first_and_lets_go_of_the_engine_whatever_fails(
    engine: Engine, tmp_path: Path
) -> None:
    closed: list[bool] = []
    watched = Watched(engine, close=lambda: closed.append(True))
    adding = deduper(watched, live(tmp_path))
    adding.add_all(LEARNED)
    watched.faults["backlog"] = away
    with pytest.raises(EngineError, match="refused"):
        adding.close()
    assert closed == [True]
    assert (tmp_path / "hosts.npz").exists(), "what was learned has nothing to do with the engine"


def test_settling_that_fails_after_adding_is_one_line_in_the_log(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("dupgroups.flow.deduper.UNSETTLED", 0)
    with caplog.at_level(logging.WARNING):
        deduper(Watched(engine, backlog=away)).add(OLD)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert caplog.messages == ["Twins that other processes wrote are looked for later: connection refused"]
    assert list(groups(engine)) == ["old"]


def test_the_signed_document_stands_alone() -> None:
    """Signing is pure: the same page gives the same document, and nothing is stored."""
    adding = deduper("memory://")
    one, two = adding.sign(OLD), adding.sign(OLD)
    assert one == two
    assert (one.record.group, one.record.first_seen, adding.engine.get(["old"])) == ("old", 0, {})
    assert isinstance(one, Document)


# -- what is counted


def test_steps_verdicts_and_candidates_of_a_batch_are_counted() -> None:
    adding = deduper("memory://", Config(linkage="closure"))
    adding.add(Page(id="a", text=story("one")))
    adding.add_all([Page(id=name, text=story("one")) for name in "bc"])
    steps = {step: seen.count for (step,), seen in adding.tally.distributions(STEP_SECONDS).items()}
    assert steps == {"sign": 0, "look": 2, "plan": 2, "write": 2, "settle": 0}
    [found] = adding.tally.distributions(CANDIDATES).values()
    assert (found.count, found.total) == (3, 0 + 1 + 2)
    assert adding.tally.numbers(VERDICTS)["duplicate",] == 1 + 2
    adding.regroup(list(adding.engine.get(["b"]).values()))
    steps = {step: seen.count for (step,), seen in adding.tally.distributions(STEP_SECONDS).items()}
    assert steps == {"sign": 0, "look": 2, "plan": 3, "write": 2, "settle": 0}


def test_what_a_look_leaves_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    adding = deduper("memory://")
    adding.add_all([Page(id=name, text=story("one")) for name in "abcd"])
    assert adding.tally.numbers(CUT_VIEWS)[()] == 0
    monkeypatch.setattr("dupgroups.flow.frontier.FELLOWS", 2)
    adding.delete(["a"])
    assert adding.tally.numbers(CUT_VIEWS)[()] == 1
    adding.add(Page(id="other", text=story("other")))
    assert adding.tally.numbers(CUT_VIEWS)[()] == 1


def test_what_is_planned_again_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupgroups.flow.commit.PAUSE", 0)
    engine = open_engine("memory://")

    def put(documents: Sequence[Document], **rest: Any) -> None:
        if len(watched.given("put")) < 3:
            raise ConflictError("others were faster", ids=[document.record.id for document in documents])
        engine.put(documents, **rest)

    watched = Watched(engine, put=put)
    adding = deduper(watched)
    assert adding.add(NEW).state == "new"
    assert adding.tally.numbers(REPLANS)[()] == 2
