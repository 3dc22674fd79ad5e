"""Signers of exact words: the fingerprint, and Henzinger's combination."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content
from dupgroups_papers.signatures.fingerprint import Fingerprint

signer = Fingerprint()
words = st.lists(st.sampled_from("rain fell in Ashvale on Monday 雨 在".split()), min_size=8, max_size=12)


@given(words, words)
def test_texts_sign_alike_exactly_when_their_words_are_the_same(one: list[str], two: list[str]) -> None:
    first, second = signer(Content(" ".join(one))), signer(Content(" ".join(two)))
    assert (first == second) is (one == two)
    assert len(first.body) == 8


def test_case_blanks_punctuation_and_script_variants_make_no_difference() -> None:
    one = Content("The rain fell, on Monday, in 臺灣 and elsewhere.")
    two = Content("“THE  RAIN” fell\non Monday in 台湾 and elsewhere")
    assert signer(one) == signer(two)
