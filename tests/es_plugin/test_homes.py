"""Which indices a name stands for, and where documents are: without a server."""

from __future__ import annotations

from typing import Any

import pytest

from dupgroups_es.index_set import IndexSet

READY = {"properties": {"dup_group": {"type": "keyword"}}}


def index(created: int, *, ready: bool = True, **settings: str) -> dict[str, Any]:
    """An index as a server describes it."""
    named = {f"index.{name.replace('__', '.')}": value for name, value in settings.items()}
    mappings = READY if ready else {}
    known = {"index.creation_date": str(created), "index.uuid": "u", "index.number_of_shards": "1"}
    return {"settings": known | named, "mappings": mappings, "aliases": {}}


def opened(name: str, **indices: dict[str, Any]) -> IndexSet:
    several = IndexSet(name)
    several.update(indices)
    return several


def test_the_newest_index_that_has_an_id_has_the_document_in_whichever_order_they_are_seen() -> None:
    several = opened("n*", n1=index(1), n2=index(2), n3=index(3))
    for home in ("n2", "n1", "n2"):
        several.note("a", home)
    assert several.home("a") == "n2"
    assert [several.is_current({"_id": "a", "_index": home}) for home in ("n1", "n2")] == [False, True]
    several.note("a", "n3")
    assert several.home("a") == "n3"


def test_an_index_that_is_not_known_is_newer_than_all_and_asks_for_another_look() -> None:
    several = opened("n*", n1=index(1), n2=index(2))
    several.note("a", "n2")
    several.note("a", "n9")
    assert (several.home("a"), several.is_outdated) == ("n9", True)
    several.update({"n1": index(1), "n2": index(2)})
    assert (several.home("a"), several.is_outdated) == ("n9", False)


def test_what_was_in_an_index_that_is_gone_or_closed_has_no_home() -> None:
    several = opened("n*", n1=index(1), n2=index(2), n3=index(3))
    for id_, home in {"a": "n1", "b": "n2", "c": "n3"}.items():
        several.note(id_, home)
    several.update({"n2": index(2, verified_before_close="true"), "n3": index(3)})
    assert [several.home(id_) for id_ in "abc"] == [None, None, "n3"]
    assert several.is_several  # it may be opened again any time


@pytest.mark.parametrize(
    ("name", "path"), [("n*", "n*,-n2"), ("news", "n1,n3")], ids=["a pattern", "an alias"]
)
def test_an_index_without_our_fields_is_left_out_while_others_have_them(name: str, path: str) -> None:
    several = opened(name, n1=index(1), n2=index(2, ready=False), n3=index(3))
    assert several.path == path
    several.reads_all = True
    assert several.path == name
    assert opened(name, n1=index(1, ready=False), n2=index(2, ready=False)).path == name


def test_new_documents_go_to_the_write_index_however_old_it_is() -> None:
    written = index(1) | {"aliases": {"news": {"is_write_index": True}}}
    several = opened("news", n1=written, n2=index(2))
    assert (several.target, several.newest) == ("news", "n1")
    reading = opened("news", n1=index(1), n2=index(2))
    assert (reading.target, reading.newest) == ("", None)


@pytest.mark.parametrize("name", ["blocks__write", "blocks__read_only"])
def test_an_index_that_somebody_has_made_read_only_is_fixed_and_one_on_a_full_disk_is_not(name: str) -> None:
    settings = {name: "true"}
    full = {"blocks__read_only_allow_delete": "true"}
    assert opened("n*", n1=index(1, **settings), n2=index(2, **full)).fixed == {"n1"}
