"""Cards, further stories and offers among and below the paragraphs are not the text of an article."""

from __future__ import annotations

import pytest

from content.pages import HEADLINE, STORY
from dupgroups.content.blocks import divide
from dupgroups.content.insets import without_insets

PARAGRAPHS = [f"<p>{paragraph}</p>" for paragraph in STORY]
OTTER = "<p>An otter was seen at the lock again, and the town has begun to look for a name.</p>"
LINKED = "<h3><a href=/o>Otter seen at the lock</a></h3>"
OFFER = f"<div><h2>More</h2>{OTTER}<p>The first month is free.</p><div><a href=/s>{{}}</a></div></div>"


def lines(inset: str, place: int = 3) -> list[str]:
    """What is left of a story with something else before one of its paragraphs, all of which was kept."""
    body = "".join([*PARAGRAPHS[:place], inset, *PARAGRAPHS[place:]])
    page = divide(f"<h1>{HEADLINE}</h1><article>{body}</article>")
    return [page.texts[index] for index in without_insets(page, range(1, len(page.texts)), HEADLINE)]


@pytest.mark.parametrize(
    "inset",
    [
        f"<div>{LINKED}<p class=author>Gus Troll</p>{OTTER}</div>",
        f"<div><a href=/o><img src=o.jpg><h3>Otter seen at the lock</h3></a>{OTTER}</div>",
        f"<ul class=related-posts><li>{LINKED}{9 * OTTER}</li><li>{LINKED}{9 * OTTER}</li></ul>",
        f"<div><div><h1>Otter seen at the lock</h1><p>By Gus Troll</p>{99 * OTTER}</div></div>",
        f"<div><h1>Otter seen at the lock</h1><p>4 March 2026</p>{99 * OTTER}</div>",
        *map(OFFER.format, ("Subscribe now", "Jetzt abonnieren", "S’abonner", "Suscríbete", "立即购买")),
    ],
)
def test_boxes_of_something_else(inset: str) -> None:
    assert lines(inset) == list(STORY)


@pytest.mark.parametrize(
    "section",
    [
        f"{LINKED}{OTTER}",  # a heading of the text itself
        f"<div>{LINKED}{9 * OTTER}</div>",
        f"<div><h1>What the divers found</h1>{OTTER}</div>",
        f"<div><p>One more day.</p>{LINKED}{OTTER}</div>",
        f"<div>{OTTER}<p>Subscribe now or miss the last news of the harbour.</p></div>",
    ],
)
def test_sections_of_the_text_stay(section: str) -> None:
    assert set(lines(section)) > set(STORY)


def test_linked_sections_that_are_much_of_the_text_stay() -> None:
    sections = [f"<div>{LINKED}{paragraph}</div>" for paragraph in PARAGRAPHS]
    assert set(lines("".join(sections), len(STORY))) > set(STORY)
    assert len(lines("".join(sections), len(STORY))) == 3 * len(STORY)
