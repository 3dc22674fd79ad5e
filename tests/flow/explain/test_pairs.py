"""Why two documents are one story, or two."""

from __future__ import annotations

from dupgroups.flow.explain import Explanation, explain_pair
from dupgroups.flow.explain.pairs import DIFFERENT_SCHEMES
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign
from dupgroups.model import Document, Page
from dupgroups.model.config import Config, Method, Step
from stories import running_chinese, story

METHODS = MethodSet()


def document(text: str, site: str = "a", date: str | None = None, methods: MethodSet = METHODS) -> Document:
    return sign(Page(text=text, url=f"https://{site}.example/1", date=date), methods)


def explained(one: Document, two: Document, config: Config | None = None) -> Explanation:
    return explain_pair(one, two, MethodSet(config), config or Config())


def test_texts_of_two_schemes_are_different_and_are_shown_all_the_same() -> None:
    made = explained(document(story("a")), document(running_chinese("zh"), "b"))
    assert (made.verdict.relation, made.verdict.reason) == ("different", DIFFERENT_SCHEMES)
    assert (made.judge, made.signals, made.changes, made.features) == ("", (), (), None)
    assert made.alignment.rows


def test_days_that_are_too_far_apart_keep_copies_apart() -> None:
    one, two = document(story("a"), date="2026-03-01"), document(story("a"), "b", date="2026-03-20")
    made = explained(one, two, Config(within_days=7))
    assert (made.verdict.relation, made.joins) == ("duplicate", False)
    assert (made.days_apart, made.within_days) == (19, 7)
    assert explained(one, two, Config(within_days=30)).joins


def test_documents_of_another_configuration_are_signed_again() -> None:
    config = Config(methods={"*": Method(None, Step("spotsigs", {"antecedents": "stopwords"}), None)})
    text = "The ferry is at the pier of the town, and it was there on the day of the storm. " * 4
    one, two = (document(text, site) for site in "ab")
    made = explained(one, two, config)
    assert made.signed_again
    assert made.judge == "jaccard"
    assert made.features is not None
    assert made.features.kind == "spots"
