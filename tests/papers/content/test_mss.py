"""Maximum scoring subsequence: the slides' example, and brute force as oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.content.blocks import divide
from dupgroups_papers.content.mss import MSS, maximal, maximum

scores = st.lists(st.integers(-9, 9), max_size=14)


def best(values: list[int]) -> int:
    runs = [sum(values[a:b]) for a in range(len(values)) for b in range(a + 1, len(values) + 1)]
    return max([0, *runs])


def all_maximal(values: list[int], start: int = 0) -> list[tuple[int, int]]:
    """Ruzzo and Tompa's definition: the shortest best run, then the same left and right of it."""
    if best(values) <= 0:
        return []
    runs = [(a, b) for a in range(len(values)) for b in range(a + 1, len(values) + 1)]
    a, b = min(
        (run for run in runs if sum(values[slice(*run)]) == best(values)), key=lambda r: (r[1] - r[0], r)
    )
    left, right = all_maximal(values[:a], start), all_maximal(values[b:], start + b)
    return [*left, (start + a, start + b), *right]


@given(scores)
def test_the_maximum_is_what_trying_all_runs_finds(values: list[int]) -> None:
    run = maximum(values)
    assert run.score == best(values) == sum(values[run.start : run.stop])


@given(scores)
def test_all_maximal_runs_are_those_of_the_definition(values: list[int]) -> None:
    found = maximal(values)
    assert sum(run.score for run in found) == sum(sum(values[a:b]) for a, b in all_maximal(values))
    assert all(sum(values[run.start : at]) > 0 for run in found for at in range(run.start + 1, run.stop + 1))
    covered = {at for run in found for at in range(run.start, run.stop)}
    assert covered >= {at for at, value in enumerate(values) if value > 0}


MENU = "<p><a href=x>One of many links in the menu of this page</a></p>" * 9
STORY = "<p>The ship sank in the port on Monday.</p>"
GREY = f"<style>.ad {{ color: #888 }}</style>{STORY}<p class=ad>Buy shoes now.</p>{STORY}"
SLIDES = "<p>Note:<p>A paragraph, <a href=x>with a link</a> in<p>some <em>emphatic words</em> here and more"
LEAD = "<p><a href=x>From Dover</a><br>The ship sank in the port on Monday.<p><a href=y>More</a>"
SMALL = "<p>The ship sank in the port.<br><small>Fog</small><p><small>Advertisement</small>"
HEADS = "<h1>Ferry sinks</h1><p>The ship sank in port.<h2>Fog</h2><p>It was a foggy night.<h4>As big</h4>"
HALF = "<p><a href=x>12345</a> 7890<p><a href=x>12345</a> 67890"


@pytest.mark.parametrize(
    ("html", "mss", "scores", "blocks"),
    [
        (SLIDES, MSS(), [5, 27, 33], [0, 1, 2]),
        (HALF, MSS(), [10, 11], [0, 1]),
        ("<p><a href=x>123456</a> 890", MSS(), [-10], []),  # more than half in links is too much
        (LEAD, MSS(), [46, -4], [0, 1]),  # a segment is judged as a whole
        (SMALL, MSS(), [29, -13], [0, 1]),
        (HEADS, MSS(), [-11, 22, -3, 21, 6], [1, 3, 4]),  # a rarer size counts against, and the run goes on
        (HEADS, MSS(c_size=0), [11, 22, 3, 21, 6], [0, 1, 2, 3, 4]),
        (GREY, MSS(), [36, -14, 36], [0, 2]),  # so does another colour
        (GREY, MSS(c_color=0), [36, 14, 36], [0, 1, 2]),
        (f"{MENU}<p style='font-size: 18px'>It sank in port.", MSS(), [-42] * 9 + [16], [9]),
    ],
)
def test_the_best_run_of_scores_is_the_story(
    html: str, mss: MSS, scores: list[int], blocks: list[int]
) -> None:
    page = divide(html)
    assert mss.scores(page) == scores
    assert list(mss(page)) == blocks
