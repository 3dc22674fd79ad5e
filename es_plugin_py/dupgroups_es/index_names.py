"""The indices that a name (or alias, or pattern) stands for, and where writes under each name go."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import quote

from dupgroups.errors import ConfigError, DupGroupsError
from dupgroups.model.field_names import Fields
from dupgroups_es import shapes
from dupgroups_es.base import ClusterEngine
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.external_index import ExternalIndex
from dupgroups_es.index_set import explain_filter, is_set
from dupgroups_es.mapping import missing_fields, version_of, wrong_fields


@dataclass(frozen=True, slots=True)
class Place:
    """The index that documents are written into under some name. `is_ready`: its mapping has our fields, and
    fits the key; `is_stream`: its documents cannot be changed; `is_own`: dup-groups created it; `is_piped`:
    what is written there goes through a pipeline first. `moves_on`: the name is an alias that may lead to
    another index the next moment, which does not have our fields yet; `is_routed`: it also gives a routing,
    so it cannot be replaced by its index, and what is written under it is not signed.
    """

    index: str
    is_ready: bool = False
    is_stream: bool = False
    is_own: bool = False
    is_piped: bool = False
    moves_on: bool = False
    is_routed: bool = False

    @property
    def is_usable(self) -> bool:
        """Whether its documents may get our fields."""
        return not self.is_own and not self.is_stream and not self.is_routed


def places(cluster: Cluster, name: str) -> dict[str, Place]:
    """All names under which documents are written into the indices behind a name; {} if there are none."""
    indices: dict[str, Answer] = cluster.send(
        "GET",
        f"/{quote(name, safe='*')}",
        shape=shapes.object_of,
        ignore_unavailable="true",
        filter_path="*.aliases,*.data_stream,*.settings.index.*_pipeline,*.mappings._meta.dup_groups"
        ",*.mappings.properties.dup_*",
    )
    by_index = {index: _place(index, answer) for index, answer in indices.items()}
    named = {answer.get("data_stream", index): by_index[index] for index, answer in indices.items()}
    aliases = {alias for answer in indices.values() for alias in answer.get("aliases", {})}
    for alias, holders in _holders(cluster, aliases).items():
        index = _written_by(holders)
        if index in by_index:
            place, form = by_index[index], holders[index]
            moves_on = "is_write_index" in form
            is_routed = moves_on and "index_routing" in form
            is_ready = place.is_ready and not is_routed
            named[alias] = replace(place, moves_on=moves_on, is_routed=is_routed, is_ready=is_ready)
    return by_index | named


def check(engine: ClusterEngine, fields: Fields) -> None:
    """Raises ConfigError for an alias with a filter, and for the name of one index that cannot be written by
    others and grouped.
    """
    if problem := explain_filter(engine.index, engine.cluster.names(engine.index)):
        raise ConfigError(f"{engine.name}: {problem}")
    if len(indices := engine.indices()) != 1:
        return
    if not engine.is_external():
        raise ConfigError(f"{engine.name} is an index of dup-groups: only its own commands write there")
    ExternalIndex(engine.cluster, indices[0], fields, empty=True)


def prepare_places(cluster: Cluster, name: str, fields: Fields) -> tuple[dict[str, Place], str]:
    """See `places`, once the mappings of the indices have our fields; and why one of them cannot have them,
    in a sentence, or "".
    """
    found_places, trouble = places(cluster, name), ""
    indices = cluster.names(name)
    of_set = name if forms_set(name, indices) else None
    for index in {place.index for place in found_places.values() if place.is_usable and not place.is_ready}:
        try:
            ExternalIndex(cluster, index, fields, empty=True, of_set=of_set).prepare()
        except DupGroupsError as error:
            trouble = str(error)
        else:
            ready = {name: place for name, place in found_places.items() if place.index == index}
            found_places |= {name: replace(place, is_ready=place.is_usable) for name, place in ready.items()}
    return found_places, trouble


def forms_set(name: str, indices: Mapping[str, Answer]) -> bool:
    """Whether the indices behind a name (see `Cluster.names`) are grouped as one: unless one was grouped by
    itself before, which `backfill` of the name ends.
    """
    return is_set(name, indices) and not any(index["is_alone"] for index in indices.values())


def _place(index: str, answer: Answer) -> Place:
    mapping = answer.get("mappings", {})
    is_ready = not missing_fields(mapping) and not wrong_fields(mapping)
    settings = answer.get("settings", {}).get("index", {})
    is_piped = any(name not in (None, "_none") for name in settings.values())
    is_stream, is_own = "data_stream" in answer, version_of(mapping) is not None
    return Place(index, is_ready, is_stream, is_own, is_piped)


def _holders(cluster: Cluster, aliases: Collection[str]) -> dict[str, dict[str, Answer]]:
    """The form of each alias in each index that has it, also in those that were not asked for."""
    if not aliases:
        return {}
    names = ",".join(quote(alias, safe="") for alias in sorted(aliases))
    answers: Answer = cluster.send("GET", f"/_alias/{names}", missing=True) or {}
    holders: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for index, answer in answers.items():
        for alias, form in answer["aliases"].items():
            holders[alias][index] = form
    return holders


def _written_by(holders: Mapping[str, Answer]) -> str:
    """The index that an alias writes into; "" if it only reads."""
    takes = {index: form.get("is_write_index") for index, form in holders.items()}
    chosen = [index for index, takes_writes in takes.items() if takes_writes]
    if len(holders) == 1 and None in takes.values():
        chosen = [*holders]
    return chosen[0] if chosen else ""


def matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a name is one of a pattern, in which * stands for any characters but a dot in front.

    >>> [matcher("articles-*")(name) for name in ("articles-2026", "articles", "x-articles-1")]
    [True, False, False]
    """
    dotted, glob = pattern.startswith("."), pattern.replace("[", "[[]")
    return lambda name: name.startswith(".") == dotted and fnmatchcase(name, glob)
