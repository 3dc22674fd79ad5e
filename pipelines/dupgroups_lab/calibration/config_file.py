"""A configuration as TOML, as `dupgroups.model.config.from_toml` reads it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from dupgroups.errors import ConfigError
from dupgroups.model.config import Config, Method, Step


def to_toml(config: Config) -> str:
    """The settings that differ from the defaults, and a table for each method; "" for the defaults alone.

    Raises ConfigError for a parameter that TOML cannot hold.
    """
    default = Config()
    plain = [field.name for field in fields(Config) if field.name != "methods"]
    settings = {name: getattr(config, name) for name in plain}
    changed = {name: value for name, value in settings.items() if value != getattr(default, name)}
    head = "".join(f"{name} = {_value(value)}\n" for name, value in changed.items())
    tables = [_table(language, method) for language, method in sorted(config.methods.items())]
    return "\n".join(filter(None, [head, *tables]))


def _table(language: str, method: Method) -> str:
    steps = {field.name: getattr(method, field.name) for field in fields(Method)}
    lines = (f"{part} = {_step(step)}\n" for part, step in steps.items() if step)
    return f"[methods.{_value(language)}]\n{''.join(lines)}"


def _step(step: Step) -> str:
    return _value({"name": step.name, **step.params} if step.params else step.name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = (f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {', '.join(inside)} }}"
    if isinstance(value, frozenset):
        return _value(sorted(value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str | bool | int | float):
        # a JSON string is a TOML string except for DEL, which JSON leaves unescaped
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    raise ConfigError(f"{value!r} cannot be written as TOML")


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else _value(key)
