"""Look-ups of the documents that come next, while those before them are written, on real servers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from typing import Any

import pytest

from dupgroups import Deduper, Document, Page, open_engine
from dupgroups.audit import audit
from dupgroups.engines import Engine, Store
from dupgroups.errors import EngineError
from dupgroups.model import Record
from dupgroups_es import lookahead
from dupgroups_es.base import ClusterEngine
from dupgroups_es.transport import NoAnswerError
from engines.documents import document, ids, signature
from es_plugin.clusters import ONE, ONE_OF_EACH, servers
from stories import story

LONG = 20.0  # seconds that a thread waits for another one before the test fails


class Client:
    """A client that notes the paths of requests, by thread, and that `before` may hold up or make fail."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.sent: list[tuple[bool, str]] = []
        self.before: Callable[[bool, str], None] = lambda ahead, path: None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def send(self, method: str, path: str, params: Mapping[str, str], body: Any, *, lines: bool) -> Any:
        ahead, path = threading.current_thread().name.startswith("dup-groups-look-ahead"), path[1:]
        what = path.rpartition("/")[2]
        self.before(ahead, what)
        answer = self._client.send(method, f"/{path}", params, body, lines=lines)
        self.sent.append((ahead, what))
        return answer

    def searches(self, *, ahead: bool) -> int:
        return self.sent.count((ahead, "_msearch"))


Opened = Callable[[], tuple[Deduper, Client]]


@pytest.fixture
def opened(engine_url: str) -> Iterator[Opened]:
    """Opens writers that see nothing of each other before somebody refreshes the index."""
    with ExitStack() as stack:

        def writer() -> tuple[Deduper, Client]:
            engine = stack.enter_context(closing(open_engine(f"{engine_url}?refresh_interval=600s")))
            assert isinstance(engine, ClusterEngine)
            deduper = Deduper(engine)
            deduper.settle()  # nothing is looked up ahead before the first look of a writer
            client = Client(engine.cluster._client)
            engine.cluster._client = engine._ahead._cluster._client = client
            return deduper, client

        yield writer


def signed(deduper: Deduper, *names: str, copy: str = "1") -> list[Document]:
    return [deduper.sign(Page(id=f"{name}-{copy}", text=story(name))) for name in names]


def asking(*keys: str) -> Record:
    return document("asking", keys=keys).record


def looked(deduper: Deduper) -> None:
    """Wait for the look-ahead that was begun last."""
    waiting = deduper.engine._ahead._waiting  # type: ignore[attr-defined]
    waiting[-1][1].exception()


def searched(engine: Store, client: Client, key: str, limit: int) -> int:
    """How many requests a look-up sends that was looked up ahead, or was not."""
    before = client.searches(ahead=False)
    engine.candidates([signature(key)], limit=limit)
    return client.searches(ahead=False) - before


def groups(deduper: Deduper) -> dict[str, str]:
    deduper.engine.refresh()
    return {document.record.id: document.record.group for document in deduper.engine.scan()}  # type: ignore[attr-defined]


@servers(ONE_OF_EACH)
def test_what_was_looked_up_ahead_is_not_looked_up_again(opened: Opened) -> None:
    (deduper, client), (other, _) = opened(), opened()
    other.add_signed(signed(other, "a", "b"))
    deduper.engine.refresh()
    following = signed(deduper, "a", "c", copy="2")
    deduper.look_ahead(following)
    looked(deduper)
    assert client.sent == [(False, "_refresh"), (True, "_mget"), (True, "_msearch"), (True, "_mget")]
    looked_up: list[int] = []
    candidates = deduper.engine.candidates

    def counted(*arguments: Any, **options: Any) -> Any:
        before = len(client.sent)
        found = candidates(*arguments, **options)
        looked_up.append(len(client.sent) - before)
        return found

    deduper.engine.candidates = counted  # type: ignore[method-assign]
    joined, new = deduper.add_signed(following)
    assert (joined.state, joined.group, new.state) == ("joined", "a-1", "new")
    assert looked_up[0] == 0


@servers(ONE_OF_EACH)
def test_the_next_batch_is_looked_up_while_one_is_written(opened: Opened) -> None:
    deduper, client = opened()
    is_writing, is_looked_up = threading.Event(), threading.Event()

    def before(ahead: bool, path: str) -> None:
        if path == "_bulk":
            is_writing.set()
            assert is_looked_up.wait(LONG), "the look-ahead does not wait for the write"

    following = signed(deduper, "a", "b", copy="2")
    client.before = before
    writing = threading.Thread(target=deduper.add_signed, args=(signed(deduper, "a", "c"),))
    writing.start()
    assert is_writing.wait(LONG)
    deduper.look_ahead(following)
    looked(deduper)
    assert client.searches(ahead=True) == 1
    is_looked_up.set()
    writing.join()
    client.before = lambda ahead, path: None
    joined, _ = deduper.add_signed(following)
    assert joined.group == "a-1", "what was written after the look-ahead is seen"


@servers(ONE_OF_EACH)
def test_what_is_being_looked_up_is_waited_for(opened: Opened) -> None:
    deduper, client = opened()
    begun, adding = threading.Event(), threading.Event()

    def before(ahead: bool, path: str) -> None:
        if ahead:
            begun.set()
            assert adding.wait(LONG)
        elif path == "_mget":
            adding.set()  # what is stored under the same ids is read first

    client.before = before
    following = signed(deduper, "a")
    deduper.look_ahead(following)
    assert begun.wait(LONG)
    deduper.add_signed(following)
    assert (client.searches(ahead=True), client.searches(ahead=False)) == (1, 0)


@servers(ONE_OF_EACH)
def test_a_twin_is_found_that_was_settled_between_look_ahead_and_look(opened: Opened) -> None:
    (deduper, _), (other, _) = opened(), opened()
    late = signed(deduper, "a", copy="late")
    deduper.look_ahead(late)
    looked(deduper)
    other.add_signed(signed(other, "a"))
    deduper.settle()  # nobody looks at the document of the other writer again
    deduper.add_signed(late)
    assert deduper.settle().documents == 0
    assert set(groups(deduper).values()) == {"a-1"}
    assert all(check.ok for check in audit(deduper.engine, deduper.config))  # type: ignore[arg-type]


@servers(ONE_OF_EACH)
def test_a_refresh_meanwhile_makes_it_void(opened: Opened) -> None:
    deduper, _ = opened()
    following = signed(deduper, "a", copy="2")
    deduper.look_ahead(following)
    looked(deduper)
    deduper.add_signed(signed(deduper, "a"))
    deduper.engine.refresh()  # nothing of the own writes lies over what searches find
    (joined,) = deduper.add_signed(following)
    assert joined.group == "a-1"


@servers(ONE)
def test_nothing_is_looked_up_before_the_first_look_of_a_writer(engine_url: str) -> None:
    with closing(Deduper(engine_url)) as one, closing(Deduper(engine_url)) as two:
        late = signed(one, "a", copy="late")
        one.engine.get(["x"])  # prepared, but for writing
        one.look_ahead(late)
        two.add_signed(signed(two, "a"))
        two.settle()
        assert not one.engine._ahead._waiting  # type: ignore[attr-defined]
        assert one.add_signed(late)[0].group == "a-1"


@servers(ONE_OF_EACH)
def test_a_look_ahead_that_fails_is_made_once_and_the_look_is_made_anew(opened: Opened) -> None:
    deduper, client = opened()
    asked: list[str] = []

    def before(ahead: bool, path: str) -> None:
        if ahead:
            asked.append(path)
            raise NoAnswerError("time-out")

    client.before = before
    deduper.add_signed(signed(deduper, "a"))
    following = signed(deduper, "a", copy="2")
    deduper.look_ahead(following)
    looked(deduper)
    assert deduper.add_signed(following)[0].group == "a-1"
    assert asked == ["_mget"]
    assert deduper.engine.retries == 0


@servers(ONE)
def test_it_is_used_by_whoever_asks_for_more_only_where_it_showed_all(opened: Opened) -> None:
    deduper, client = opened()
    engine = deduper.engine
    engine.put([document(f"d{number}", keys=["many", f"k{number}"]) for number in range(4)])
    engine.refresh()
    for key, searches in (("k1", 0), ("many", 1)):
        engine.look_ahead([asking(key)], limit=2)
        looked(deduper)
        assert searched(engine, client, key, limit=3) == searches


@servers(ONE)
def test_keys_that_were_found_to_be_crowded_since_are_looked_up_as_such(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups_es.lookups.HOLDERS", 5)
    deduper, client = opened()
    engine = deduper.engine
    engine.put([document(f"d{number:02}", keys=["crowd"]) for number in range(30)])
    engine.put([document("z", keys=["crowd", "rare"])])
    engine.refresh()
    wanted = signature("crowd", "rare")
    engine.look_ahead([asking("crowd", "rare")], limit=3)
    looked(deduper)
    engine.candidates([signature("crowd")], limit=3)  # learns that the key is crowded
    (found,) = engine.candidates([wanted], limit=3)
    assert ids(found)[0] == "z"
    assert client.searches(ahead=True) == 1


@servers(ONE)
def test_the_first_ones_wait_and_each_is_given_once(opened: Opened) -> None:
    deduper, client = opened()
    engine = deduper.engine
    assert isinstance(engine, ClusterEngine)
    for number in range(lookahead.WAITING + 2):
        engine.look_ahead([asking(f"k{number}")], limit=2)
    looked(deduper)
    assert len(engine._ahead._waiting) == lookahead.WAITING
    for searches in (0, 1):
        assert searched(engine, client, "k0", limit=2) == searches
    engine.refresh()
    engine.look_ahead([asking("k")], limit=2)
    assert len(engine._ahead._waiting) == 1, "those before the refresh are void"


@servers(ONE_OF_EACH)
def test_what_is_stored_as_it_is_needs_no_look_ahead(opened: Opened) -> None:
    deduper, _ = opened()
    stored = signed(deduper, "a", "b")
    deduper.add_signed(stored)
    changed = deduper.sign(Page(id="b-1", text=story("c")))
    deduper.look_ahead([stored[0], changed])
    looked(deduper)
    waiting = deduper.engine._ahead._waiting  # type: ignore[attr-defined]
    ((_, future),) = waiting
    assert list(future.result().shared) == [changed.record.signature]
    for _ in range(lookahead.WAITING + 1):  # nobody ever asks for these
        deduper.look_ahead(stored)
        looked(deduper)
    assert len(waiting) == 2


@servers(ONE)
def test_a_look_ahead_that_breaks_in_any_way_is_no_error(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    deduper, _ = opened()
    engine = deduper.engine
    assert isinstance(engine, ClusterEngine)

    def broken(*_: object) -> None:
        raise KeyError("a bug")

    def no_thread(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(engine._ahead, "_look", broken)
    engine.look_ahead([asking("k")], limit=2)
    assert engine.candidates([signature("k")], limit=2) == [[]]
    monkeypatch.setattr(engine._ahead._thread, "submit", no_thread)
    engine.look_ahead([asking("k")], limit=2)
    assert engine.candidates([signature("k")], limit=2) == [[]]


@servers(ONE)
def test_a_key_is_crowded_or_rare_whatever_is_learned_meanwhile(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups_es.lookups.HOLDERS", 5)
    deduper, _ = opened()
    engine = deduper.engine
    assert isinstance(engine, ClusterEngine)
    engine.put([document(f"d{number:02}", keys=["crowd"]) for number in range(30)])
    engine.put([document("z", keys=["crowd", "rare"])])
    engine.refresh()
    lookups = engine._lookups

    class Learning(dict[Any, None]):
        """Another thread learns that the key is crowded when it has just been asked for."""

        def __contains__(self, key: object) -> bool:
            known = super().__contains__(key)
            self[key] = None
            return known

    lookups._crowded = Learning()
    engine.look_ahead([asking("crowd", "rare")], limit=3)
    looked(deduper)
    lookups._crowded = {("s1", "crowd"): None}
    (found,) = engine.candidates([signature("crowd", "rare")], limit=3)
    assert ids(found)[0] == "z"


@servers(ONE)
def test_a_closed_engine_looks_nothing_up(opened: Opened) -> None:
    deduper, client = opened()
    deduper.engine.look_ahead([asking("k")], limit=2)
    looked(deduper)
    deduper.engine.close()
    deduper.engine.look_ahead([asking("l")], limit=2)
    assert client.searches(ahead=True) == 1


CHANGES: dict[str, Callable[[Engine], object]] = {
    "none": lambda engine: None,
    "a new twin": lambda engine: engine.put([document("c", keys=["k", "l"])]),
    "another signature": lambda engine: engine.put([document("a", keys=["other"])]),
    "more keys": lambda engine: engine.put([document("b", keys=["k", "l", "m"])]),
    "a move": lambda engine: engine.put([], moves={"a": "b"}),
    "a label": lambda engine: engine.put([], labels={"b": "a"}),
    "seen again": lambda engine: engine.touch(["a"], 99),
    "deleted": lambda engine: engine.delete(["a"]),
    "refreshed": lambda engine: (engine.put([document("c", keys=["k", "l"])]), engine.refresh()),
}


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_looked_up_ahead_is_as_it_is_now(opened: Opened, change: str) -> None:
    deduper, _ = opened()
    engine: Engine = deduper.engine  # type: ignore[assignment]
    records = [asking("k", "l", "m"), asking("k"), asking("nobody's")]
    wanted = [record.signature for record in records]
    engine.put([document("a", keys=["k", "l"]), document("b", keys=["k"])])
    engine.refresh()
    engine.look_ahead(records, limit=9)
    looked(deduper)
    CHANGES[change](engine)
    ahead = engine.candidates(wanted, limit=9)
    assert ahead == engine.candidates(wanted, limit=9)
    assert [record.group for record in ahead[1]] == [
        engine.get([record.id])[record.id].group for record in ahead[1]
    ]


@servers(ONE)
def test_a_dead_server_is_an_error_of_the_look_alone(opened: Opened) -> None:
    deduper, client = opened()

    def before(ahead: bool, path: str) -> None:
        raise EngineError("gone")

    client.before = before
    deduper.engine.look_ahead([asking("k")], limit=2)
    looked(deduper)
    with pytest.raises(EngineError, match="gone"):
        deduper.engine.candidates([signature("k")], limit=2)
