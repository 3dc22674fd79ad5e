"""The whole method of each language: what a configuration chooses, completed by the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from dupgroups.config import Config, Method, Step
from dupgroups.default_methods import DEFAULT_METHODS
from dupgroups.errors import ConfigError
from dupgroups.verdicts import JUDGES

JUDGE_OF: Mapping[str, str] = MappingProxyType(
    {
        "cosine": "cosine",
        "fingerprint": "fingerprints",
        "henzinger": "henzinger",
        "imatch": "fingerprints",
        "minhash": "resemblance",
        "period_string": "overlap_factors",
        "shingling": "jaccard",
        "simhash": "hamming",
        "spotsigs": "jaccard",
        "weighted_phrases": "weighted_jaccard",
    }
)
"""The judge that reads the bodies of each signer."""

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
    "*", else the default. Raises ConfigError for a judge that cannot read the signatures of its signer.
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
    return Method(
        extractor or default.extractor,
        signer,
        _fitting(signer, None if _is_auto(judge) else judge) or default.judge,
    )


def _fitting(signer: Step, judge: Step | None) -> Step | None:
    """The judge of the signer, if it is known. Raises ConfigError for one that cannot read its bodies."""
    reads = JUDGE_OF.get(signer.name)
    if judge and reads and judge.name in JUDGES and judge.name != reads:
        raise ConfigError(
            f"judge {judge.name!r} does not read what signer {signer.name!r} writes: choose {reads!r}"
        )
    return judge or (Step(reads) if reads else None)


def _is_auto(step: Step | None) -> bool:
    """Whether the language's default is wanted: nothing is given, or `auto`."""
    if step and step.name == AUTO and step.params:
        raise ConfigError(f"{AUTO!r} takes no parameters: name the method that they are for")
    return not step or step.name == AUTO
