"""The block of the headline, around which author and date are looked for."""

from __future__ import annotations

import pytest

from dupgroups.content.blocks import divide
from dupgroups.content.surroundings import find_headline

FOG, TEXT = "Fog closes port", "<p>The port was closed by the fog in the morning.</p>"
LINKED, HEADING = f"<div><a href=/fog>{FOG}</a></div>", f"<h2><a href=/fog>{FOG}</a></h2>"
LONGEST = 2 * len(FOG) + 20
LINE = "<div>Harbour</div>"


@pytest.mark.parametrize(
    ("html", "place"),
    [
        (f"<h2>{FOG}</h2><h1>{FOG}</h1><h2>{FOG}</h2>{TEXT * 3}", 1),  # if possible an h1
        (f"{LINKED}<div>{FOG}</div>{TEXT * 3}", 1),  # lists repeat it as a link
        (f"{HEADING}<div>{FOG}</div>{TEXT * 3}", 0),  # but a heading may be one
        (f"<h1>{FOG}</h1>{LINE * 10}<h1>{FOG}</h1>{LINE}<h1>{FOG}</h1>{TEXT * 3}", 11),  # the first close one
        (f"<h1>{FOG}</h1>{LINE * 8}<h1>{FOG}</h1>{TEXT * 3}", 0),
        (f"<h1>{FOG}</h1>{LINE}<h1>{FOG}</h1>{LINE * 20}{TEXT * 3}", 2),  # else the last
        (f"<div>{FOG.ljust(LONGEST - 1, '!')}</div>{TEXT * 3}", 0),
        (f"<div>{FOG.ljust(LONGEST, '!')}</div>{TEXT * 3}", None),  # a sentence
        (f"{TEXT * 3}<h1>{FOG}</h1>", 3),  # below the first lines of the text
        (f"{TEXT * 3}{LINE}<h1>{FOG}</h1>", None),
        (f"{LINE}{TEXT * 3}", None),
    ],
)
def test_which_block_is_the_headline(html: str, place: int | None) -> None:
    blocks = divide(html)
    kept = [index for index, text in enumerate(blocks.texts) if text.startswith("The port")]
    assert find_headline(blocks, kept, FOG) == place


def test_a_title_of_one_character_is_a_headline_and_none_is_not() -> None:
    blocks = divide(f"<h1>雪</h1>{TEXT * 3}")
    assert [find_headline(blocks, [1, 2, 3], title) for title in ("雪", "")] == [0, None]
