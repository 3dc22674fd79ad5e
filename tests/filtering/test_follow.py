"""Following: documents that other tools write get their groups, on real servers."""

import json
import random
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from dupgroups import open_engine
from dupgroups.engines import Engine
from dupgroups.errors import ConfigError
from dupgroups.flow.signing import PageSigner
from dupgroups.model import Document
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es import followed, queries
from dupgroups_es.acknowledged import News, Sent, news_of
from dupgroups_es.base import ClusterEngine
from dupgroups_es.document_signer import DocumentSigner
from dupgroups_es.document_source import record_source
from dupgroups_es.followed import FollowedIndex
from dupgroups_es.patient_client import PatientClient
from dupgroups_filter.grouper import Groupers
from es_plugin.clusters import ONE, ONE_OF_EACH, ask, everything, index_of, seeds, servers
from es_plugin.test_deaths import Death, Mortal
from filtering.running import (
    FIELDS,
    MAPPING,
    all_bare,
    documents,
    eventually,
    groups,
    make,
    offline,
    partition,
    sources,
    sweep,
)
from flow.scenes import counted_stories, kept_stories
from processes import started
from stories import front_page, story

COPY, OTHER = {"body": story("a"), "headline": "Ferry"}, {"body": story("another")}


@contextmanager
def follower(engine_url: str, config: Config | None = None) -> Iterator[Groupers]:
    """A follower of its own process, as it were: it shares nothing with others."""
    with closing(open_engine(engine_url, must_exist=True)) as engine:
        yield Groupers(engine, FIELDS, config)


def dates(engine: Engine) -> set[str]:
    """The months in which documents say that they were published."""
    days = (one.record.published for one in engine.scan())
    return {str(datetime.fromtimestamp(60 * day, timezone.utc))[:7] for day in days if day is not None}


def write(engine_url: str, id_: str, document: dict[str, Any], routing: str = "") -> Any:
    """A whole document."""
    query = f"?routing={routing}" if routing else ""
    return ask(engine_url, "PUT", f"/{index_of(engine_url)}/_doc/{id_.replace('/', '%2F')}{query}", document)


def write_all(engine_url: str, made: dict[str, dict[str, Any]]) -> None:
    for id_, source in made.items():
        write(engine_url, id_, source)


def versions(engine_url: str) -> dict[str, int]:
    """How often each document has been written."""
    return {id_: hit["_version"] for id_, hit in everything(engine_url).items()}


def heads(engine_url: str) -> set[str]:
    return {id_ for id_, one in sources(engine_url, index_of(engine_url)).items() if one["dup_head"]}


@servers(ONE_OF_EACH)
def test_what_others_write_is_grouped_at_the_next_look_and_nothing_else_is_changed(engine_url: str) -> None:
    index, made = make(engine_url, number_of_shards=3), documents(4, 6)
    parts = [dict([*made.items()][start::2]) for start in (0, 1)]
    with follower(engine_url) as following:
        for number, part in enumerate(parts, 1):
            write_all(engine_url, part)
            following.poll()
            assert following.progress.states.total() == 12 * number
            assert not any(following.progress.failures.values())
    assert all_bare(sources(engine_url, index)) == made
    assert partition(groups(engine_url)) == offline(made)


@servers(ONE)
def test_a_document_that_is_replaced_loses_its_group_and_gets_one(engine_url: str) -> None:
    """The document that names a group is replaced: by the same text, and by another one."""
    make(engine_url)
    with follower(engine_url) as following:
        for id_ in "abc":
            write(engine_url, id_, COPY)
            following.poll()
        assert groups(engine_url) == dict.fromkeys("abc", "a")
        write(engine_url, "a", COPY)
        assert groups(engine_url)["a"] is None
        following.poll()
        assert groups(engine_url) == dict.fromkeys("abc", "b")
        write(engine_url, "b", OTHER)
        following.poll()
        assert groups(engine_url) == {"a": "c", "b": "b", "c": "c"}
        assert heads(engine_url) == {"b", "c"}


@servers(ONE)
def test_a_document_that_changes_while_it_is_read_is_grouped_as_it_is_in_the_end(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(engine_url)
    with follower(engine_url) as following:
        write_all(engine_url, {"a": COPY, "b": COPY})
        read, again = FollowedIndex.reread, [lambda: write(engine_url, "b", OTHER)]

        def hasty(index: FollowedIndex, ids: Any) -> Any:
            """Another tool writes b once more, right after it was read the first time."""
            arrivals = read(index, ids)
            while again and "b" in ids:
                again.pop()()
            return arrivals

        monkeypatch.setattr(FollowedIndex, "reread", hasty)
        for _ in range(2):
            following.poll()
            assert groups(engine_url)["b"] != "a"
        assert groups(engine_url) == {"a": "a", "b": "b"}
        assert not any(following.progress.failures.values())


@servers(ONE)
def test_a_follower_that_dies_at_any_write_leaves_the_rest_to_the_next(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = documents(6, 3)
    make(engine_url)
    write_all(engine_url, made)
    monkeypatch.setattr("dupgroups_es.settling.BATCH_DOCUMENTS", 5)
    monkeypatch.setattr("dupgroups_es.queries.PAGE_DOCUMENTS", 5)
    write_lines = PatientClient._bulk_once
    for alive in range(4):
        left = [None] * alive

        def die(self: PatientClient, pending: Any, left: list[None] = left) -> Any:
            if not left:
                raise KeyboardInterrupt
            left.pop()
            return write_lines(self, pending)

        with monkeypatch.context() as patch, follower(engine_url) as following:
            patch.setattr(PatientClient, "_bulk_once", die)
            with pytest.raises(KeyboardInterrupt):
                following.poll()
    with follower(engine_url) as following:
        following.poll()
    assert partition(groups(engine_url)) == offline(made)


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("required", [False, True], ids=["begun later", "required"])
def test_documents_with_a_routing_get_their_groups(engine_url: str, required: bool) -> None:
    """One of them moves its group."""
    index, routings = index_of(engine_url), {"a": "ra", "c": "rc", "d": "rd"}
    mapping = {**MAPPING["mappings"], "_routing": {"required": required}}
    ask(engine_url, "PUT", f"/{index}", {"mappings": mapping, "settings": {"number_of_shards": 3}})
    with follower(engine_url) as following:
        write(engine_url, "old", OTHER, routing="ro" if required else "")
        following.poll()
        for id_, routing in routings.items():
            write(engine_url, id_, COPY, routing)
            following.poll()
        assert groups(engine_url) == {"old": "old", **dict.fromkeys("acd", "a")}
        write(engine_url, "a", OTHER, routing="ra")
        following.poll()
        assert groups(engine_url) == {"old": "old", "a": "old", "c": "c", "d": "c"}
        assert not any(following.progress.failures.values())
    assert {id_: everything(engine_url)[id_]["_routing"] for id_ in routings} == routings


@servers(ONE_OF_EACH)
def test_groups_are_put_right_when_others_delete_their_documents(engine_url: str) -> None:
    """The document that names a group, all but one, and what held two others together."""
    index = make(engine_url)
    parts = [story(name, 150) for name in "pqrst"]
    bodies = {"old": parts[:3], "young": parts[2:], "bridge": parts}
    bridged = {id_: {"body": "\n".join(texts)} for id_, texts in bodies.items()}
    with follower(engine_url, Config(linkage="closure")) as following:
        for id_, document in {"a": COPY, "b": COPY, "c": COPY, **bridged}.items():
            write(engine_url, id_, document)
            sweep(following)
        assert groups(engine_url) == dict.fromkeys("abc", "a") | dict.fromkeys(bridged, "old")
        for id_ in ("a", "bridge"):
            ask(engine_url, "DELETE", f"/{index}/_doc/{id_}")
        sweep(following)
        assert groups(engine_url) == {"b": "b", "c": "b", "old": "old", "young": "young"}
        ask(engine_url, "DELETE", f"/{index}/_doc/b")
        sweep(following)
        assert groups(engine_url)["c"] == "c"
        assert heads(engine_url) == {"c", "old", "young"}
        before = versions(engine_url)
        sweep(following)
        assert versions(engine_url) == before


@servers(ONE_OF_EACH)
@seeds(1, later=5)
def test_the_records_of_stories_say_what_others_have_left(
    engine_url: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever they delete, replace, and change in place; a follower may die at any request of a look."""
    monkeypatch.setattr(followed, "COUNT_GROUPS", 2)  # several pages
    monkeypatch.setattr(queries, "PAGE_DOCUMENTS", 2)
    chance, fields = random.Random(seed), Fields(text="body", site="paper", date="day")
    texts, papers = [story(name) for name in "abcde"], ["post", "herald", "times"]
    index = make(engine_url)
    for _ in range(6):
        for id_ in (f"d{number}" for number in chance.sample(range(12), 3)):
            if chance.random() < 0.3 and id_ in groups(engine_url):
                update = {"doc": {"paper": chance.choice(papers)}}
                ask(engine_url, "POST", f"/{index}/_update/{id_}", update)
            else:
                write(engine_url, id_, {"body": chance.choice(texts), "paper": chance.choice(papers)})
        for id_ in chance.sample([*groups(engine_url)], chance.randint(0, 1)):
            ask(engine_url, "DELETE", f"/{index}/_doc/{id_}")
        with closing(open_engine(engine_url, must_exist=True)) as engine, suppress(Death):
            assert isinstance(engine, ClusterEngine)
            following = Groupers(engine, fields)
            if chance.random() < 0.5:
                how = chance.choice(["before", "a part", "after"])
                engine.cluster.client = Mortal(engine.cluster.client, chance.randint(1, 5), how)
            following.poll()
    with closing(open_engine(engine_url, must_exist=True)) as engine:
        following = Groupers(engine, fields)
        for _ in range(2):
            sweep(following)
        assert kept_stories(engine) == counted_stories(engine)
        for change in (
            {"paper": "gazette"},
            {"day": "2026-04-01"},
            {"day": "2026-05-01", "paper": "courier"},
        ):
            ask(engine_url, "POST", f"/{index}/_update/{min(groups(engine_url))}", {"doc": change})
            sweep(following)  # of what was changed in place, and was nothing else
            assert kept_stories(engine) == counted_stories(engine)
            assert dates(engine) >= {day[:7] for name, day in change.items() if name == "day"}
        for id_ in groups(engine_url):
            ask(engine_url, "DELETE", f"/{index}/_doc/{id_}")
        sweep(following)
        assert kept_stories(engine) == {}


@servers(ONE)
def test_an_index_that_cannot_be_grouped_is_named_and_others_are_grouped(engine_url: str) -> None:
    fit, unfit = f"{engine_url}-fit", f"{engine_url}-unfit"
    make(fit)
    write(fit, "x", COPY)
    mapping = {"mappings": {"properties": {"body": {"type": "integer"}}}}
    ask(unfit, "PUT", f"/{index_of(unfit)}", mapping)
    with follower(f"{engine_url}-*") as following:
        following.poll()
        assert "is of type integer, not text" in following.progress.trouble
    assert groups(fit) == {"x": "x"}


# -- what a filter tells


def hint(engine_url: str, id_: str, document: dict[str, Any]) -> dict[str, News]:
    """Write a document as a filter does; what the grouper is told of it."""
    signer = DocumentSigner(FIELDS, Config())
    (record,) = signer.records([signer.page(id_, document)])
    assert record
    answer = write(engine_url, id_, {**document, **record_source(record)})
    return news_of([Sent("index", record)], "", json.dumps(answer).encode())


@servers(ONE)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["in their order", "the later one first"])
def test_of_two_hints_about_one_document_the_later_counts(engine_url: str, order: tuple[int, int]) -> None:
    """Together, and when the older one comes after the document was grouped."""
    index = make(engine_url, refresh_interval="-1")
    with follower(engine_url) as following:
        following.poll()
        following.on_acknowledged(hint(engine_url, "a", COPY))
        hints = [hint(engine_url, "b", OTHER), hint(engine_url, "b", COPY)]
        both = News()
        for number in order:
            both.add(hints[number][index])
        following.on_acknowledged({index: both})
        assert groups(engine_url) == {"a": "a", "b": "a"}
        before = versions(engine_url)
        following.on_acknowledged(hints[0])
        assert versions(engine_url) == before
        following.on_acknowledged(hint(engine_url, "c", OTHER))
        assert groups(engine_url) == {"a": "a", "b": "a", "c": "c"}


@servers(ONE)
def test_an_index_that_nobody_asked_for_is_left_alone_although_a_filter_tells_of_it(engine_url: str) -> None:
    asked, other = [f"{engine_url}-{name}" for name in "ab"], f"{engine_url}x"
    for url in [*asked, other]:
        make(url)
    write(asked[0], "a", COPY)
    write(other, "x", COPY)
    with follower(f"{engine_url}-*") as following:
        following.poll()
        following.on_acknowledged({index_of(other): News(look=["x"])} | hint(asked[1], "b", COPY))
        following.poll()
    assert [groups(url) for url in [*asked, other]] == [{"a": "a"}, {"b": "a"}, {"x": None}]


# -- trouble


@servers(ONE)
def test_a_document_that_fails_is_tried_again_and_does_not_stop_the_others(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign = PageSigner.sign

    def stumble(signer: PageSigner, pages: Any) -> list[Document | None]:
        signed = sign(signer, pages)
        return [None if page.id == "a" else one for page, one in zip(pages, signed, strict=True)]

    index = make(engine_url)
    write_all(engine_url, {"a": COPY, "b": OTHER, "c": OTHER})
    with follower(engine_url) as following:
        with monkeypatch.context() as patch:
            patch.setattr(PageSigner, "sign", stumble)
            for _ in range(2):
                sweep(following)
            assert [*following.progress.failures[index]] == ["a"]
            assert groups(engine_url) == {"a": None, "b": "b", "c": "b"}
        sweep(following)
        assert not any(following.progress.failures.values())
    assert groups(engine_url)["a"] == "a"


@servers(ONE)
def test_the_command_follows_until_it_is_told_to_stop(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    words = ["-m", "dupgroups", "follow", "--engine", engine_url, "--fields", "text=body,html=page"]
    write_all(engine_url, {"a": COPY, "b": COPY, "front": {"page": front_page()}})
    with started([*words, "--metrics-port", "{port}"], tmp_path, health="/metrics") as command:
        eventually(lambda: groups(engine_url), {"a": "a", "b": "a", "front": "front"})
        eventually(lambda: "dupgroups_grouper_documents 3.0" in command.get("/metrics"), True)
        printed = command.stop()
    assert command.process.returncode == 0, printed
    assert re.search(r"3 grouped \(.*1 not article.*\); 0 without a group; lag \d+\.\d s\n$", printed)


def test_what_nobody_else_writes_cannot_be_followed(tmp_path: Path) -> None:
    store = open_engine(f"sqlite:///{tmp_path / 'news.db'}")
    with closing(store) as engine, pytest.raises(ConfigError, match="only what dup-groups wrote and grouped"):
        Groupers(engine)
