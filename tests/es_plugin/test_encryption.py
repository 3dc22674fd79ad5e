"""Encrypted ids: no document holds the id of another one, and everything else is as with plain ids."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from browser.serving import serving
from commands import run
from dupgroups import Deduper, Page, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.engines import Engine
from dupgroups.errors import ConfigError, MissingExtraError
from dupgroups.model import Query
from dupgroups_es.base import ClusterEngine
from dupgroups_es.encryption import EncryptedIds, ids_of
from dupgroups_filter import index_grouper
from dupgroups_filter.grouper import Groupers
from es_plugin.backfill.external import FIELDS, by_group, by_story, fill, theirs
from es_plugin.backfill.test_at_once import backfill, undo_last
from es_plugin.backfill.test_at_once import misplaced as wrong
from es_plugin.clusters import ONE, ask, everything, index_of, mapping_of, partition, servers
from filtering.running import bulk, documents, eventually, filtering, offline
from flow.scenes import groups
from stories import reprints

Opened = Callable[[str], ClusterEngine]

SECRET = bytes(range(32))
PAGES = [
    Page(id=f"https://a.example/{name}", text=page.text, title=page.title, url=page.url)
    for name, page in reprints(3, 4).items()
]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "ids.secret"
    file.write_bytes(SECRET)
    return file


@pytest.fixture
def url(engine_url: str, secret: Path) -> str:
    return f"{engine_url}?encrypt_ids={secret}"


def told(url: str) -> list[tuple[str, str]]:
    """Which documents hold the ids of which others."""
    hits = everything(url)
    texts = {id_: json.dumps(hit["_source"]) for id_, hit in hits.items()}
    return [(id_, other) for id_, text in texts.items() for other in hits if other != id_ and other in text]


def test_encryption_is_deterministic_and_reversible() -> None:
    ids, source = EncryptedIds(SECRET), {"dup_group": "a", "dup_ties": ["near 0.5000 b"], "text": "a"}
    stored = ids.encrypt_members(source)
    assert (
        stored
        == EncryptedIds(SECRET).encrypt_members(source)
        != EncryptedIds(SECRET[::-1]).encrypt_members(source)
    )
    assert stored["text"] == "a"
    assert ids.decrypt_members(stored) == source
    terms = {"terms": {"dup_group": ["a", "\ud800", "ü" * 256]}}
    query = {"query": terms, "collapse": {"field": "dup_group"}}
    assert ids.decrypt_members(ids.encrypt_members(query)) == query
    assert ids.check != EncryptedIds(SECRET[::-1]).check


def test_what_was_not_encrypted_with_the_key_is_left_out() -> None:
    other = EncryptedIds(SECRET[::-1]).encrypt_members({"dup_group": "a"})["dup_group"]
    for group in ("a", other, "äöü", "", "=", ["a", 1], None):
        [hit] = EncryptedIds(SECRET).decrypt_members({"hits": [{"dup_group": group}]})["hits"]
        assert hit in ({}, {"dup_group": []})


def test_a_file_without_a_secret_and_a_missing_library_are_one_sentence(
    secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        ids_of(str(tmp_path / "none"))
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "cryptography.exceptions", None)
        with pytest.raises(MissingExtraError, match=r"encrypt_ids needs an extra.*dup-groups\[encryption\]"):
            ids_of(str(secret))
    secret.write_bytes(b"short")
    with pytest.raises(ConfigError, match=r"has 5 bytes.*32 random"):
        ids_of(str(secret))


def state(engine: Engine) -> tuple[dict[str, str], set[str], dict[str, int]]:
    """Groups, heads, and the hits of a search with their sizes."""
    found = groups(engine)
    heads = {document.record.id for document in engine.scan() if document.record.is_head}
    hits = {hit.group: hit.size for hit in engine.search(Query(limit=100)).hits}
    copied = engine.search(Query(limit=100, sort="copies")).hits
    assert {hit.group: hit.matching for hit in copied} == hits
    return found, heads, hits


@servers(ONE)
def test_groups_are_those_of_plain_ids(url: str, opened: Opened) -> None:
    first, *_, last = [page.id for page in PAGES[:4]]
    steps: list[Callable[[Deduper], object]] = [
        lambda deduper: deduper.add_all(PAGES[1::2]),
        lambda deduper: deduper.add_all(PAGES[::2]),
        lambda deduper: deduper.correct("keep-apart", str(first), str(last), by="ann"),
        lambda deduper: deduper.correct("head", str(last), by="ann"),
        lambda deduper: deduper.delete([str(PAGES[1].id), str(PAGES[4].id)]),
        lambda deduper: deduper.undo(1, by="ann"),
        lambda deduper: deduper.settle(),
    ]
    with closing(open_engine("memory://")) as plain:
        encrypted, known = Deduper(opened(url)), Deduper(plain)
        for step in steps:
            step(encrypted)
            step(known)
            engine = opened(url)
            assert state(engine) == state(plain)
            assert told(url) == []
        assert {group: len(engine.copies(group)) for group in set(groups(engine).values())} == state(plain)[2]
        assert sorted(one.id for one in engine.memberships()) == sorted(groups(plain))
        assert [check for check in [*engine.check(), *audit(engine)] if not check.ok] == []
        group = next(iter(state(plain)[2]))
        with serving(engine) as site:
            assert site.get(f"/groups/{group.replace('/', '%2F')}").status == 200


@servers(ONE)
def test_another_secret_is_refused_before_anything_is_written(
    url: str, engine_url: str, opened: Opened, tmp_path: Path
) -> None:
    Deduper(opened(url)).add_all(PAGES[:4])
    before = everything(url), mapping_of(url)
    other = tmp_path / "other.secret"
    other.write_bytes(SECRET[::-1])
    for wrong_url, message in (
        (engine_url, "has encrypted ids of groups"),
        (f"{engine_url}?encrypt_ids={other}", "encrypted with another secret"),
    ):
        engine = opened(wrong_url)
        assert [check.name for check in engine.check() if not check.ok] == ["mapping"]
        uses = [Deduper(engine).add_all, engine.delete, engine.search, engine.adopt, Groupers]
        for use, given in zip(uses, (PAGES, [PAGES[0].id], Query(), None, engine), strict=True):
            with pytest.raises(ConfigError, match=message):
                use(given)
    assert (everything(url), mapping_of(url)) == before


@servers(ONE)
def test_an_index_of_other_tools_is_grouped_followed_and_undone(
    url: str, engine_url: str, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(url, range(3))
    before = everything(url)
    assert backfill(url, tmp_path / "runs").states == {"new": 8, "joined": 16}
    assert by_group(everything(url)) == by_story(before)
    assert told(url) == wrong(url) == []
    with pytest.raises(ConfigError, match="has encrypted ids"):
        opened(engine_url).adopt(FIELDS)
    assert undo_last(url, tmp_path / "runs").restored == 24
    opened(url).remove_side_indices()  # type: ignore[attr-defined]  # as the command does
    assert theirs(everything(url)) == theirs(before)
    assert not any("dup_group" in hit["_source"] for hit in everything(url).values())
    assert "key_check" not in json.dumps(mapping_of(url))  # it may begin anew with another secret, or none

    following = Groupers(opened(url), FIELDS)
    following.poll()
    fill(url, range(3, 6), mapping=None)
    following.poll()
    assert by_group(everything(url)) == by_story(everything(url))
    assert told(url) == []
    (one, other, *_) = next(members for members in by_group(everything(url)) if len(members) > 2)
    apart = ("keep-apart", "--engine", url, "--by", "ann", "--", one, other)  # an id may begin with "-"
    assert run(monkeypatch, *apart) == 0
    assert groups(opened(url))[one] != groups(opened(url))[other]
    ask(url, "DELETE", f"/{index_of(url)}/_doc/{one}")
    monkeypatch.setattr(index_grouper, "SWEEP_SECONDS", 0.0)
    following.poll()
    following.poll()
    assert told(url) == []
    assert [check for check in audit(opened(url)) if not check.ok] == []


@servers(ONE)
def test_a_filter_writes_encrypted_ids(url: str) -> None:
    made = documents(3, 3)
    with filtering(url, group=False) as filter_:
        filter_.ask("PUT", f"/{filter_.index}/_doc/alone?refresh=true", {"body": PAGES[-1].text})
        assert EncryptedIds(SECRET).decrypt_members(filter_.sources())["alone"]["dup_group"] == "alone"
        ask(url, "DELETE", f"/{filter_.index}/_doc/alone?refresh=true")
    with filtering(url, create=False) as filter_:
        assert not filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(made)).json["errors"]
        eventually(lambda: partition(filter_.groups()), offline(made))
    assert told(url) == []
    assert filter_.groups().keys() & set(filter_.groups().values()) == set()
