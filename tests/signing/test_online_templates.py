"""Templates learned during a crawl: one answer for one order, and the groups of a crawl that knew them."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupgroups import Config, Deduper, Page
from dupgroups.backfill import Backfill
from dupgroups.config import Hosts
from dupgroups.corpus.template_learner import TemplateLearner
from dupgroups.engines import Engine, open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import EngineError
from dupgroups.method_set import MethodSet
from dupgroups.model import Content, Document, Signature
from dupgroups.offline import group_pages
from dupgroups.signing import OnlineTemplates
from stories import running_text

HOSTS = [f"site{number}.example" for number in range(4)]
# two papers of one house print one menu, longer than a story; the third has its own, the fourth has none
MENUS = {
    host: running_text(name, 30) + "\n" for host, name in zip(HOSTS, ("house", "house", "own"), strict=False)
}


def page(host: str, story: int) -> Page:
    text = MENUS.get(host, "") + running_text(f"story{story}", 8)
    return Page(id=f"{story}@{host}", url=f"https://{host}/{story}", text=text)


PAGES = [
    page(host, story) for story in range(8) for host in HOSTS if (story + len(host) + HOSTS.index(host)) % 3
]


def live(folder: Path) -> Config:
    return Config(hosts=Hosts(str(folder / "hosts.npz"), live=True))


def crawl(engine: Engine, config: Config, pages: Sequence[Page], cuts: Iterable[int] = ()) -> None:
    deduper = Deduper(engine, config)
    for start, end in itertools.pairwise([0, *sorted(cuts), len(pages)]):
        deduper.add_all(pages[start:end])
    deduper.save_templates()
    engine.refresh()


def stored(engine: Engine) -> dict[str, Document]:
    return {document.record.id: document for document in engine.scan()}


def partition(engine: Engine) -> set[frozenset[str]]:
    members: defaultdict[str, set[str]] = defaultdict(set)
    for document in engine.scan():
        members[document.record.group].add(document.record.id)
    return {frozenset(ids) for ids in members.values()}


def truth(pages: Iterable[Page]) -> set[frozenset[str]]:
    stories: defaultdict[str, set[str]] = defaultdict(set)
    for page in pages:
        stories[str(page.id).split("@")[0]].add(str(page.id))
    return {frozenset(ids) for ids in stories.values()}


def test_what_a_menu_ties_together_comes_apart_when_the_host_is_known(engine: Engine, tmp_path: Path) -> None:
    crawl(engine, live(tmp_path), PAGES[:9])
    assert partition(engine) != truth(PAGES[:9]), "the menus are longer than the stories"
    crawl(engine, live(tmp_path), PAGES[9:], [3, 4])
    assert partition(engine) == truth(PAGES)
    assert all(
        document.content.text == page(*reversed_id(id_)).text for id_, document in stored(engine).items()
    )


def reversed_id(id_: str) -> tuple[str, int]:
    story, _, host = id_.partition("@")
    return host, int(story)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(PAGES), cuts=st.lists(st.integers(0, len(PAGES)), max_size=6))
def test_one_order_has_one_answer_however_it_is_cut(
    order: list[Page], cuts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    one, two = SQLiteEngine(), SQLiteEngine()
    for engine, edges in ((one, []), (two, cuts)):
        crawl(engine, live(tmp_path_factory.mktemp("crawl")), order, edges)
    signatures = [
        {id_: document.record.signature for id_, document in stored(engine).items()} for engine in (one, two)
    ]
    assert signatures[0] == signatures[1]
    assert partition(one) == partition(two)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(PAGES), stop=st.integers(0, len(PAGES)))
def test_the_groups_are_those_of_a_pile_that_is_judged_at_the_end(
    order: list[Page], stop: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No tie of an old signature remains, at any point of the crawl."""
    config = live(tmp_path_factory.mktemp("crawl"))
    found = group_pages(order[:stop], config).groups
    engine = SQLiteEngine()
    crawl(engine, config, order[:stop])
    assert {id_: document.record.group for id_, document in stored(engine).items()} == found


def test_a_second_crawl_goes_on_where_the_first_stopped(tmp_path: Path) -> None:
    whole, halves = SQLiteEngine(), SQLiteEngine()
    for name in "ab":
        (tmp_path / name).mkdir()
    crawl(whole, live(tmp_path / "a"), PAGES)
    crawl(halves, live(tmp_path / "b"), PAGES[:10])
    crawl(halves, live(tmp_path / "b"), PAGES[10:])
    one, two = (
        {id_: document.record.signature for id_, document in stored(engine).items()}
        for engine in (whole, halves)
    )
    assert one == two


def test_pages_that_come_again_change_nothing(engine: Engine, tmp_path: Path) -> None:
    crawl(engine, live(tmp_path), PAGES)
    before = stored(engine)
    deduper = Deduper(engine, live(tmp_path))
    assert {outcome.state for outcome in deduper.add_all(PAGES)} == {"unchanged"}
    assert {id_: document.record.signature for id_, document in stored(engine).items()} == {
        id_: document.record.signature for id_, document in before.items()
    }


def test_signing_anew_does_not_count_as_a_visit(tmp_path: Path) -> None:
    """`last_seen` tells a replay what came later than it; and each item is counted in one state."""
    ticks = itertools.count(1)
    engine = SQLiteEngine()
    deduper = Deduper(engine, live(tmp_path), clock=lambda: next(ticks))
    outcomes = deduper.add_all(PAGES)
    assert {outcome.state for outcome in outcomes} <= {"new", "joined", "merged"}
    seen = [(document.record.first_seen, document.record.last_seen) for document in stored(engine).values()]
    assert all(first == last for first, last in seen)


@pytest.mark.parametrize("failing", range(6))
def test_what_fails_while_signing_anew_is_made_up_for(failing: int, tmp_path: Path) -> None:
    """The caller adds the batch again, as it does after any failure of the engine."""

    class Failing(SQLiteEngine):
        reads = 0

        def read(self, ids: Sequence[str]) -> dict[str, Document]:
            self.reads += 1
            if self.reads == failing:
                raise EngineError("away", temporary=True)
            return super().read(ids)

    engine = Failing()
    deduper = Deduper(engine, live(tmp_path))
    for start in range(0, len(PAGES), 5):
        try:
            deduper.add_all(PAGES[start : start + 5])
        except EngineError:
            deduper.add_all(PAGES[start : start + 5])
    assert partition(engine) == truth(PAGES)


@pytest.mark.parametrize("stop", [3, 9, 14])
def test_after_a_crash_crawling_again_or_a_backfill_gives_the_same_groups(stop: int, tmp_path: Path) -> None:
    """What was learned is lost with the process; the pages are not."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine, live(tmp_path)).add_all(PAGES[:stop])
    with closing(Deduper(url, live(tmp_path))) as deduper:
        deduper.add_all(PAGES)
        assert partition(deduper.engine) == truth(PAGES)


@pytest.mark.parametrize("stop", [0, 9, len(PAGES)])
def test_a_backfill_learns_first_and_signs_then(engine: Engine, stop: int, tmp_path: Path) -> None:
    """Whatever signed them, or half of them."""
    config = live(tmp_path)
    Deduper(engine, config).add_all(PAGES[:stop])  # as after a crash: what was learned is not kept
    known = Deduper(engine)
    known.add_all(PAGES[stop:])
    engine.refresh()
    Backfill(engine, config=config, batch=3).run()
    engine.refresh()
    assert partition(engine) == truth(PAGES)
    assert len({document.record.signature.scheme for document in engine.scan()}) == 1
    assert not Backfill(engine, config=config).run().changed
    assert Path(config.hosts.templates).exists() if config.hosts else False


def test_a_dry_run_and_a_pile_leave_the_file_alone(tmp_path: Path) -> None:
    engine = SQLiteEngine()
    Deduper(engine).add_all(PAGES)
    assert Backfill(engine, config=live(tmp_path), dry_run=True).run().groups == len(truth(PAGES))
    group_pages(PAGES, live(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_many_hosts_are_forgotten_and_learned_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    counts = TemplateLearner(memory=12_000)
    monkeypatch.setattr(TemplateLearner, "open", lambda path: counts)
    pages = [page(host, story) for story in range(6) for host in HOSTS]
    random.Random(0).shuffle(pages)
    engine = SQLiteEngine()
    crawl(engine, live(tmp_path), pages)
    assert counts.forgotten > 0
    assert len(stored(engine)) == len(pages)


def test_a_file_that_cannot_be_written_ends_no_crawl(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = Config(hosts=Hosts(str(tmp_path / "none" / "hosts.npz"), live=True))
    with closing(Deduper("memory://", config)) as deduper:
        deduper.add_all(PAGES)
    assert "What was learned of the hosts cannot be kept" in caplog.text


def test_what_a_page_held_together_by_its_menu_comes_apart(engine: Engine, tmp_path: Path) -> None:
    config = replace(live(tmp_path), join=frozenset({"duplicate", "contains", "contained"}))
    pages = held_together()[:6]
    crawl(engine, config, pages[:-1])
    assert len(partition(engine)) == 1
    crawl(engine, config, pages)
    assert partition(engine) == {frozenset({str(page.id)}) for page in pages}


def held_together() -> list[Page]:
    """Two texts, on hosts of which nothing is learned, and pages of one host that have both in their menu."""
    one, two = running_text("one", 30), running_text("two", 30)
    return [
        Page(id="one", url="https://x.example/1", text=one),
        Page(id="two", url="https://y.example/2", text=two),
        *(
            Page(id=str(at), url=f"https://a.example/{at}", text=f"{one}\n{two}\n{running_text(str(at), 6)}")
            for at in range(6)
        ),
    ]


def test_a_backfill_lets_go_of_what_only_old_signatures_held_together(engine: Engine, tmp_path: Path) -> None:
    """The two texts are signed as before: they come apart because the whole group is put together anew."""
    config = replace(live(tmp_path), join=frozenset({"duplicate", "contains", "contained"}))
    pages = held_together()
    Deduper(engine, config).add_all(pages[:5])  # three pages of the host, and as many after a crash: too few
    Deduper(engine, config).add_all(pages[5:])
    engine.refresh()
    assert len(partition(engine)) == 1
    Backfill(engine, config=config).run()
    engine.refresh()
    assert partition(engine) == {frozenset({str(page.id)}) for page in pages}


# -- how often a text is signed


class Counted(MethodSet):
    """Notes the texts that it signs."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.texts: list[str] = []

    def signatures(self, contents: Sequence[Content]) -> list[Signature]:
        self.texts += [content.text for content in contents]
        return super().signatures(contents)


def counted(folder: Path, pages: Iterable[Page], batch: int = 20) -> tuple[list[str], list[str]]:
    """The texts that a crawl of these pages signs, and the ids of the pages that are signed again."""
    config = live(folder)
    methods, again = Counted(config), []

    class Reading(SQLiteEngine):
        def read(self, ids: Sequence[str]) -> dict[str, Document]:
            documents = super().read(ids)
            again.extend(documents)
            return documents

    deduper = Deduper(Reading(), config)
    deduper.methods, deduper.templates = methods, OnlineTemplates.of(config, methods)
    deduper._fellows = lambda ids: []  # type: ignore[assignment,method-assign]  # those are read, not signed
    ahead = iter(pages)
    while cut := list(itertools.islice(ahead, batch)):
        deduper.add_all(cut)
    deduper.save_templates()
    return methods.texts, again


def test_each_page_of_a_known_host_is_signed_once(tmp_path: Path) -> None:
    """Every host is learned to its end: nothing is due, and what is known is left out before signing."""
    menu = running_text("menu", 30)
    first, second = (
        [
            Page(url=f"https://{host}/{run}/{at}", text=f"{menu}\n{running_text(f'{host}{run}{at}', 4)}")
            for at in range(count)
            for host in HOSTS[:2]
        ]
        for run, count in ((1, 128), (2, 100))
    )
    counted(tmp_path, first)
    texts, again = counted(tmp_path, second)
    assert (len(second), len(texts), again) == (200, 200, [])
    assert not any(menu.splitlines()[0] in text for text in texts)


@pytest.mark.parametrize("batch", [1, 7, 200])
def test_a_page_is_signed_again_only_when_the_template_of_its_host_is_learned(
    batch: int, tmp_path: Path
) -> None:
    pages = [
        Page(
            id=f"{host}{at}",
            url=f"https://{host}/{at}",
            text=f"{running_text(host, 20)}\n{running_text(f'{host}{at}', 4)}",
        )
        for at in range(50)
        for host in HOSTS
    ]
    texts, again = counted(tmp_path, pages, batch)
    assert len(texts) == 200 + len(again)
    # the menu is known from the fourth page on, and never changes: three pages of each host are due
    # (the fourth is counted before it is signed, and not stored yet)
    assert sorted(again) == sorted(f"{host}{at}" for host in HOSTS for at in range(3))


def test_a_page_is_signed_seven_times_at_most(tmp_path: Path) -> None:
    """A host whose menu changes all the time is learned at 4, 8, 16, ... 128 pages."""
    stories = [running_text(f"story{at}", 4) for at in range(1, 200)]
    menus = [running_text(f"menu{max(3, at).bit_length()}", 12) for at in range(199)]
    pages = [
        Page(id=str(at), url=f"https://a.example/{at}", text=f"{menu}\n{text}")
        for at, (menu, text) in enumerate(zip(menus, stories, strict=True))
    ]
    texts, _ = counted(tmp_path, pages)
    times = [sum(story in text for text in texts) for story in stories]
    assert times[0] == 7 == max(times)
    assert min(times) == 1
