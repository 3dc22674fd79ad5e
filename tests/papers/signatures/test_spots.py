"""SpotSigs and the feature string: the examples of their papers, the bag of spots, and what counts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content
from dupgroups_papers.codecs.set_codec import estimate_shared
from dupgroups_papers.signatures.period_string import PeriodString, feature_codes
from dupgroups_papers.signatures.spotsigs import SpotSigs
from properties import met, must_meet

PAPER = (
    "at a rally to kick off a weeklong campaign for the South Carolina primary Obama tried to set the record "
    "straight from an attack circulating widely on the Internet that is designed to play into prejudices"
)
SPOTS = (
    "a:rally:kick a:weeklong:campaign the:South:Carolina the:record:straight an:attack:circulating "
    "the:Internet:designed is:designed:play"
)
SHORT = "the one two three four five a six"  # the end cuts the chain of "a" off


@pytest.mark.parametrize(
    ("signer", "text", "spots"),
    [
        (SpotSigs(antecedents="a an the is"), PAPER, SPOTS),
        (SpotSigs(antecedents="a", skipped=""), PAPER, "a:rally:to a:weeklong:campaign"),
        (SpotSigs(antecedents="the a", spot_distance=2, chain_length=2, skipped=""), SHORT, "the:two:four"),
        (SpotSigs(antecedents="the a", chain_length=4, skipped=""), SHORT, "the:one:two:three:four"),
        (SpotSigs(antecedents="the a", chain_length=7, skipped=""), SHORT, ""),
    ],
)
def test_spots_are_those_of_the_paper(signer: SpotSigs, text: str, spots: str) -> None:
    assert signer.spots(text.split()) == spots.split()


words = st.builds(
    lambda words, length: words[:length],
    st.permutations("the a is rain sun wind fell rose on in Ashvale".split() * 3),
    st.sampled_from([20, 33, 10, 0]),
)


@must_meet(least=3)
@given(one=words, two=words)
def test_the_body_is_the_bag_of_spots(one: list[str], two: list[str]) -> None:
    signer = SpotSigs(least=1)
    bags = [Counter(signer.spots(words)) for words in (one, two)]
    signed = [signer(Content(" ".join(words))) for words in (one, two)]
    assert [bool(signature) for signature in signed] == [bool(bag) for bag in bags]
    if all(bags):
        both = (bags[0] & bags[1]).total()
        met(both)
        assert estimate_shared(signed[0].body, signed[1].body) == (both, bags[0].total(), bags[1].total())


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("", ""),
        ("他来了。她走了。", "了了"),
        ("他说：“好。”股价涨了5%。GDP。完毕。", "好毕"),
        ("三人受伤。\n記者報導。", "伤导"),
        ("雨です。ハンバーガー。ｱｲﾇ。大阪。ㇰ。", "阪"),
        ("ไทย。ລາວ。ខ្មែរ。မြန်မာ。한국。Ελλάδα。泰国。", "国"),
        ("㐀。豈。䷀。\U00020000。一九二〇。", "㐀岂〇"),
    ],
)
def test_only_chinese_characters_right_before_full_stops_count(text: str, feature: str) -> None:
    assert feature_codes(text).tolist() == list(map(ord, feature))


def test_short_strings_are_signed_if_asked_for_and_other_marks_count_where_there_is_no_full_stop() -> None:
    assert not PeriodString()(Content("他来了。"))
    assert (
        PeriodString(least=1)(Content("他来了。")).keys == PeriodString(least=1)(Content("了。")).keys != ()
    )
    plain, marks = PeriodString(), PeriodString(otherwise="，；！？")
    without, with_stops = "他来了，她走了；真的吗？好！", "他来了。她走了。真的吗。好。他，"
    assert not plain(Content(without))
    assert marks(Content(without)).body == plain(Content(with_stops)).body == marks(Content(with_stops)).body
