"""Which method handles which language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from content.pages import HEADLINE, STORY, STORY_ZH, front_page, news_page
from dupgroups.content import extract
from dupgroups.errors import ConfigError
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.method_choice import use_everywhere
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
from dupgroups.model import Content, Document, Page, Record, Signature, Verdict
from dupgroups.model.config import Config, Method, Step
from dupgroups.text.facts import add_title, read_facts
from dupgroups_papers.verdicts.hamming import Hamming


def test_chinese_has_a_method_of_its_own_and_all_others_share_one() -> None:
    methods = MethodSet()
    assert methods.signer("en") == methods.signer("") == methods.signer("fi")
    assert methods.signer("ja") == methods.signer("zh")
    assert len({methods.signer(language).scheme for language in ("en", "zh", "th")}) == 3, "by their scripts"


@pytest.mark.parametrize("language", ["en", "*"])
def test_a_given_judge_wins_over_a_default_one_of_the_same_scheme(language: str) -> None:
    methods = MethodSet(Config(methods={language: Method(judge=Step("evidence", {"threshold": 0.6}))}))
    assert methods.judge(methods.signer(language).scheme) == EvidenceJudge(threshold=0.6)


def test_an_extractor_that_cannot_be_built_is_an_error_before_the_first_page() -> None:
    with pytest.raises(ConfigError, match=r"cannot read 'none\.npz': No such file"):
        MethodSet(Config(methods={"fi": Method(extractor=Step("auto", {"weights": "none.npz"}))}))


def test_every_language_has_its_extractor_or_that_of_all_others() -> None:
    methods = MethodSet(Config(methods={"fi": Method(extractor=Step("mss"))}))
    assert methods.method("fi").extractor == Step("mss")
    assert methods.method("nl") == methods.method("*") != methods.method("fi")
    assert methods.extractor("fi") != methods.extractor("nl") is methods.extractor("*")
    page = Page(html=news_page(lang="fi"), language="fi")
    assert methods.extract(page) == extract(page, extractor=methods.extractor)


def test_what_is_no_article_has_a_text_only_where_it_is_kept() -> None:
    article, front = Page(html=news_page()), Page(html=front_page())
    for not_article in ("skip", "keep"):
        methods = MethodSet(Config(not_article=not_article))  # type: ignore[arg-type]
        assert bool(methods.extract(front).text) == (not_article == "keep")
        assert methods.extract(article).text


FERRY = Content("\n".join(STORY), title=HEADLINE, language="en")


def signed(content: Content) -> Document:
    (signature,) = MethodSet().signatures([content])
    return Document(Record(content.text, content.text, "courier.example", signature), content)


def test_documents_of_two_schemes_are_different_whatever_they_say() -> None:
    chinese = Content("\n".join(STORY_ZH), language="zh")
    assert MethodSet().verdict(signed(FERRY), signed(chinese)) == Verdict(
        "different", 0.0, "Their languages use different signature schemes."
    )


def test_texts_are_weighed_where_both_are_known_and_have_keys() -> None:
    methods, (one, two) = MethodSet(), map(signed, (FERRY, replace(FERRY, text="\n".join(STORY[:3]))))
    facts = [read_facts(add_title(both.content)) for both in (one, two)]
    assert methods.parts(one, two) == EvidenceJudge().parts_of_texts(*facts) != ()
    assert methods.signals(one, two) == ()
    keyless = replace(two.record, signature=Signature(two.record.signature.scheme))
    for less in (replace(two, content=Content("")), replace(two, record=keyless)):
        assert methods.parts(one, less) == ()


def test_one_scheme_with_two_given_judges_is_refused() -> None:
    one, two = (Method(judge=Step("evidence", {"threshold": threshold})) for threshold in (0.5, 0.6))
    with pytest.raises(ConfigError, match="the same judge"):
        MethodSet(Config(methods={"en": one, "fi": two}))
    assert MethodSet(Config(methods={"en": one, "fi": one, "zh": two}))


def test_a_star_stands_for_every_language_without_a_default() -> None:
    methods = MethodSet(Config(methods={"*": Method(signer=Step("minhash", {"size": 2}))}))
    assert methods.signer("en") != MethodSet().signer("en")
    assert methods.signer("zh") == MethodSet().signer("zh")


def test_a_signer_brings_the_judge_that_reads_it() -> None:
    methods = MethodSet(Config(methods={"en": Method(signer=Step("simhash"))}))
    assert methods.judge(methods.signer("en").scheme) == Hamming()
    with pytest.raises(ConfigError, match="choose 'hamming'"):
        MethodSet(Config(methods={"en": Method(signer=Step("simhash"), judge=Step("jaccard"))}))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_auto_is_the_default_of_the_language(language: str) -> None:
    auto = Method(signer=Step("auto"), judge=Step("auto"))
    other = Method(signer=Step("simhash"))
    methods = MethodSet(Config(methods={language: auto, "*": other}))
    signer = methods.signer(language)
    assert signer == MethodSet().signer(language)
    assert methods.judge(signer.scheme) == EvidenceJudge()
    with pytest.raises(ConfigError, match="no parameters"):
        MethodSet(Config(methods={language: Method(signer=Step("auto", {"size": 2}))}))


def test_a_method_for_every_language_takes_the_place_of_what_was_given() -> None:
    given = Config(methods={"zh": Method(Step("mss"), Step("period_string"), Step("overlap_factors"))})
    methods = MethodSet(use_everywhere(given, Method(signer=Step("spotsigs")))).by_language
    assert all(method.signer == Step("spotsigs") for method in methods.values())
    assert all(method.judge == Step("jaccard") for method in methods.values())
    assert methods["zh"].extractor == Step("mss")
    assert use_everywhere(given, Method()) == given
