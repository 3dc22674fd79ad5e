"""Templates learned during a crawl: one answer for one order, and the groups of a crawl that knew them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.backfill import Backfill
from dupgroups.bulk.offline import group_pages
from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Document, Signature
from dupgroups.model.config import Hosts
from flow.scenes import partition
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


def truth(pages: Iterable[Page]) -> list[list[str]]:
    """The partition into stories."""
    stories: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        stories[str(page.id).split("@")[0]].append(str(page.id))
    return sorted(map(sorted, stories.values()))


def test_what_a_menu_ties_together_comes_apart_when_the_host_is_known(engine: Engine, tmp_path: Path) -> None:
    crawl(engine, live(tmp_path), PAGES[:9])
    assert partition(engine) != truth(PAGES[:9]), "the menus are longer than the stories"
    crawl(engine, live(tmp_path), PAGES[9:], [3, 4])
    assert partition(engine) == truth(PAGES)
    assert {id_: document.content.text for id_, document in stored(engine).items()} == {
        page.id: page.text for page in PAGES
    }, "what is left out is left out of signatures only"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    order=st.permutations(PAGES),
    stop=st.integers(0, len(PAGES)),
    cuts=st.lists(st.integers(0, len(PAGES)), max_size=6),
)
def test_however_it_is_cut_a_crawl_has_the_groups_of_a_pile_that_is_judged_at_the_end(
    order: list[Page], stop: int, cuts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No tie of an old signature remains, at any point of the crawl."""
    config = live(tmp_path_factory.mktemp("crawl"))
    found = group_pages(order[:stop], config).groups
    engine = SQLiteEngine()
    crawl(engine, config, order[:stop], [min(cut, stop) for cut in cuts])
    assert {id_: document.record.group for id_, document in stored(engine).items()} == found


def signatures(engine: Engine) -> dict[str, Signature]:
    return {id_: document.record.signature for id_, document in stored(engine).items()}


def test_signing_anew_does_not_count_as_a_visit(tmp_path: Path) -> None:
    """`last_seen` tells a replay what came later than it; and each item is counted in one state."""
    ticks = itertools.count(1)
    engine = SQLiteEngine()
    deduper = Deduper(engine, live(tmp_path), clock=lambda: next(ticks))
    outcomes = deduper.add_all(PAGES)
    assert {outcome.state for outcome in outcomes} <= {"new", "joined", "merged"}
    seen = [(document.record.first_seen, document.record.last_seen) for document in stored(engine).values()]
    assert all(first == last for first, last in seen)


@pytest.mark.parametrize("stop", [0, 9, len(PAGES)])
def test_a_backfill_learns_first_and_signs_then(engine: Engine, stop: int, tmp_path: Path) -> None:
    """Whatever signed them, or half of them."""
    config = live(tmp_path)
    Deduper(engine, config).add_all(PAGES[:stop])  # as after a crash: what was learned is not kept
    known = Deduper(engine)
    known.add_all(PAGES[stop:])
    engine.refresh()
    assert Backfill(engine, config=config, dry_run=True).run().groups == len(truth(PAGES))
    assert not (tmp_path / "hosts.npz").exists(), "a dry run writes no file"
    Backfill(engine, config=config, batch=3).run()
    engine.refresh()
    assert partition(engine) == truth(PAGES)
    assert len({document.record.signature.scheme for document in engine.scan()}) == 1
    assert not Backfill(engine, config=config).run().changed
    assert Path(config.hosts.templates).exists() if config.hosts else False


# -- how often a text is signed


def site(host: str, menu: str, name: str, count: int) -> list[Page]:
    """Pages of one host below one menu, each with a story of its own."""
    return [
        Page(url=f"https://{host}/{name}/{at}", text=f"{menu}\n{running_text(f'{host}{name}{at}', 4)}")
        for at in range(count)
    ]
