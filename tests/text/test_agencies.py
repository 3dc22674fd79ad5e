"""Whom texts credit: 415 made-up openings and closings, with credits and with what only looks like one."""

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

from dupgroups.text.agencies import Credit, find_credit

FILE = Path(__file__).with_name("credited.txt")
LOST = "\ufffd"  # a letter that is not read


class Case(NamedTuple):
    language: str
    name: str
    author: str
    text: str


def cases() -> list[Case]:
    lines = [line for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = ([part.strip() for part in line.split("|", 3)] for line in lines)
    return [
        Case(language, name, author, "\n".join(map(str.strip, text.split("//"))))
        for language, name, author, text in rows
    ]


def test_credits_are_found_and_mentions_are_not() -> None:
    found = [
        (case, credit.name if (credit := find_credit(case.text, case.author)) else "-") for case in cases()
    ]
    assert len(found) > 300
    assert len({case.language for case, _ in found}) > 20
    assert not [(case, name) for case, name in found if name != case.name]


@pytest.mark.parametrize("table", ["agencies.csv", "publishers.csv"])
def test_each_known_name_is_credited_under_the_first_of_its_line(table: str) -> None:
    lines = (files("dupgroups.text") / table).read_text("utf-8").splitlines()
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    assert len(rows) > 50
    for row in rows:
        for name in row:
            for credit in (find_credit("Fog.", name), find_credit(f"Fog.\nSource: {name}")):
                assert credit, name
                assert (credit.name, credit.is_agency) == (row[0], table == "agencies.csv")
                assert name in credit.words


@pytest.mark.parametrize("padding", ["Fog lay over the bay. " * 200, "春茶成交。" * 400])
def test_a_credit_is_found_at_either_end_of_a_long_text_and_not_inside(padding: str) -> None:
    opening, closing = find_credit(f"VELMAR (AP) — {padding}"), find_credit(f"{padding}\n(AFP)")
    assert opening == Credit("AP", "dateline", "VELMAR (AP) —")
    assert closing == Credit("AFP", "closing line", "(AFP)")
    assert find_credit(f"{padding}\nReuters\n{padding}") is None
    assert find_credit(f"This story was first published by Kessel Review.\n{padding}")
    assert find_credit(f"A report that was first published by Kessel Review is wrong.\n{padding}") is None


@pytest.mark.parametrize("filler", ["a", "春", " ", "(", "A ", "by ", "of the "])
def test_a_line_that_is_cut_is_not_taken_for_a_whole_one(filler: str) -> None:
    for length in range(590, 602):
        assert (
            find_credit(f"{filler * length}"[:length] + "\nReuters said so again and again. " + "x" * 900)
            is None
        )


def test_a_line_of_which_only_the_end_is_read_is_not_taken_for_a_whole_one() -> None:
    for length in range(1, 500):
        assert find_credit(f"It is an old story. {'y' * 600} of Reuters  \n{'z' * length}") is None


def test_the_name_or_the_domain_of_the_site_comes_last() -> None:
    assert find_credit("Fog.", site="Reuters") == Credit("Reuters", "site", "Reuters", is_agency=False)
    assert find_credit("Fog.", site="The wire", domain="apnews.com") == Credit(
        "AP", "site", "apnews.com", is_agency=False
    )
    found = find_credit("春茶成交。\n来源：云溪日报", domain="xinhuanet.com")
    assert found == Credit("云溪日报", "closing line", "来源：云溪日报", is_agency=False)
    assert find_credit("") is find_credit("Fog.", "Jo Brandt", "Kessel Herald", "kessel.example") is None


def test_letters_that_stand_for_names_inside_are_no_names_in_a_text() -> None:
    letters = [chr(code) for code in range(0x17000, 0x18800, 7)]
    for letter in letters:
        assert find_credit(f"VELMAR ({letter}) — Fog.\nSource: {letter}", letter) is None
    credit = find_credit(f"VELMAR {''.join(letters[:9])} (AP) — Fog.")
    assert credit == Credit("AP", "dateline", f"VELMAR {LOST * 9} (AP) —")
    credit = find_credit("Fog.", source=letters[0])
    assert credit == Credit(LOST, "declared source", LOST, is_agency=False)


def test_hostile_texts_cost_no_more_than_others() -> None:
    """Patterns that backtrack would need minutes."""
    for part in (
        *("A (", "(A", "/A", "来源", "with ", "(c) ", "A, ", "dpa/", "by AP and ", "1日", "【共同", "Co. "),
        *("the ", "A.P. ", "this article by ", "Source: A.", "به گزارش ", "ann@ap.", "AP "),
        *("Associated Press of ", "AFP/", "新华", "\U00017000"),
    ):
        find_credit(part * 5_000, part * 100)
        find_credit(f"Fog.\n(c) {part * 100}AP x", f"Reuters{' ' * 50_000}{part}")
        find_credit("Fog.", source=f"AP{' ' * 50_000}{part * 5_000}")
