"""Two texts side by side: nothing is lost, what both have is aligned, and hostile texts take little time."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups.flow.explain.text_alignment import Alignment, align
from stories import running_chinese

WORDS = st.lists(st.sampled_from(["one", "two", "three", "four", "\n", "春", "茶", ". ", "'"]), max_size=60)
texts = st.one_of(WORDS.map(" ".join), st.text(max_size=80))


def side(made: Alignment, right: bool) -> list[str]:
    """The paragraphs of one side."""
    rows = (row.right if right else row.left for row in made.rows)
    return ["".join(part.text for part in line) for lines in rows for line in lines]


@given(texts, texts)
@example("", "")
@example("\n\n", "one")
@example("a\u2028b", "a\nb")
@example("\ud800 one", "one \udfff")
def test_no_character_is_lost_or_added(one: str, two: str) -> None:
    made = align(one, two)
    assert side(made, False) == [line for line in one.split("\n") if line]
    assert side(made, True) == [line for line in two.split("\n") if line]
    assert made.common <= min(made.words)


FERRY = "The ferry struck a moored barge in thick fog."
ZH = running_chinese("zh").split("\n")[0]


@pytest.mark.parametrize(
    ("one", "two", "changed"),
    [
        (FERRY, FERRY.replace("moored", "parked"), (["moored "], ["parked "])),
        (ZH, ZH[:8] + ZH[10:], ([ZH[8:10]], [])),  # by characters
        (FERRY, FERRY.upper().replace(" ", " - "), ([], [])),  # case and punctuation make no difference
    ],
)
def test_what_was_changed_and_nothing_else_is_marked(
    one: str, two: str, changed: tuple[list[str], list[str]]
) -> None:
    made = align(f"{one}\nTwo people are missing.", f"{two}\nTwo people are missing.")
    (row, same) = made.rows
    sides = (row.left, row.right)
    marked = tuple([part.text for line in side for part in line if not part.common] for side in sides)
    assert (marked, row.same) == (changed, changed == ([], []))
    assert same.same
