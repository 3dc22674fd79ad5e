"""One parameter of the methods varied, as in figures 3 to 5 of CEDAR (Gibson, Wellner, Lubar)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from dupgroups.errors import ConfigError
from dupgroups.flow.method_set import MethodSet
from dupgroups.model.config import Config, Method, Step, scalar

_PARTS = tuple(field.name for field in fields(Method))


@dataclass(frozen=True, slots=True)
class Variation:
    """The values to try for a `parameter` of a `part` (extractor, signer, judge)."""

    part: str
    parameter: str
    values: tuple[Any, ...]

    @classmethod
    def parse(cls, text: str) -> Variation:
        """Parse "signer.size=1,2,3". Raises ConfigError for anything else.

        >>> Variation.parse("judge.figures=0,0.5,0.9").values
        (0, 0.5, 0.9)
        """
        name, _, values = text.partition("=")
        part, _, parameter = name.partition(".")
        if part not in _PARTS or not parameter or not values:
            known = f"{', '.join(_PARTS[:-1])} or {_PARTS[-1]}"
            raise ConfigError(f"{text!r}: give PART.PARAMETER=VALUE,... where PART is {known}")
        return cls(part, parameter, tuple(map(scalar, values.split(","))))

    @property
    def name(self) -> str:
        """The parameter as the user gave it."""
        return f"{self.part}.{self.parameter}"

    def configs(self, config: Config) -> Iterator[tuple[str, Config]]:
        """Each value, as text, with the configuration in which every method has it.

        Raises ConfigError for a parameter or a value that a method refuses.
        """
        methods = MethodSet(config).by_language
        for value in self.values:
            changed = {language: self._with(method, value) for language, method in methods.items()}
            varied = replace(config, methods=changed)
            MethodSet(varied)  # fails early
            yield str(value), varied

    def _with(self, method: Method, value: object) -> Method:
        step: Step = getattr(method, self.part)
        return replace(method, **{self.part: Step(step.name, {**step.params, self.parameter: value})})
