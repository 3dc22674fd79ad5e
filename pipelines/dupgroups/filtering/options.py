"""How a filter behaves."""

from __future__ import annotations

from dataclasses import dataclass, field

from dupgroups.config import Config
from dupgroups.engines.foreign import Fields


@dataclass(frozen=True, slots=True)
class Options:
    """`patience`: seconds that signing 50 documents or looking up the groups of a request may take.
    `strict`: answer 503 then, instead of writing documents without `dup_` fields. `max_body`: bytes of a
    request that is filtered, decompressed. `quiet`: seconds without writes after which groups are settled.
    """

    engine: str | None = None
    fields: Fields = field(default_factory=Fields)
    config: Config = field(default_factory=Config)
    patience: float = 2.0
    strict: bool = False
    max_body: int = 100_000_000
    quiet: float = 5.0
