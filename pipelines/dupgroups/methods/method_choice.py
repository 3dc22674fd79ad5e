"""The complete method of each language: what a configuration chooses, with the defaults for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from dupgroups.errors import ConfigError
from dupgroups.methods.default_methods import DEFAULT_METHODS
from dupgroups.methods.registry import MethodTable, find, lookup
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from dupgroups.model.config import Config, Method, Step

AUTO = "auto"
"""As a signer or a judge, the default of the language. (The extractor `auto` is a method of its own.)"""

PRESETS = MethodTable("preset", {})
"""Methods of languages, each as a whole, by name: a mapping like `Config.methods`, with "*"."""


def use_everywhere(config: Config, method: Method) -> Config:
    """The configuration with the parts of `method` that are set used for every language.

    A signer without a judge selects its default judge.
    """
    given = {part.name: step for part in fields(Method) if (step := getattr(method, part.name))}
    if method.signer and not method.judge:
        given["judge"] = None
    languages = dict.fromkeys((*DEFAULT_METHODS, *config.methods))
    methods = {language: replace(config.methods.get(language, Method()), **given) for language in languages}
    return replace(config, methods=methods) if given else config


def with_preset(config: Config) -> Mapping[str, Method]:
    """The configured methods, with the parts of the preset for the rest; its judge goes with its signer.

    Raises ConfigError for an unknown preset.
    """
    if config.preset is None:
        return config.methods
    preset: Mapping[str, Method] = lookup("preset", config.preset, PRESETS)
    methods = dict[str, Method]()
    for language in (*DEFAULT_METHODS, *preset, *config.methods):
        own, published = config.methods.get(language, Method()), preset.get(language, preset["*"])
        judge = own.judge or (Step(AUTO) if own.signer else published.judge)
        extractor, signer = own.extractor or published.extractor, own.signer or published.signer
        methods[language] = Method(extractor, signer, judge)
    return methods


def complete(given: Mapping[str, Method]) -> dict[str, Method]:
    """The methods of all languages that are configured or have a default; no part is None.

    Each part is the configured one of the language, or else, for a language without a default, the configured
    one of "*", or else the default. The default judge of a signer is the first of its `judges`. Raises
    ConfigError for an unknown signer, for a judge that cannot read the signatures of its signer, and for a
    signer without a judge.
    """
    return {language: _complete(language, given) for language in (*DEFAULT_METHODS, *given)}


def names_judge(given: Mapping[str, Method], language: str) -> bool:
    """Whether a judge is configured for the language. Raises ConfigError for `auto` with parameters."""
    return language in given and not _is_auto(given[language].judge)


def _complete(language: str, given: Mapping[str, Method]) -> Method:
    own, default = given.get(language, Method()), DEFAULT_METHODS.get(language, DEFAULT_METHODS["*"])
    others = Method() if language in DEFAULT_METHODS else given.get("*", Method())
    signer, judge = own.signer or others.signer, own.judge or others.judge
    signer = default.signer if _is_auto(signer) else signer
    assert signer is not None  # the defaults are complete
    judge = _fitting(signer, None if _is_auto(judge) else judge)
    return Method(own.extractor or others.extractor or default.extractor, signer, judge)


def _fitting(signer: Step, judge: Step | None) -> Step:
    """The given judge, or else the signer's first. Raises ConfigError if neither reads its signatures."""
    declared = getattr(find("signer", signer.name, SIGNERS), "judges", ())
    readers = (declared,) if isinstance(declared, str) else tuple(declared)
    if judge is None and not readers:
        what = f"signer {signer.name!r} does not say which judge reads its signatures"
        cure = "configure a judge too, or give the class of the signer `judges`, a tuple of names"
        raise ConfigError(f"{what}: {cure}")
    if judge and readers and judge.name in JUDGES and judge.name not in readers:
        what = f"judge {judge.name!r} cannot read the signatures of signer {signer.name!r}"
        raise ConfigError(f"{what}: choose {' or '.join(map(repr, readers))}")
    return judge or Step(readers[0])


def _is_auto(step: Step | None) -> bool:
    """Whether the default of the language is wanted: the step is missing, or `auto`."""
    if step and step.name == AUTO and step.params:
        raise ConfigError(f"{AUTO!r} takes no parameters: name the method that they belong to")
    return not step or step.name == AUTO
