"""From answers to decisions: majorities, ties, which of two tells more."""

from __future__ import annotations

import pytest

from dupgroups_lab.labelling.consensus import consensus
from lab.labelling.boards import board, news


@pytest.mark.parametrize(
    ("answers", "state", "answer"),
    [
        ("yes yes", "open", ""),
        ("yes yes no", "decided", "yes"),
        ("yes no unknown", "disputed", ""),
        ("yes yes no no", "disputed", ""),
        ("same same-a same", "decided", "same"),
        ("same-a same-a different", "decided", "same-a"),
        ("same same-a different", "disputed", ""),  # the same event, but which tells more?
        ("different different same-b", "decided", "different"),
        ("language language other", "decided", "language"),
    ],
)
def test_three_answers_are_wanted(answers: str, state: str, answer: str) -> None:
    decision = consensus(tuple(answers.split()), 3)
    assert (decision.state, decision.answer) == (state, answer)


def test_honeypots_are_not_decided_and_make_nothing_news() -> None:
    now = board(news("a", known="yes"), "Ann n:a yes", "Bob n:a yes")
    assert not now.decisions
    assert not now.news
