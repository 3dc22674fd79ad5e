"""Laws that every signer and every judge keeps, whatever its method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from hashlib import blake2b
from itertools import combinations
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.methods.registry import build
from dupgroups.methods.signatures import SIGNERS, Signer
from dupgroups.methods.signatures.base import signatures_of
from dupgroups.methods.verdicts import JUDGES, Judge
from dupgroups.model import Content, Record, Signature, Verdict
from dupgroups.model.config import Step
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.text.chinese_words import WordCutter
from methods.verdicts.records import judged
from stories import reprint, running_chinese, running_text, story

PAIRS = [(name, judge) for name, kind in sorted(SIGNERS.items()) for judge in kind.judges]
REPRINTED = {"henzinger": 0.9, "imatch": 0.9, "simhash": 0.6}
"""The share of reprints that these signers find; all others find every one."""
EXACT = {"fingerprint"}  # finds no reprint at all, only the same words
TEXTS = [
    "",
    "Too short.",
    *(reprint(story("en"), copy) for copy in range(3)),
    story("other"),
    *(reprint(running_chinese("zh"), copy) for copy in range(3)),
    running_chinese("anders"),
    "\n".join(running_chinese("zh").split("\n")[:2]),
]
GOLDEN = {
    "cosine": "7105805097a18d6d",
    "fingerprint": "20182e0eafe89f3e",
    "henzinger": "519434b08ac2cc8c",
    "imatch": "0c4fb46fbfb78dbe",
    "minhash": "3a183b02e1544cf8",
    "period_string": "bf36100dd562b2e1",
    "shingling": "fa432229bee7543e",
    "simhash": "9ba53384e6eeca77",
    "spotsigs": "6216ebbe9e93434b",
    "weighted_phrases": "1dc353521bfaba5c",
}
NEWS = (
    "The harbour authority closed both ferry terminals on Tuesday evening after a storm damaged the pier, "
    "and officials warned that repairs could take weeks. Passengers were moved to buses, while the city "
    "council met to discuss compensation for businesses, hotels and fishermen who had lost boats."
)

SENTENCES = [*running_chinese("zh", 30).split("\n"), *running_text("en", 30).split("\n")]
texts = st.one_of(
    st.lists(st.sampled_from(SENTENCES), max_size=30).map("\n".join),
    st.text(max_size=300),
    st.text(alphabet="中文字。的了 我你他\n", max_size=300),
    st.lists(st.sampled_from("the 12 rain fell. in Ashvale 7".split()), max_size=120).map(" ".join),
)


def record(name: str, signature: Signature, host: str = "") -> Record:
    return Record(name, name, host, signature)


def test_every_judge_is_tried_here_and_no_signer_of_a_release_is_gone() -> None:
    assert {judge for _, judge in PAIRS} == set(JUDGES)
    assert set(GOLDEN) == set(SIGNERS)


@pytest.fixture(params=PAIRS, ids=lambda pair: "+".join(pair))
def method(request: pytest.FixtureRequest) -> tuple[Signer, Judge]:
    signer, judge = request.param
    return SIGNERS[signer](), JUDGES[judge]()


def check(judge: Judge, a: Record, b: Record) -> Verdict:
    """The laws for two records; gives how `a` stands to `b`."""
    verdict = judged(judge, a, b)
    assert verdict.reason.endswith(".")
    assert (verdict.relation == "too_short") is not bool(a.signature and b.signature)
    return verdict


@given(one=texts, two=texts)
@example(one=running_chinese("zh"), two=running_chinese("zh", 12))  # every signer can sign these
@example(one=running_chinese("zh"), two=running_chinese("anders"))
@example(one="", two="")
@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_any_two_texts_keep_the_laws(names: tuple[str, str], one: str, two: str) -> None:
    signer, judge = SIGNERS[names[0]](), JUDGES[names[1]]()
    first, second = signer(Content(one)), signer(Content(two))
    assert first == signer(Content(one))
    assert len(first.keys) <= 30
    assert len(first.body) <= 1000
    check(judge, record("a", first), record("b", second))
    same = check(judge, record("a", first), record("b", first))
    assert (same.relation, same.score) == (("duplicate", 1.0) if first else ("too_short", 0.0))
    assert first or first == Signature(signer.scheme)


@settings(max_examples=settings.default.max_examples // 2)  # of each signer
@given(st.lists(texts, max_size=8))
@example(TEXTS)
@pytest.mark.parametrize("name", sorted(SIGNERS))
def test_many_texts_at_once_sign_as_one_by_one(name: str, several: list[str]) -> None:
    signer = SIGNERS[name]()
    contents = [Content(text) for text in several]
    assert signatures_of(signer, contents) == [signer(content) for content in contents]


def relation(method: tuple[Signer, Judge], one: str, two: str) -> str:
    signer, judge = method
    first, second = (record(text, signer(Content(text)), host) for text, host in ((one, "a"), (two, "b")))
    return check(judge, first, second).relation


def test_reprints_are_found(method: tuple[Signer, Judge], request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["method"][0]
    pairs = [(text, reprint(text, edit)) for text in map(running_chinese, "abcdefghij") for edit in range(3)]
    share = sum(relation(method, *pair) == "duplicate" for pair in pairs) / len(pairs)
    assert share == 0 if name in EXACT else share >= REPRINTED.get(name, 1)


def test_other_stories_are_different_and_share_no_key(method: tuple[Signer, Judge]) -> None:
    signer, _ = method
    signed = [signer(Content(running_chinese(name))) for name in "abcdef"]
    assert all(signed)
    assert not any(set(one.keys) & set(two.keys) for one, two in combinations(signed, 2))
    for one, two in combinations("abcdef", 2):
        assert relation(method, running_chinese(one), running_chinese(two)) == "different"


def others(hint: Any, default: Any) -> list[Any]:
    """Values of the field's type that are not its default; a class may refuse some."""
    if get_origin(hint) is Literal:
        return [choice for choice in get_args(hint) if choice != default]
    if isinstance(default, bool):
        return [not default]
    if isinstance(default, int | float):
        steps = (
            default * 2,
            default // 3,
            default + 1,
            default - 1,
            default + 64,
            default * 0.9,
            default + 0.01,
        )
        return [value for value in dict.fromkeys(steps) if value != default]
    return (
        [Frequencies.learn([]), WordCutter(("渡轮",))] if default is None else ["the", "df"]
    )  # words, and a weighting


@pytest.mark.parametrize("name", sorted(SIGNERS))
def test_the_scheme_tells_every_parameter_apart(name: str) -> None:
    hints = get_type_hints(SIGNERS[name])
    plain = SIGNERS[name]().scheme
    for field in fields(SIGNERS[name]):  # type: ignore[arg-type]
        steps = [Step(name, {field.name: value}) for value in others(hints[field.name], field.default)]
        schemes = [scheme for step in steps for scheme in scheme_of(step)]
        assert schemes, f"no other value of {field.name} was accepted"
        assert len({plain, *schemes}) == len(schemes) + 1, field.name


def scheme_of(step: Step) -> Iterator[str]:
    with suppress(ConfigError):
        yield build("signer", step, SIGNERS).scheme


@pytest.mark.parametrize("name", sorted(SIGNERS))
def test_signatures_are_the_same_on_every_python_and_in_every_release(name: str) -> None:
    """Stored signatures live on these bytes: other ones here need another version in the scheme.

    Every run has another seed of Python's own hashes.
    """
    made = [SIGNERS[name]()(Content(text)) for text in (*TEXTS, running_text("a"), NEWS)]
    digest = blake2b(repr(made).encode(), digest_size=8).hexdigest()
    assert digest == GOLDEN.get(name), f"a new signer: put {digest!r} into GOLDEN"
