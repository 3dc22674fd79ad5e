"""Who gets which item next, and what becomes of the answers."""

from dataclasses import replace
from pathlib import Path

import pytest

from dupgroups_lab.labelling.board import Board
from dupgroups_lab.labelling.consensus import consensus, qualities
from dupgroups_lab.labelling.model import Answer, Phase, Rules
from dupgroups_lab.labelling.store import LabelStore
from dupgroups_lab.labelling.study import Study
from lab.labelling.projects import board, news, news_by, pairs

ITEMS = [*news("a", "b", "c"), *pairs("ab", "bc")]


def key(now: Board, assessor: str, phase: Phase, *skip: str) -> str | None:
    item = now.next_item(assessor, phase, skip)
    return item.key if item else None


def test_pairs_come_at_once_if_nobody_is_asked_about_documents() -> None:
    assert key(board(pairs("ab")), "Cid", "pairs") == "p:ab"


@pytest.mark.parametrize(
    ("answers", "phase", "wanted"),
    [
        ([], "news", "n:a"),
        (["Cid n:a yes"], "news", "n:b"),  # an item comes once
        (["Ann n:a yes", "Bob n:a no"], "news", "n:b"),  # and is done with enough answers
        (["Ann n:c yes"], "news", "n:c"),  # what others have begun comes first
        (news_by("AB", "a"), "pairs", None),  # pairs come when both documents are news
        ([*news_by("AB", "a"), "A n:b no", "B n:b no"], "pairs", None),
        (news_by("AB", "ab"), "pairs", "p:ab"),
    ],
)
def test_the_next_item_follows_from_the_answers(answers: list[str], phase: Phase, wanted: str | None) -> None:
    assert key(board(ITEMS, *answers), "Cid", phase) == wanted


def test_an_assessor_of_phase_1_does_not_get_phase_2_of_the_same_documents() -> None:
    items = [*ITEMS, *news("d", "e"), *pairs("de")]
    now = board(items, *news_by("AB", "abc"), *news_by("CD", "de"))
    assert key(now, "A", "pairs") == "p:de"
    assert key(now, "C", "pairs") == "p:ab"
    assert not now.may_answer("A", now.items["p:ab"])
    assert now.may_answer("A", now.items["p:de"])
    assert now.waiting("A", "pairs") == 1


def test_an_answer_to_an_item_that_others_have_just_decided_is_taken() -> None:
    now = board(ITEMS, *news_by("AB", "a"))
    assert now.may_answer("Cid", now.items["n:a"])
    assert not now.may_answer("A", now.items["n:a"])


def test_honeypots_are_mixed_in_by_their_share_and_never_end_the_work() -> None:
    rules = Rules(wanted=1, honeypots=0.1)
    now = board([*news(*map(str, range(200))), *news(*"abcdefghij", known="yes")], rules=rules)
    seen: list[str] = []
    while item := now.next_item("Ann", "news"):
        seen.append(item.key)
        now = replace(now, answers=[*now.answers, Answer(item.key, "Ann", "yes")])
    pots = [place for place, key in enumerate(seen) if key[2:].isalpha()]
    assert (len(seen), len(pots)) == (210, 10)
    assert pots[0] < 60  # not all at the end
    assert not seen[-1][2:].isalpha()


# -- from answers to decisions: majorities, ties, and whose answers count


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


def test_nobody_is_judged_by_few_honeypots() -> None:
    pots = pairs(*("a" + end for end in "bcdefghijk"), known="same")

    def is_trusted(right: int, wrong: int) -> bool:
        rows = ["same"] * right + ["different"] * wrong
        answers = [Answer(item.key, "Ann", row) for item, row in zip(pots, rows, strict=False)]
        return qualities({item.key: item for item in pots}, answers, {})["Ann"].trusted

    assert is_trusted(0, 4)
    assert not is_trusted(3, 2)
    assert is_trusted(7, 3)
    assert not is_trusted(6, 4)


def test_who_fails_at_honeypots_has_no_part_in_the_agreement(tmp_path: Path) -> None:
    pots = pairs("ab", "cd", "ef", "gh", "ij", known="same")
    store = LabelStore.create(tmp_path / "labels.db", Rules(wanted=2), [], [*pots, *news("x", "y")])
    for pot in pots:
        store.answer(pot.key, "Eve", "different")
    for key, answer, opposite in (("n:x", "yes", "no"), ("n:y", "no", "yes")):
        store.answer(key, "Ann", answer)
        store.answer(key, "Bob", answer)
        store.answer(key, "Eve", opposite)
    assert Study(store).agreement("news") == (2, 1.0)
