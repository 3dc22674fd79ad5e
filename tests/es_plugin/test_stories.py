"""Records of stories in a cluster: after any history of two writers that may die, they say what is stored."""

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from dupgroups import Deduper, open_engine
from dupgroups.engines import Engine
from dupgroups_es.base import ClusterEngine
from engines.documents import document
from es_plugin.clusters import ALL, ONE_OF_EACH, ask, index_of, seeds, servers
from es_plugin.test_deaths import Death, Mortal
from flow.scenes import counted_stories, follow_stories, kept_stories
from flow.test_histories import IDS, Step, take

TEXTS = ["abc", "cde", "abcde", "fgh", "abcx", ""]


def draw_step(draw: random.Random) -> Step:
    kind = draw.choice(["add", "add", "add", "delete", "correct", "undo"])
    if kind == "add":
        some = draw.sample(IDS, draw.randint(1, 5))
        return {id_: (draw.choice(TEXTS), draw.randint(0, 2)) for id_ in some}
    if kind == "delete":
        return draw.sample(IDS, draw.randint(1, 3))
    if kind == "undo":
        return draw.randint(0, 9)
    correction = draw.choice(["keep-apart", "keep-together", "head"])
    return (correction, *draw.sample(IDS, 1 if correction == "head" else 2))


@contextmanager
def writer(url: str) -> Iterator[Deduper]:
    with closing(open_engine(f"{url}?refresh_interval=60s")) as engine:
        yield Deduper(engine)


def live(url: str, draw: random.Random) -> None:
    """Some steps of two writers, of which one may die; a third one settles."""
    with writer(url) as one, writer(url) as other:
        for _ in range(draw.randint(2, 8)):
            take(draw.choice([one, other]), draw_step(draw))
        if draw.random() < 0.5:
            engine = other.engine
            assert isinstance(engine, ClusterEngine)
            how = draw.choice(["before", "a part", "after"])
            engine.cluster.client = Mortal(engine.cluster.client, draw.randint(1, 5), how)
            with suppress(Death):
                take(other, draw_step(draw))
    with writer(url) as last:
        last.regroup()
        assert kept_stories(last.engine) == counted_stories(last.engine)


@servers(ALL)
@seeds(1, later=7)
def test_after_any_history_the_records_are_those_of_what_is_stored(engine_url: str, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(3):
        live(engine_url, draw)
    with writer(engine_url) as deduper:
        known: dict[str, object] = {}
        follow_stories(deduper.engine, known, None)  # type: ignore[arg-type]
        assert {name: one for name, one in known.items() if one.is_story} == counted_stories(deduper.engine)  # type: ignore[attr-defined]


@servers(ONE_OF_EACH)
def test_a_batch_without_copies_asks_and_writes_nothing_of_stories(engine_url: str) -> None:
    with closing(open_engine(engine_url)) as engine:
        engine.put([document("a"), document("b")])
        assert "stories" not in str(engine.made_indices())  # type: ignore[attr-defined]
        engine.put([document("c", "a")])
        assert "stories" in str(engine.made_indices())  # type: ignore[attr-defined]


@servers(ONE_OF_EACH)
def test_stories_of_a_deleted_index_are_gone_with_it(engine_url: str) -> None:
    for _ in range(2):
        with closing(open_engine(engine_url)) as engine:
            engine.put([document("a"), document("b", "a")])
            assert [record.copies for record in kept_stories(engine).values()] == [2]
            ask(engine_url, "DELETE", f"/{index_of(engine_url)}-000001")


@servers(ONE_OF_EACH)
def test_an_index_grouped_before_gets_its_records_with_the_next_story(engine_url: str) -> None:
    def names(engine: Engine) -> list[str]:
        engine.refresh()
        return [record.group for record in engine.stories()]

    with closing(open_engine(engine_url)) as engine:
        engine.put([document("a"), document("b", "a")])
        ask(engine_url, "DELETE", f"/dup-groups-{index_of(engine_url)}-stories")
    with closing(open_engine(engine_url)) as engine:
        assert names(engine) == []
        engine.put([document("c"), document("d", "c")])
        assert names(engine) == ["a", "c"]
        ask(engine_url, "DELETE", f"/dup-groups-{index_of(engine_url)}-stories/_doc/a")
        engine.count_stories()
        assert names(engine) == ["a", "c"]
        ask(engine_url, "DELETE", f"/dup-groups-{index_of(engine_url)}-stories")
        assert names(engine) == []
        engine.put([document("e"), document("f", "e")])  # by a process that knew the index
        assert names(engine) == ["a", "c", "e"]
