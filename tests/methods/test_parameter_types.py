"""Parameters of the wrong type: one sentence, for every method and every value."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.content import EXTRACTORS
from dupgroups.content.blocks import divide
from dupgroups.errors import ConfigError
from dupgroups.methods.registry import build
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from dupgroups.model import Content, Signature
from dupgroups.model.config import Step
from dupgroups_papers.corpus.frequencies import Frequencies
from stories import running_chinese

TABLES: dict[str, dict[str, type[Any]]] = {"extractor": EXTRACTORS, "signer": SIGNERS, "judge": JUDGES}
PARAMETERS = [
    (kind, name, field.name)
    for kind, table in TABLES.items()
    for name, cls in sorted(table.items())
    for field in fields(cls)
]
numbers = st.one_of(
    st.integers(-3, 200),
    st.integers(),
    st.sampled_from([2**31, 2**32, 2**63, 2**64, 10**400, -(2**70)]),
    st.floats(),
    st.sampled_from([1e-320, 1e-17, 1 - 1e-16, 1e300]),
)
values = st.one_of(
    numbers,
    st.none(),
    st.booleans(),
    st.text(max_size=5),
    st.sampled_from(["words", "slides", "minima", "idf", "stopwords", "\0"]),
    st.lists(st.integers() | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
    st.binary(max_size=3),
    st.just(Frequencies.learn([])),
)
PAGE = divide(
    "<h1>Rain</h1>" + "<p>Rain fell in Ashvale for the third day, and the river rose again.</p>" * 5
)
TEXT = Content(running_chinese("a"))


@pytest.mark.parametrize(("kind", "name", "parameter"), PARAMETERS)
@given(value=values)
def test_any_value_builds_a_method_that_works_or_is_refused(
    kind: str, name: str, parameter: str, value: object
) -> None:
    try:
        method = build(kind, Step(name, {parameter: value}), TABLES[kind])
    except ConfigError as error:
        assert name in str(error)  # noqa: PT017 - most values are refused, some are not
        return
    if kind == "extractor":
        method(PAGE)
    elif kind == "signer":
        assert isinstance(method(TEXT), Signature)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("minhash size=2.5", "signer 'minhash': size must be a whole number, not 2.5"),
        (f"minhash size={10**30}", r"signer 'minhash': size must be a whole number below 2\*\*63, not 1(0+)"),
        ("minhash similarity=NaN", "signer 'minhash': similarity must be a finite number, not nan"),
        ("weighted_phrases scaled=1", "signer 'weighted_phrases': scaled must be true or false, not 1"),
        ("simhash features=3", "signer 'simhash': features must be one of shingles, words, not 3"),
        ("imatch frequencies=3", "signer 'imatch': frequencies must be a Frequencies, text or None, not 3"),
        ("spotsigs skipped=[1]", r"signer 'spotsigs': skipped must be text, not \[1\]"),
    ],
)
def test_the_sentence_names_parameter_value_and_what_is_expected(typed: str, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}$"):
        build("signer", Step.typed(typed), SIGNERS)
