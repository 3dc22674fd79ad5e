"""Queries: what is parsed, refused in a sentence, the laws of the tree; and snippets of what they find."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import InputError
from dupgroups.text.query_syntax import MAX_QUERY_WORDS, Either, Node, Term, found_words, parse, terms_of
from dupgroups.text.snippets import CLOSE, OPEN, snippet
from dupgroups.text.words import search_words
from properties import met, must_meet


def written(node: Node | None) -> str:
    """A tree in the words that were typed: every part in brackets, phrases in quotation marks."""
    if node is None:
        return ""
    if isinstance(node, Term):
        star = "*" if node.runs[0].prefix else ""
        return f'"{" ".join(node.shown)}"' if len(node.shown) > 1 else node.shown[0] + star
    between = "|" if isinstance(node, Either) else " "
    return f"({between.join(map(written, node.parts))})"


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        (" ?! ", "", []),
        ("Flood flood", "flood", []),
        ("flood ?! fire", "(flood fire)", []),
        ("well-known", "(well known)", []),
        ('the"night train"now', '(the "night train" now)', []),
        ('a ferry OR boat OR "night train"', '(a (ferry|boat|"night train"))', []),
        ("well-known OR boat", "((well known)|boat)", []),
        ("北京 大学", "(北京 大学)", []),
        ("北京*", "北京", []),
        ("Live: flood", "(live flood)", []),
        ('"dam break" at 5" pipe', '("dam break" at 5 pipe)', []),
        ("-river flood", "flood", ["river"]),
        ('flood -"dam break" -riv*', "flood", ['"dam break"', "riv*"]),
        ("flood -well-known", "flood", ["(well known)"]),
    ],
)
def test_what_is_wanted_and_what_is_left_out(text: str, wanted: str, unwanted: list[str]) -> None:
    search = parse(text)
    assert (written(search.wanted), [written(node) for node in search.unwanted]) == (wanted, unwanted)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("flood -?!", "a minus needs the word"),
        ('-river ""', "only says what to leave out"),
        ("ferry OR", "OR needs a wanted word"),
        ("NOT ferry", "NOT is not an operator: write -flood"),
        ("f*", r"needs at least 2 letters"),
        ("fl*d", r"\* works only at the end of a word"),
        ('"night tra*"', r"\* does not work inside quotation marks"),
        ("site:example.org", "site: is not an operator: filter by"),
        ("(ferry OR boat) fire", "parentheses do not group words"),
        ("w0 " + " ".join(f"-w{n}" for n in range(1, MAX_QUERY_WORDS + 1)), f"more than {MAX_QUERY_WORDS} "
        "words"),
        ("x" * 10_000, f"more than {MAX_QUERY_WORDS} words"),
    ],
)  # fmt: skip
def test_what_is_not_supported_is_said_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


def test_one_of_the_words_is_enough_with_any_word() -> None:
    search = parse('ferry "night train" well-known -river', any_word=True)
    assert written(search.wanted) == '(ferry|"night train"|well|known)'
    assert [written(node) for node in search.unwanted] == ["river"]
    assert parse("ferry", any_word=True) == parse("ferry")
    assert parse("ferry boat").has_parts
    assert not any(parse(text).has_parts for text in ("ferry", "ferry OR boat", ""))


def test_the_most_terms_of_a_query_are_few_enough_for_a_cluster() -> None:
    """The limit of clusters is 1,024 clauses; a word of Latin letters has the most languages."""
    wanted = parse(" ".join(f"électricité{chr(97 + n)}" for n in range(MAX_QUERY_WORDS))).wanted
    assert wanted is not None
    assert sum(len(term.runs) for term in terms_of(wanted)) < 1000


@given(st.text(max_size=60), st.booleans())
def test_any_text_is_refused_with_a_sentence_or_gives_terms_without_the_syntax_of_engines(
    text: str, any_word: bool
) -> None:
    with suppress(InputError):
        search = parse(text, any_word=any_word)
        assert (search.wanted is None) == (not search.words)
        for node in filter(None, (search.wanted, *search.unwanted)):
            terms = [term for leaf in terms_of(node) for run in leaf.runs for term in run.terms]
            assert all(terms)
            assert not set("".join(terms)) & set(' "*()^:-+')


def test_the_words_that_were_found_are_shown_in_their_form() -> None:
    text = "Floods came. The flooding and a café, a cafeteria."
    assert found_words(parse("flood"), text, "en") == ["flood", "floods", "flooding"]
    assert found_words(parse("flood", "de"), text, "en") == ["flood"]
    assert found_words(parse("cafe"), text, "") == ["cafe", "café"]
    assert found_words(parse("caf*"), text, "en") == ["caf", "café", "cafeteria"]
    assert found_words(parse('"the flooding" -café'), text, "en") == ["the", "flooding"]
    assert found_words(parse(""), text, "en") == []


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
