"""Which method handles which language: the defaults, and what a configuration puts in their place.

Each default is reasoned and measured in docs/signatures.md and docs/extraction.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType

from dupgroups.config import Config, Hosts, Method, Step
from dupgroups.content import extract
from dupgroups.corpus.templates import Templates
from dupgroups.errors import ConfigError
from dupgroups.model import Content, Page, Signature
from dupgroups.registry import build
from dupgroups.signatures import SIGNERS, Signer
from dupgroups.signatures.base import sign_all
from dupgroups.signatures.without_template import WithoutTemplate
from dupgroups.verdicts import JUDGES, Judge

_HAN = Method(Step("auto"), Step("minhash", {"size": 4, "key_size": 10}), Step("resemblance"))
# letters, but no blanks: it takes about twice as many characters to say as much as in Han characters
_UNSPACED = Method(Step("auto"), Step("minhash", {"size": 8, "key_size": 20}), Step("resemblance"))

DEFAULT: Mapping[str, Method] = MappingProxyType(
    {
        "*": Method(Step("auto"), Step("minhash"), Step("resemblance")),
        **dict.fromkeys(("zh", "ja"), _HAN),
        **dict.fromkeys(("th", "lo", "km", "my"), _UNSPACED),
    }
)

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
"""As a signer or a judge: the default of the language. (The extractor of this name is one of its own.)"""


def everywhere(config: Config, method: Method) -> Config:
    """The configuration with the parts of `method` in the place of those of every language.

    A signer without a judge brings the judge that reads it.
    """
    given = {each.name: step for each in fields(Method) if (step := getattr(method, each.name))}
    if method.signer and not method.judge:
        given["judge"] = None
    languages = dict.fromkeys((*DEFAULT, *config.methods))
    methods = {each: replace(config.methods.get(each, Method()), **given) for each in languages}
    return replace(config, methods=methods) if given else config


class Recipes:
    """The methods of every language, built once. Raises ConfigError for what cannot be built.

    `methods` are whole: none of their parts is None.
    """

    def __init__(self, config: Config | None = None) -> None:
        given = (config or Config()).methods
        self.methods = {language: _merged(language, given) for language in (*DEFAULT, *given)}
        signers: dict[str, Signer] = {
            language: build("signer", _step(method.signer), SIGNERS)
            for language, method in self.methods.items()
        }
        self._signers = _without_templates(signers, config.hosts) if config and config.hosts else signers
        self._judges: dict[str, Judge] = {}
        for language in sorted(self.methods, key=lambda each: _has_judge(given, each)):
            self._add_judge(language, given)

    def _add_judge(self, language: str, given: Mapping[str, Method]) -> None:
        """Texts of all languages with one scheme meet, so they have one judge; a given one wins."""
        scheme = self._signers[language].scheme
        judge: Judge = build("judge", _step(self.methods[language].judge), JUDGES)
        rivals = [
            each
            for each in given
            if _has_judge(given, each) and each != language and self._signers[each].scheme == scheme
        ]
        if _has_judge(given, language) and any(given[each].judge != given[language].judge for each in rivals):
            raise ConfigError(
                f"methods.{language} and methods.{rivals[0]} have one signer but two judges: "
                "give them one judge, or signers with other parameters"
            )
        self._judges[scheme] = judge

    def extract(self, page: Page) -> Content:
        """The article of the page, by the extractor of its language (known only after a first extraction)."""
        general = _step(self.methods["*"].extractor)
        content = extract(page, extractor=general)
        own = _step(self._method(content.language).extractor)
        return content if own == general else extract(page, extractor=own)

    def signer(self, language: str) -> Signer:
        """The signer of a language."""
        return self._signers[language if language in self._signers else "*"]

    def signatures(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, in their order, each by the signer of its language."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, content in enumerate(contents):
            places[content.language].append(place)
        found: dict[int, Signature] = {}
        for language, own in places.items():
            signed = sign_all(self.signer(language), [contents[place] for place in own])
            found.update(zip(own, signed, strict=True))
        return [found[place] for place in range(len(contents))]

    @property
    def schemes(self) -> frozenset[str]:
        """The schemes of all signatures that these recipes make."""
        return frozenset(self._judges)

    def judge(self, scheme: str) -> Judge:
        """The judge of the signatures of a scheme. Raises ConfigError for a scheme of no recipe."""
        if scheme not in self._judges:
            raise ConfigError(
                f"the index holds signatures of scheme {scheme!r}, but the configuration makes "
                f"{', '.join(sorted(self._judges))}; run `dup-groups backfill` to sign everything anew"
            )
        return self._judges[scheme]

    def _method(self, language: str) -> Method:
        return self.methods[language if language in self.methods else "*"]


def _without_templates(signers: Mapping[str, Signer], hosts: Hosts) -> dict[str, Signer]:
    new = hosts.live and not Path(hosts.templates).exists()
    templates = Templates() if new else Templates.open(hosts.templates)
    return {language: WithoutTemplate(each, templates, hosts.live) for language, each in signers.items()}


def _has_judge(given: Mapping[str, Method], language: str) -> bool:
    return language in given and not _is_auto(given[language].judge)


def _merged(language: str, given: Mapping[str, Method]) -> Method:
    """The method of a language: what is given for it, then for "*", then the default's parts."""
    layers = [given.get(language), given.get("*") if language not in DEFAULT else None]
    own = [layer for layer in layers if layer]
    default = DEFAULT.get(language, DEFAULT["*"])
    extractor, signer, judge = (
        next(filter(None, (getattr(each, part) for each in own)), None)
        for part in ("extractor", "signer", "judge")
    )
    signer = _step(default.signer if _is_auto(signer) else signer)
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


def _step(step: Step | None) -> Step:
    assert step is not None
    return step
