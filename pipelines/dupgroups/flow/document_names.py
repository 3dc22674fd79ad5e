"""How people name a stored document: by its id, the beginning of it, its URL, or its page in our search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from urllib.parse import unquote

from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.flow.corrector import is_text
from dupgroups.flow.signing import id_of_url

MIN_PREFIX_CHARS = 6  # characters of the beginning of an id
MAX_NAME_CHARS = 512  # characters of a name for which ids are searched


def headlines(engine: Engine, ids: Sequence[str]) -> dict[str, str]:
    """The title of each document and its site, for people; "" if it is not stored, or has no title."""
    found = dict.fromkeys(ids, "")
    for id_, document in engine.read([*found]).items():
        site = document.content.site or document.record.host
        title = document.content.title
        found[id_] = f"“{title}” ({site})" if title and site else title
    return found


def stored_id(engine: Engine, name: str) -> str:
    """The id of the document that is meant by its id, or by its URL."""
    is_url = name.startswith(("http://", "https://"))
    return id_of_url(name) if is_url and name not in engine.get([name]) else name


def named_id(engine: Engine, name: str) -> str:
    """The id of the document that is meant by its id, by its URL, by the address of its story on the search
    page, or by at least MIN_PREFIX_CHARS characters with which no other id begins.

    It may be of no document. Raises InputError if several ids begin so, and for what UTF-8 cannot encode.
    """
    if not is_text(name):
        raise InputError(f"{name!r} has characters that UTF-8 cannot encode, so is not an id: give another")
    id_ = stored_id(engine, name)
    if "/groups/" in name and not engine.get([id_]):
        id_ = unquote(name.rpartition("/groups/")[2].partition("?")[0])
    if id_ != name or not MIN_PREFIX_CHARS <= len(name) <= MAX_NAME_CHARS or engine.get([name]):
        return id_
    following = islice(engine.scan(after=name), 2)  # in the order of ids: those that begin so come first
    found = [document.record.id for document in following if document.record.id.startswith(name)]
    if len(found) > 1:
        raise InputError(f"several ids begin with {name!r}, such as {' and '.join(found)}: give more of it")
    return found[0] if found else id_
