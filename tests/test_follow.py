"""Following: documents that other tools write get their groups, on real servers."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from dupgroups import Deduper, open_engine
from dupgroups.config import Config
from dupgroups.engines.followed import Share
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError
from dupgroups.follow import Follower, Progress
from es_plugin.clusters import ONE, ONE_OF_EACH, address, ask, servers
from stories import story
from test_backfill import FIELDS, MAPPING, everything, fill, index_of, partition, theirs

TWICE = {"body": story("a"), "headline": "Ferry"}


@contextmanager
def follower(engine_url: str, share: str = "1/1", **options: Any) -> Iterator[Follower]:
    """A follower of its own process, as it were: it shares nothing with others."""
    with closing(open_engine(engine_url)) as engine:
        yield Follower(engine, FIELDS, share=Share.parse(share), **options)


def write(engine_url: str, id_: str, document: dict[str, Any], how: str = "_doc") -> None:
    body = {"doc": document} if how == "_update" else document
    ask(engine_url, "POST" if how == "_update" else "PUT", f"/{index_of(engine_url)}/{how}/{id_}", body)


def groups(engine_url: str) -> dict[str, str | None]:
    return {id_: hit["_source"].get("dup_group") for id_, hit in everything(engine_url).items()}


@servers(ONE_OF_EACH)
def test_what_others_write_is_grouped_at_the_next_look(engine_url: str) -> None:
    fill(engine_url, range(3))
    with follower(engine_url, batch=10) as following:
        following.look()
        assert following.progress.states.total() == 24
        fill(engine_url, range(3, 6), mapping=None)
        before = theirs(everything(engine_url))
        following.look()
        after = everything(engine_url)
    assert theirs(after) == before
    assert partition(after, lambda source: source["dup_group"]) == partition(
        after, lambda source: source["tags"][0]
    )
    assert following.progress.states.total() == 48
    assert following.progress.failures == {}
