"""The whole method of each language: what a configuration chooses, completed by the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from dupgroups.config import Config, Method, Step
from dupgroups.default_methods import DEFAULT_METHODS
from dupgroups.errors import ConfigError
from dupgroups.registry import find
from dupgroups.signatures import SIGNERS
from dupgroups.verdicts import JUDGES

AUTO = "auto"
"""As a signer or a judge: the default of the language. (The extractor `auto` is a method, not this.)"""


def everywhere(config: Config, method: Method) -> Config:
    """The configuration with the parts of `method` in the place of those of every language.

    A signer without a judge brings the judge that reads it.
    """
    given = {part.name: step for part in fields(Method) if (step := getattr(method, part.name))}
    if method.signer and not method.judge:
        given["judge"] = None
    languages = dict.fromkeys((*DEFAULT_METHODS, *config.methods))
    methods = {language: replace(config.methods.get(language, Method()), **given) for language in languages}
    return replace(config, methods=methods) if given else config


def complete(given: Mapping[str, Method]) -> dict[str, Method]:
    """The methods of all languages that are given or have a default, with no part left None.

    Each part is what is given for the language, else, for a language without a default, what is given for
    "*", else the default; the default judge of a signer is the first of its `judges`. Raises ConfigError for
    an unknown signer, for a judge that cannot read what its signer writes, and for a signer without a judge.
    """
    return {language: _complete(language, given) for language in (*DEFAULT_METHODS, *given)}


def names_judge(given: Mapping[str, Method], language: str) -> bool:
    """Whether a judge is given for the language. Raises ConfigError for `auto` with parameters."""
    return language in given and not _is_auto(given[language].judge)


def _complete(language: str, given: Mapping[str, Method]) -> Method:
    layers = [given.get(language), given.get("*") if language not in DEFAULT_METHODS else None]
    methods = [layer for layer in layers if layer]
    default = DEFAULT_METHODS.get(language, DEFAULT_METHODS["*"])
    extractor, signer, judge = (
        next(filter(None, (getattr(method, part.name) for method in methods)), None)
        for part in fields(Method)
    )
    if signer is None or _is_auto(signer):
        signer = default.signer
    assert signer is not None  # the defaults are whole
    judge = _fitting(signer, None if _is_auto(judge) else judge)
    return Method(extractor or default.extractor, signer, judge)


def _fitting(signer: Step, judge: Step | None) -> Step:
    """The judge that is given, else the signer's first. Raises ConfigError where neither reads its bodies."""
    readers = _judges_of(signer)
    if judge is None and not readers:
        raise ConfigError(
            f"signer {signer.name!r} does not say which judge reads its signatures: give the method a judge "
            "too, or its class `judges`, a tuple of names"
        )
    if judge and readers and judge.name in JUDGES and judge.name not in readers:
        raise ConfigError(
            f"judge {judge.name!r} does not read what signer {signer.name!r} writes: "
            f"choose {' or '.join(map(repr, readers))}"
        )
    return judge or Step(readers[0])


def _judges_of(signer: Step) -> tuple[str, ...]:
    """What the class of a signer declares as `judges`; () when it declares nothing."""
    declared = getattr(find("signer", signer.name, SIGNERS), "judges", ())
    return (declared,) if isinstance(declared, str) else tuple(declared)


def _is_auto(step: Step | None) -> bool:
    """Whether the language's default is wanted: nothing is given, or `auto`."""
    if step and step.name == AUTO and step.params:
        raise ConfigError(f"{AUTO!r} takes no parameters: name the method that they are for")
    return not step or step.name == AUTO
