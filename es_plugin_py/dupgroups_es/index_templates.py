"""Find additions of other tools' index templates to an index that dup-groups makes: pure.

An alias of the user's on a second index stops all writes to it ("no write index is defined"), and it cannot
be refused in the request that makes an index. So nothing is made where a template adds more than settings
that do no harm.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

Body = Mapping[str, Any]

HARMFUL = (
    "default_pipeline",
    "final_pipeline",
    "blocks.",
    "lifecycle.name",
    "plugins.index_state_management",
)
"""Settings, or how their names begin, that change what is written, prevent it, or delete the index."""


class Template(NamedTuple):
    """A composable template. `is_stream`: indices of these names are not made, only data streams."""

    name: str
    priority: int
    is_stream: bool


def choose_template(name: str, body: Body, templates: Sequence[Body]) -> Template | None:
    """The one composable template that is used for an index of this name, None if there is none."""
    matching = [
        Template(template["name"], inner.get("priority") or 0, "data_stream" in inner)
        for template in templates
        if _is_for(name, body, (inner := template["index_template"])["index_patterns"])
    ]
    return max(matching, key=lambda template: template.priority, default=None)


def legacy_matching(name: str, body: Body, templates: Mapping[str, Body]) -> list[Body]:
    """The legacy templates for this name, all of which are used where no composable one is."""
    return [template for template in templates.values() if _is_for(name, body, template["index_patterns"])]


def _is_for(name: str, body: Body, patterns: Sequence[str]) -> bool:
    if "*" in patterns and body["settings"]["index"].get("hidden"):
        return False  # servers keep those for everything away from hidden indices
    return any(fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]")) for pattern in patterns)


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


def refusal(name: str, added: Sequence[str], template: Template | None = None) -> str:
    """Why an index is not made, and the cure, in a sentence."""
    source = f"the index template {template.name!r}" if template else "an index template"
    pattern = "dup-groups-*" if name.startswith("dup-groups-") else name
    cure = {"index_patterns": [pattern], "priority": template.priority + 1 if template else 1}
    return (
        f"{name!r} is not made, because {source} {', and '.join(added)}: keep {pattern} out of its patterns, "
        f"or make one that adds nothing: PUT _index_template/dup-groups {json.dumps(cure)}"
    )
