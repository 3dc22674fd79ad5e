"""What the first line of a request asks of a cluster. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote, urlencode

Kind = Literal["bulk", "index", "create", "update", "delete"]

_DOCUMENT: Mapping[tuple[str, str], Kind] = {
    ("PUT", "_doc"): "index",
    ("POST", "_doc"): "index",
    ("DELETE", "_doc"): "delete",
    ("PUT", "_create"): "create",
    ("POST", "_create"): "create",
    ("POST", "_update"): "update",
}
_ELSEWHERE = re.compile(
    r"_alias|_rollover|_data_stream|_mapping|_settings|_close|_open|_restore|_shrink|_split|_clone"
)


@dataclass(frozen=True, slots=True)
class Write:
    """A request that writes documents. `index` is None for a bulk that names it in its lines, `id` for a
    document whose id the server would make, and for a bulk.
    """

    kind: Kind
    index: str | None = None
    id: str | None = None
    query: Mapping[str, str] = field(default_factory=dict)


def write_of(method: str, target: str) -> Write | None:
    """The write that a request line asks for; None for everything else.

    >>> write_of("PUT", "/articles/_doc/a%2Fb?refresh=true")
    Write(kind='index', index='articles', id='a/b', query={'refresh': 'true'})
    >>> write_of("GET", "/articles/_doc/1") is None
    True
    """
    path, _, query = target.partition("?")
    names = [unquote(name) for name in path.split("/") if name]
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    match names:
        case [*index, "_bulk"] if method in ("PUT", "POST") and len(index) <= 1:
            return Write("bulk", index[0] if index else None, query=pairs)
        case [index, "_doc"] if method == "POST":
            return Write(_created("index", pairs), index, query=pairs)
        case [index, endpoint, id_] if (method, endpoint) in _DOCUMENT:
            return Write(_created(_DOCUMENT[method, endpoint], pairs), index, id_, pairs)
    return None


def changed_target(
    target: str,
    *,
    index: str | None = None,
    id_: str | None = None,
    without: Collection[str] = (),
    **more: str | int,
) -> str:
    """A target with another index, with an id after its path, without some parameters, and with others.

    >>> changed_target("/a%2Fb/_doc?refresh=true&pretty", id_="7", without=["pretty"], op_type="create")
    '/a%2Fb/_doc/7?refresh=true&op_type=create'
    """
    path, _, query = target.partition("?")
    pairs = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name not in without]
    if index is not None:
        path = re.sub(r"[^/]+", lambda _: quote(index, safe=""), path, count=1)
    path = path if id_ is None else f"{path.rstrip('/')}/{quote(id_, safe='')}"
    pairs += [(name, str(value)) for name, value in more.items()]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def changes_indices(method: str, target: str) -> bool:
    """Whether a request may change which index a name stands for, or an index itself.

    >>> changes_indices("DELETE", "/articles"), changes_indices("GET", "/articles")
    (True, False)
    """
    names = [name for name in target.partition("?")[0].split("/") if name]
    if method not in ("PUT", "POST", "DELETE"):
        return False
    return (len(names) == 1 and not names[0].startswith("_")) or any(map(_ELSEWHERE.match, names))


def _created(kind: Kind, query: Mapping[str, str]) -> Kind:
    return "create" if kind == "index" and query.get("op_type") == "create" else kind
