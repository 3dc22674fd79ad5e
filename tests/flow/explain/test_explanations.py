"""Why a page has this text, and two texts side by side: nothing is lost, what both have is aligned."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups import Deduper
from dupgroups.content.page_analysis import extract
from dupgroups.flow.explain.page_explanation import explain_page
from dupgroups.flow.explain.text_alignment import Alignment, align
from dupgroups.flow.method_set import MethodSet
from dupgroups.model import Page
from dupgroups.presentation.story import read_story, read_ties
from dupgroups_demo import build
from stories import running_chinese, running_text

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


DEMO = [page for site in build() for page in site.pages if page.article][::7]


@pytest.mark.parametrize("demo", DEMO, ids=range(len(DEMO)))
def test_the_blocks_that_are_kept_are_the_text_and_the_numbers_give_the_probability(demo: object) -> None:
    page = Page(html=demo.body, url=f"https://news.example{demo.path}")  # type: ignore[attr-defined]
    made = explain_page(page)
    assert made.content == extract(page)
    assert "\n".join(block.text for block in made.blocks if block.kept) == made.content.text
    odds = math.fsum(part.contribution for part in made.evidence)
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(made.content.article)


def test_a_changed_page_is_scored_by_what_it_says_now() -> None:
    text = running_text("s") + "\nThe fire killed 14 people and closed 3 roads, police said."
    with Deduper("memory://") as deduper:
        for id_, said in (("a", text), ("b", text), ("a", text.replace("14", "31").replace("3 r", "9 r"))):
            deduper.add(Page(id=id_, text=said))
        story = read_story(deduper.engine, "a")
        assert story
        methods = MethodSet()
        score = read_ties(deduper.engine, story, methods).scores.of("a", "b")
        documents = deduper.engine.read(["a", "b"])
    assert score
    assert score.score == methods.verdict(documents["a"], documents["b"]).score < 0.5
    assert score.tied


def test_what_is_related_is_said_by_the_texts() -> None:
    """Signatures take a report of a ruling and of its opposite for one, and say so: the texts decide."""
    upheld = f"The court upheld the sentence of the harbour master.\n{running_text('dam', 5)}"
    with Deduper("memory://") as deduper:
        deduper.add_all(
            [Page(id="a", text=upheld), Page(id="b", text=upheld.replace("upheld", "overturned"))]
        )
        story = read_story(deduper.engine, "a")
        assert story
        ((tie, copy),) = read_ties(deduper.engine, story, deduper.methods).related
        assert (copy.id, tie.relation, tie.score < 0.5) == ("b", "near", True)
