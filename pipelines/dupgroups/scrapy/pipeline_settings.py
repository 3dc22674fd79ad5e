"""The settings of the Scrapy pipeline, `DUPGROUPS_*`: read once and validated; unknown ones are errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from dupgroups.bulk.processes import cores
from dupgroups.content.article import MIN_ARTICLE_SCORE
from dupgroups.errors import ConfigError
from dupgroups.methods.registry import hint
from dupgroups.model.config import Config, from_mapping
from dupgroups.scrapy.fields import FIELDS_EXAMPLE, ItemFields

PREFIX = "DUPGROUPS_"
Reader = Callable[[BaseSettings, str], Any]
MOST_PROCESSES = 4  # that sign, by default: one writer keeps up with no more
SECRETS = ("ENGINE_USER", "ENGINE_PASSWORD", "ENGINE_API_KEY")


@dataclass(frozen=True)
class PipelineSettings:
    """All settings with their defaults; docs/scrapy.md explains them.

    `batch_bytes` counts html and text as received. `batch_seconds` (over 0, at most 1) is the longest time
    that an item waits for others; the pipeline must never wait for a full batch, because Scrapy stops
    downloading while 5 MB of pages are waiting. `processes`: how many sign (see `Signers`). `engine`: None
    takes the environment, or else the default.
    """

    engine: str | None = None
    config: Config = field(default_factory=Config)
    fields: ItemFields = field(default_factory=lambda: ItemFields({}))
    batch_items: int = 50
    batch_bytes: int = 2_000_000
    batch_seconds: float = 0.5
    regroup_seconds: float = 60.0
    not_article: str = "skip"
    article_threshold: float = MIN_ARTICLE_SCORE
    dead_letters: Path = Path("dup-groups.dead.jsonl")
    left_out: Path | None = None
    drop_fields: Sequence[str] = ()
    processes: int = field(default_factory=lambda: min(MOST_PROCESSES, cores() - 1))
    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"

    def __post_init__(self) -> None:
        _check(self.batch_items >= 1, "BATCH_ITEMS", "1 or more")
        _check(self.batch_bytes >= 1, "BATCH_BYTES", "1 or more")
        _check(0 < self.batch_seconds <= 1, "BATCH_SECONDS", "over 0 and at most 1")
        _check(self.regroup_seconds > 0, "REGROUP_SECONDS", "over 0")
        _check(self.not_article in ("skip", "keep"), "NOT_ARTICLE", "'skip' or 'keep'")
        _check(0 <= self.article_threshold <= 1, "ARTICLE_THRESHOLD", "from 0 to 1")
        _check(self.processes >= 0, "PROCESSES", "0 or more")
        _check(self.metrics_port is None or 0 < self.metrics_port < 65536, "METRICS_PORT", "from 1 to 65535")


def read(settings: BaseSettings) -> PipelineSettings:
    """The settings of a crawl. Raises ConfigError, with the name, for an unknown or invalid one."""
    given = (str(name) for name in settings if settings[name] is not None)
    names = [name.removeprefix(PREFIX) for name in given if name.startswith(PREFIX) and name != PREFIX]
    values = {name.lower(): _value(settings, name) for name in names}
    values.pop("enabled", None)
    own = {option.name for option in fields(Config)} - {"engine", "not_article"}
    configured = from_mapping({key: values.pop(key) for key in own & values.keys()})
    values["fields"] = ItemFields(values.get("fields", {}), configured.group_by)
    return PipelineSettings(config=configured, **values)


def _check(valid: bool, name: str, what: str) -> None:
    if not valid:
        raise ConfigError(f"{PREFIX}{name} must be {what}, for example {_example(name)}")


def _example(name: str) -> str:
    """A setting as it is written in settings.py; a mapping also as on the command line."""
    line, example = f"{PREFIX}{name} = {SETTINGS[name][1]}", SETTINGS[name][1]
    return f"{line}, or -s {PREFIX}{name}='{example}'" if example.startswith("{") else line


def _value(settings: BaseSettings, name: str) -> Any:
    if name in SECRETS:
        raise ConfigError(f"set {PREFIX}{name} in the environment, not in the settings, which are logged")
    if name not in SETTINGS:
        names = ", ".join(PREFIX + other for other in sorted(SETTINGS))
        meant = hint(name, SETTINGS).replace("'", f"'{PREFIX}", 1)
        raise ConfigError(f"unknown setting {PREFIX + name!r}{meant}; known: {names}")
    try:
        return SETTINGS[name][0](settings, PREFIX + name)
    except (TypeError, ValueError) as error:
        given = settings[PREFIX + name]
        raise ConfigError(f"{PREFIX}{name} cannot be {given!r}: write {_example(name)}") from error


def _names(settings: BaseSettings, name: str) -> tuple[str, ...]:
    """A list, or text: names with commas between them, or JSON."""
    given = settings[name]
    is_json = isinstance(given, str) and given.lstrip().startswith("[")
    names = json.loads(given) if is_json else settings.getlist(name)
    if not all(isinstance(field, str) for field in names):
        raise TypeError
    return tuple(field.strip() for field in names)


SETTINGS: Mapping[str, tuple[Reader, str]] = {
    "ENABLED": (BaseSettings.getbool, "True"),
    "ENGINE": (BaseSettings.get, '"sqlite:///news.db"'),
    "PRESET": (BaseSettings.get, '"cedar"'),
    "METHODS": (BaseSettings.getdict, '{"en": {"signer": "minhash"}}'),
    "JOIN": (_names, '"duplicate,near"'),
    "CANDIDATES": (BaseSettings.getint, "50"),
    "LINKAGE": (BaseSettings.get, '"average"'),
    "HEAD": (_names, '"fullest"'),
    "GROUP_BY": (_names, '"tenant"'),
    "WITHIN_DAYS": (BaseSettings.getint, "30"),
    "DATE_PROBABILITY": (BaseSettings.getfloat, "0.9"),
    "FORGOTTEN": (BaseSettings.get, '"forgotten.txt"'),
    "FIELDS": (BaseSettings.getdict, FIELDS_EXAMPLE),
    "BATCH_ITEMS": (BaseSettings.getint, "50"),
    "BATCH_BYTES": (BaseSettings.getint, "2000000"),
    "BATCH_SECONDS": (BaseSettings.getfloat, "0.5"),
    "REGROUP_SECONDS": (BaseSettings.getfloat, "60"),
    "NOT_ARTICLE": (BaseSettings.get, '"keep"'),
    "ARTICLE_THRESHOLD": (BaseSettings.getfloat, f"{MIN_ARTICLE_SCORE}"),
    "DEAD_LETTERS": (lambda settings, name: Path(settings[name]), '"news.dead.jsonl"'),
    "LEFT_OUT": (lambda settings, name: Path(settings[name]), '"left-out.jsonl"'),
    "DROP_FIELDS": (_names, "['html']"),
    "PROCESSES": (BaseSettings.getint, "4"),
    "METRICS_PORT": (BaseSettings.getint, "9410"),
    "METRICS_HOST": (BaseSettings.get, '"0.0.0.0"'),
}
"""How each setting is read, and an example as it is written in settings.py."""
