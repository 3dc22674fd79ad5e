"""Parse what the first line of a request asks of a cluster. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl, unquote

Kind = Literal["bulk", "index", "create", "update", "delete"]

_DOCUMENT: Mapping[tuple[str, str], Kind] = {
    ("PUT", "_doc"): "index",
    ("POST", "_doc"): "index",
    ("DELETE", "_doc"): "delete",
    ("PUT", "_create"): "create",
    ("POST", "_create"): "create",
    ("POST", "_update"): "update",
}
_OTHER_INDICES = re.compile(
    r"_alias|_rollover|_data_stream|_mapping|_settings|_close|_open|_restore|_shrink|_split|_clone"
)
_PAST_US = ("_reindex", "_update_by_query", "_delete_by_query")


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
    if "/_" not in path:
        return None
    names = [unquote(name) for name in path.split("/") if name]
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    match names:
        case [*index, "_bulk"] if method in ("PUT", "POST") and len(index) <= 1:
            return Write("bulk", index[0] if index else None, query=pairs)
        case [index, "_doc"] if method == "POST":
            return Write("index", index, query=pairs)
        case [index, endpoint, id_] if (method, endpoint) in _DOCUMENT:
            return Write(_DOCUMENT[method, endpoint], index, id_, pairs)
    return None


def is_past_us(target: str) -> bool:
    """Whether a request makes the server itself write documents, which nobody signs on the way."""
    return any(name in target for name in _PAST_US)


def changes_indices(method: str, target: str) -> bool:
    """Whether a request may change which index a name stands for, or an index itself.

    >>> changes_indices("DELETE", "/articles"), changes_indices("GET", "/articles")
    (True, False)
    """
    names = [name for name in target.partition("?")[0].split("/") if name]
    if method not in ("PUT", "POST", "DELETE"):
        return False
    return (len(names) == 1 and not names[0].startswith("_")) or any(map(_OTHER_INDICES.match, names))
