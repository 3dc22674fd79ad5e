"""What the index templates of other tools would add to an index that dup-groups makes: pure.

An alias of the user's on a second index stops all writes to it ("no write index is defined"), and it cannot
be refused in the request that makes an index. So no index stays where a template adds more than settings that
do no harm.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Body = Mapping[str, Any]

HARMFUL = (
    "default_pipeline",
    "final_pipeline",
    "blocks.",
    "lifecycle.name",
    "plugins.index_state_management",
)
"""Settings, or how their names begin, that change what is written, prevent it, or delete the index."""

PRIORITY = 1_000_000  # above that of other templates, of which one is used for an index


def added_to(body: Body, made: Body) -> list[str]:
    """What an index has besides its body: aliases, fields, settings, each as the rest of a sentence."""
    aliases = made.get("aliases", {}).keys() - body.get("aliases", {}).keys()
    added = [f"gives it the alias {name!r}" for name in sorted(aliases)]
    if names := sorted(_fields(made.get("mappings", {})) - _fields(body["mappings"])):
        added.append(f"adds {', '.join(names)} to its mapping")
    ours = dict(_settings(body["settings"]))
    for name, value in _settings(made.get("settings", {})):
        if name.startswith(HARMFUL) and name not in ours and value not in ("_none", "false"):
            added.append(f"sets index.{name}")
    return added


def _fields(mapping: Body) -> set[str]:
    """What a mapping consists of: its fields, and whatever else it says."""
    return {*mapping.get("properties", {}), *(name for name in mapping if name != "properties")}


def _settings(settings: Body, above: str = "") -> Iterator[tuple[str, str]]:
    """The settings with their names below `index.`, however deep or flat they are written."""
    for name, value in settings.items():
        full = f"{above}{name}"
        if isinstance(value, Mapping):
            yield from _settings(value, f"{full}.")
        else:
            yield full.removeprefix("index."), str(value).lower()


def refusal(name: str, added: Sequence[str]) -> str:
    """Why an index is not made, and the cure, in a sentence."""
    pattern = "dup-groups-*" if name.startswith("dup-groups-") else name
    cure = {"index_patterns": [pattern], "priority": PRIORITY}
    return (
        f"{name!r} is not made, because an index template {', and '.join(added)}: keep {pattern} out of its "
        f"patterns, or make one that adds nothing: PUT _index_template/dup-groups {json.dumps(cure)}"
    )
