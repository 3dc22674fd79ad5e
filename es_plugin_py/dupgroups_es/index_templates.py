"""Find additions of other tools' index templates to an index that dup-groups makes: pure.

An alias of the user's on a second index stops all writes to it ("no write index is defined"), and it cannot
be refused in the request that makes an index. So an index to which a template adds more than settings that
do no harm is deleted again.
"""

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
CURE_PRIORITY = 10_000  # of a template that keeps others away; servers and usual tools have 500 at most


def added_to(body: Body, parts: Body) -> list[str]:
    """The additions of `parts` (`aliases`, `mappings`, `settings` of a template or an index) add to the body
    of an index, each as the rest of a sentence.
    """
    aliases = parts.get("aliases", {}).keys() - body.get("aliases", {}).keys()
    added = [f"gives it the alias {name!r}" for name in sorted(aliases)]
    if names := sorted(_fields(parts.get("mappings", {})) - _fields(body["mappings"])):
        added.append(f"adds {', '.join(names)} to its mapping")
    ours = dict(_settings(body["settings"]))
    for name, value in _settings(parts.get("settings", {})):
        if name.startswith(HARMFUL) and name not in ours and value not in ("_none", "false"):
            added.append(f"sets index.{name}")
    return added


def _fields(mapping: Body) -> set[str]:
    """The parts of a mapping: its fields, and whatever else it says."""
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
    cure = {"index_patterns": [pattern], "priority": CURE_PRIORITY}
    return (
        f"{name!r} is not made, because an index template {', and '.join(added)}: keep {pattern} out of its "
        f"patterns, or make one that adds nothing: PUT _index_template/dup-groups {json.dumps(cure)}"
    )
