"""Snippets: the best place, marked words, hostile input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.snippets import CLOSE, OPEN, snippet
from dupgroups.text.words import search_words
from properties import met, must_meet


def shown(text: str, query: str, width: int = 200) -> str:
    """The snippet with brackets for the private characters."""
    return snippet(text, search_words(query), width).replace(OPEN, "[").replace(CLOSE, "]")


FILLER = "Nothing of interest stood here. " * 20


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The flood came.", "fire", "The flood came."),
        ("The Flood\ncame;  FLOOD!", "flood", "The [Flood] came; [FLOOD]!"),
        ("STRASSE Ｆlood", "flood", "STRASSE [Ｆlood]"),
        ("總統訪問臺灣大學。", "台湾 总统", "[總統]訪問[臺灣]大學。"),
        ("总统访问台湾大学。", "臺灣大學", "总统访问[台湾大学]。"),
        ("½ price: 臺灣 flood", "台湾 flood", "½ price: [臺灣] [flood]"),
        ("<b>flood</b> & co", "flood", "<b>[flood]</b> & co"),
    ],
)
def test_found_words_are_marked(text: str, query: str, expected: str) -> None:
    assert shown(text, query) == expected


def test_the_window_holds_most_different_words() -> None:
    text = f"A flood, a flood, a flood. {FILLER} The flood took a bridge. {FILLER}"
    result = shown(text, "flood bridge")
    assert "[flood] took a [bridge]" in result
    assert result.startswith("…")
    assert result.endswith("…")
    assert shown(text, "flood").startswith("A [flood], a [flood]")
    assert shown(FILLER + "the flood", "flood").endswith("the [flood]")


PIECES = [" flood ", "flood", " Fire", "北京", "臺灣", "ﬁ", "İ", "½", "\ud800", OPEN, " ", "\n", ".", "x" * 9]
QUERIES = ["flood", "fire 北京", "台湾", "i flood", "", "\ud800"]


@must_meet(least=2)
@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(QUERIES), st.integers(10, 60)
)
def test_a_snippet_is_a_piece_of_the_line(text: str, query: str, width: int) -> None:
    result = snippet(text, search_words(query), width)
    plain = result.replace(OPEN, "").replace(CLOSE, "").strip("…")
    assert plain in " ".join(text.replace(OPEN, "").replace(CLOSE, "").split())
    assert len(plain) <= width
    assert "\n" not in result
    marks = "".join(character for character in result if character in (OPEN, CLOSE))
    met(marks)
    assert marks == (OPEN + CLOSE) * (len(marks) // 2)
