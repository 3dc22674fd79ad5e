"""Comments, captions, notes on the author and copies of the article are not its text."""

from __future__ import annotations

import numpy as np
import pytest

from content.pages import STORY
from dupgroups.content.asides import with_fellows, without_asides, without_copies, without_strangers
from dupgroups.content.auto import Auto
from dupgroups.content.blocks import divide

PARAGRAPHS = "".join(f"<p>{text}</p>" for text in STORY)
NOTE = "I was on that ferry, and nobody told us anything until we were back on the quay, hours later."


@pytest.mark.parametrize(
    ("outside", "kept"),
    [
        ('<div class="user-comment"><p>{}</p></div>', 0),
        ("<div id=commentSource><ul class=first><li>{}</ul></div>", 0),
        ("<figure><div class=caption>{}</div></figure>", 0),
        ("<div class=author-bio>{}</div>", 0),
        ("<div class=photo-gallery><div>1 of 14</div>{}</div>", 0),
        ("<div class=commentary>{}</div>", 1),
        ("<div class=comment><div><div><div><div><p>{}</p></div></div></div></div></div>", 1),
    ],
)
def test_boxes_named_as_asides_are_left_out_unless_the_name_is_farther_out(outside: str, kept: int) -> None:
    page = divide(f"<div class=story>{PARAGRAPHS}</div>{outside.format(NOTE)}")
    assert [*without_asides(page, range(len(STORY) + 1))] == [*range(len(STORY) + kept)]


@pytest.mark.parametrize("name", ["comments-open", "post author-hedda", "bio", "editors reply", "cookie-ok"])
def test_a_box_with_most_of_the_text_is_the_story_whatever_its_name(name: str) -> None:
    for above, is_story in ((f"<p>{STORY[0]}</p><p>{STORY[1]}</p>", True), (PARAGRAPHS, False)):
        page = divide(f"{above}<div class='{name}'>{2 * PARAGRAPHS}</div>")
        assert (len(without_asides(page, range(len(page.blocks)))) == len(page.blocks)) == is_story


@pytest.mark.parametrize("place", [0, len(STORY)])
def test_one_block_that_repeats_the_paragraphs_is_left_out(place: int) -> None:
    blocks = [f"<p>{text}</p>" for text in STORY]
    text = "*\n\n*".join(STORY)
    blocks.insert(place, f"<pre># Ferry hits pier\n*{text}*</pre>")
    every = range(len(blocks))
    assert [*without_copies(divide("".join(blocks)), every)] == [index for index in every if index != place]


@pytest.mark.parametrize(
    "blocks",
    [
        [],
        [" ".join(STORY)] * 2,
        [" ".join(STORY), STORY[0]],
        STORY,
        [" ".join(STORY * 200), *STORY * 200],  # too many blocks, or too long a one, to be compared
        [" ".join(STORY * 150), *[" ".join(STORY)] * 100],
    ],
)
def test_a_text_that_no_paragraphs_repeat_is_kept(blocks: list[str]) -> None:
    page = divide("".join(f"<p>{text}</p>" for text in blocks))
    assert [*without_copies(page, range(len(blocks)))] == [*range(len(blocks))]


def test_a_question_about_cookies_above_a_story_in_a_box_named_post_is_left_out() -> None:
    ask = "We and our 512 partners store information on your device, such as cookies, for advertising."
    page = divide(f"<div><p>{ask}</p></div><div class=post>{PARAGRAPHS}</div>")
    assert [*without_strangers(page, range(len(STORY) + 1))] == [*range(1, len(STORY) + 1)]


def test_auto_leaves_out_comments_and_with_favor_recall_keeps_them() -> None:
    page = divide(f"<div class=story>{PARAGRAPHS}</div><div class=comment>{NOTE}</div>")
    sure = np.ones(len(STORY) + 1, np.float32)
    assert Auto().article(page, sure, "")[1] == [*range(len(STORY))]
    assert Auto(favor="recall").select_above(page, sure) == [*range(len(STORY) + 1)]


@pytest.mark.parametrize(
    ("block", "belongs"),
    [
        ("<p>The operator of the ferry promised to refund all tickets until the end of the week.</p>", True),
        ("<p>The operator of the ferry promised</p>", False),
        ("<p>The operator of the ferry promised to refund all tickets until the end of the week</p>", False),
        (
            "<p><a href=/o>The operator of the ferry promised to refund all tickets until Friday.</a></p>",
            False,
        ),
        ("<p class=note>The operator of the ferry promised to refund all tickets until Friday.</p>", False),
        ("<div><p>The operator of the ferry promised to refund all tickets until Friday.</p></div>", False),
    ],
)
def test_a_sentence_belongs_to_three_kept_ones_of_its_kind(block: str, belongs: bool) -> None:
    page = divide(f"<div><p>One.</p><p>Two.</p>{block}<p>Three.</p></div>")
    assert (2 in with_fellows(page, [0, 1, 3], [2])) == belongs
    assert 2 not in with_fellows(page, [0, 1], [2])
