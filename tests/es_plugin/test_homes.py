"""Which indices a name stands for, and where documents are: without a server."""

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
