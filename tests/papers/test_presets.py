"""Presets: the methods of a paper by one word, in commands, configurations and settings."""

import pytest
from scrapy.settings import Settings

from dupgroups.cli.methods import choose_methods
from dupgroups.errors import ConfigError
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.default_methods import DEFAULT_METHODS
from dupgroups.methods.method_choice import PRESETS
from dupgroups.model.config import Config, Method, Step
from dupgroups.scrapy.pipeline_settings import read


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_a_method_for_every_language(name: str) -> None:
    methods = MethodSet(Config(preset=name))
    assert methods.by_language.keys() == DEFAULT_METHODS.keys()
    assert all(methods.method(language) != default for language, default in DEFAULT_METHODS.items())


def test_one_word_is_the_method_of_the_paper(tmp_path) -> None:
    (file := tmp_path / "a.toml").write_text('preset = "cedar"')
    paper = [Step("crf"), Step("shingling", {"size": 4, "modulus": 1}), Step("jaccard", {"threshold": 0.4})]
    settings = read(Settings({"DUPGROUPS_PRESET": "cedar"})).config
    for config in (
        choose_methods(file, None, None, None, None),
        choose_methods(None, "cedar", None, None, None),
        settings,
    ):
        assert MethodSet(config).method("zh") == Method(*paper)
        assert MethodSet(config).method("en").signer == Step("shingling", {"size": 2, "modulus": 1})


def test_what_is_configured_goes_before_the_preset_and_a_signer_brings_its_judge() -> None:
    config = Config(preset="cedar", methods={"en": Method(signer=Step("simhash"))})
    assert MethodSet(config).method("en") == Method(Step("crf"), Step("simhash"), Step("hamming"))
    assert choose_methods(None, "cedar", "auto", None, None).methods["*"] == Method(Step("auto"))


def test_an_unknown_preset_is_one_sentence() -> None:
    with pytest.raises(ConfigError, match=r"unknown preset 'cedr' \(did you mean 'cedar'\?\); choose one"):
        MethodSet(Config(preset="cedr"))
