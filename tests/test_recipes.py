"""Which method handles which language."""

from __future__ import annotations

import pytest

from dupgroups.config import Config, Method, Step
from dupgroups.errors import ConfigError
from dupgroups.recipes import DEFAULT, Recipes, everywhere
from dupgroups.verdicts.hamming import Hamming
from dupgroups.verdicts.resemblance import Resemblance


def test_chinese_has_a_method_of_its_own_and_all_others_share_one() -> None:
    recipes = Recipes()
    assert recipes.signer("en") == recipes.signer("") == recipes.signer("fi")
    assert recipes.signer("zh").scheme != recipes.signer("en").scheme


def test_scripts_without_blanks_take_longer_shingles() -> None:
    recipes = Recipes()
    assert recipes.signer("ja") == recipes.signer("zh")
    assert len({recipes.signer(language).scheme for language in ("en", "zh", "th")}) == 3


def test_what_is_not_given_keeps_the_default() -> None:
    recipes = Recipes(Config(methods={"zh": Method(signer=Step("minhash", {"size": 5, "key_size": 10}))}))
    scheme = recipes.signer("zh").scheme
    assert recipes.judge(scheme) == Recipes().judge(Recipes().signer("zh").scheme)
    assert recipes.signer("en") == Recipes().signer("en")


@pytest.mark.parametrize("language", ["en", "fi", "*", "ja"])
def test_a_given_judge_wins_over_a_default_one_of_the_same_scheme(language: str) -> None:
    recipes = Recipes(Config(methods={language: Method(judge=Step("resemblance", {"threshold": 0.6}))}))
    assert recipes.judge(recipes.signer(language).scheme) == Resemblance(threshold=0.6)


def test_one_scheme_with_two_given_judges_is_refused() -> None:
    one, two = (Method(judge=Step("resemblance", {"threshold": each})) for each in (0.5, 0.6))
    with pytest.raises(ConfigError, match="one judge"):
        Recipes(Config(methods={"en": one, "fi": two}))
    assert Recipes(Config(methods={"en": one, "fi": one, "zh": two}))


def test_the_papers_chinese_method_can_be_chosen_by_name() -> None:
    method = Method(
        signer=Step("period_string"), judge=Step("overlap_factors", {"alpha": 0.9, "epsilon": 0.1})
    )
    recipes = Recipes(Config(methods={"zh": method}))
    assert recipes.judge(recipes.signer("zh").scheme)


def test_a_star_stands_for_every_language_without_a_default() -> None:
    recipes = Recipes(Config(methods={"*": Method(signer=Step("minhash", {"size": 2}))}))
    assert recipes.signer("en") != Recipes().signer("en")
    assert recipes.signer("zh") == Recipes().signer("zh")


def test_a_signer_brings_the_judge_that_reads_it() -> None:
    recipes = Recipes(Config(methods={"en": Method(signer=Step("simhash"))}))
    assert recipes.judge(recipes.signer("en").scheme) == Hamming()


def test_a_judge_that_cannot_read_the_signer_is_refused() -> None:
    with pytest.raises(ConfigError, match="choose 'hamming'"):
        Recipes(Config(methods={"en": Method(signer=Step("simhash"), judge=Step("jaccard"))}))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_auto_is_the_default_of_the_language(language: str) -> None:
    auto = Method(signer=Step("auto"), judge=Step("auto"))
    other = Method(signer=Step("simhash"))
    recipes = Recipes(Config(methods={language: auto, "*": other}))
    signer = recipes.signer(language)
    assert signer == Recipes().signer(language)
    assert recipes.judge(signer.scheme) == Resemblance()
    with pytest.raises(ConfigError, match="no parameters"):
        Recipes(Config(methods={language: Method(signer=Step("auto", {"size": 2}))}))


def test_a_method_for_every_language_takes_the_place_of_what_was_given() -> None:
    given = Config(methods={"zh": Method(Step("mss"), Step("period_string"), Step("overlap_factors"))})
    methods = Recipes(everywhere(given, Method(signer=Step("spotsigs")))).methods
    assert all(each.signer == Step("spotsigs") for each in methods.values())
    assert all(each.judge == Step("jaccard") for each in methods.values())
    assert methods["zh"].extractor == Step("mss")
    assert everywhere(given, Method()) == given


@pytest.mark.parametrize(
    "method",
    [Method(signer=Step("minhas")), Method(judge=Step("resemblance", {"treshold": 1}))],
)
def test_what_cannot_be_built_is_refused(method: Method) -> None:
    with pytest.raises(ConfigError):
        Recipes(Config(methods={"*": method}))


def test_signatures_of_no_recipe_are_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match="backfill"):
        Recipes().judge("simhash.1")


def test_the_defaults_are_read_only() -> None:
    with pytest.raises(TypeError):
        DEFAULT["en"] = Method()  # type: ignore[index]
