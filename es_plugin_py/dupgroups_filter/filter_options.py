"""The settings of a filter."""

from dataclasses import dataclass, field

from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """`engine` is the URL of the index, alias or pattern, `fields` those of its documents (None: those that
    the index keeps, or else the default ones), `others` HOST:PORT of further nodes. `group`: whether the
    filter groups behind itself, or leaves that to a `dup-groups follow`. With `certificate` and `key` it
    speaks TLS.
    """

    engine: str | None = None
    fields: Fields | None = None
    config: Config = field(default_factory=Config)
    others: tuple[str, ...] = ()
    group: bool = True
    certificate: str | None = None
    key: str | None = None
    shares_port: bool = False
