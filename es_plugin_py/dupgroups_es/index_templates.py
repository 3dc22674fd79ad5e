"""Find additions of other tools' index templates to an index that dup-groups makes: pure.

An alias of the user's on a second index stops all writes to it ("no write index is defined"), and it cannot
be refused in the request that makes an index. So an index to which a template adds more than settings that
do no harm is deleted again.
"""

import json
from collections.abc import Mapping
from typing import Any

Body = Mapping[str, Any]

HARMFUL = (
    "index.default_pipeline",
    "index.final_pipeline",
    "index.blocks.",
    "index.lifecycle.name",
    "index.plugins.index_state_management",
)
"""Settings, or how their names begin, that change what is written, prevent it, or delete the index."""
HARMLESS = ("_none", "false")
CURE_PRIORITY = 10_000  # of a template that keeps others away; servers and usual tools have 500 at most


def refusal(name: str, body: Body, made: Body) -> str:
    """Why an index that was made, with flat settings, is not kept, and the cure; "" if it is."""
    aliases = made.get("aliases", {}).keys() - body.get("aliases", {}).keys()
    added = [f"gives it the alias {alias!r}" for alias in sorted(aliases)]
    mappings = body["mappings"], made["mappings"]
    asked, got = ({*mapping, *mapping.get("properties", {})} for mapping in mappings)
    if names := sorted(got - asked):
        added.append(f"adds {', '.join(names)} to its mapping")
    settings = made["settings"].items()
    added += [f"sets {key}" for key, value in settings if key.startswith(HARMFUL) and value not in HARMLESS]
    if not added:
        return ""
    pattern = "dup-groups-*" if name.startswith("dup-groups-") else name
    cure = {"index_patterns": [pattern], "priority": CURE_PRIORITY}
    return (
        f"{name!r} is not made, because an index template {', and '.join(added)}: keep {pattern} out of its "
        f"patterns, or make one that adds nothing: PUT _index_template/dup-groups {json.dumps(cure)}"
    )
