"""Bylines of scripts with capital letters: whose names they are, where a name ends, and what is no byline."""

from __future__ import annotations

import pytest

from dupgroups.content.bylines import is_by_label, is_person, read_byline, read_only_names, strip_by
from dupgroups.content.unspaced_bylines import MAX_BYLINE_CHARS


@pytest.mark.parametrize(
    ("line", "names"),
    [
        # after a comma comes a job title, unless the byline says that there are several
        ("By Jo Brandt, Ann Lee", ["Jo Brandt"]),
        ("By Jo Brandt, Ann Lee, Max Roe", ["Jo Brandt"]),
        ("By Jo Brandt, Ann Lee and Max Roe", ["Jo Brandt", "Ann Lee", "Max Roe"]),
        ("Authors: Jo Brandt, Ann Lee, Max Roe", ["Jo Brandt", "Ann Lee", "Max Roe"]),
        ("AUTORES : Jo Brandt, Ann Lee", ["Jo Brandt", "Ann Lee"]),
        # other joints
        ("By Jo Brandt; Ann Lee", ["Jo Brandt", "Ann Lee"]),
        ("By Jo Brandt / Ann Lee of the Courier", ["Jo Brandt"]),
        ("By Jo Brandt; Ann Lee of the Courier", ["Jo Brandt"]),
        ("By Jo Brandt and Ann Lee of the Courier", ["Jo Brandt", "Ann Lee"]),
        ("By Jo Brandt and others", ["Jo Brandt"]),
        ("By Jo Brandt with Max Roe", ["Jo Brandt", "Max Roe"]),
        ("Text: Jo Brandt; Foto: Max Roe", ["Jo Brandt"]),
        # a month may be a name
        ("By Jo Brandt May 4", ["Jo Brandt"]),
        ("By Jo Brandt and Tom May", ["Jo Brandt", "Tom May"]),
        # words of a name
        ("By José van den Berg II", ["José van den Berg II"]),
        ("By Jo van der Berg de la Cruz", ["Jo van der Berg de la Cruz"]),
        ("By J. R. Brandt.", ["J. R. Brandt"]),
        ("By JO MAX Associated Press", ["JO MAX"]),
        *((f"By Jo Brandt {channel}", ["Jo Brandt"]) for channel in ("CNN", "TV")),
        *((f"By Jo Brandt {suffix}", [f"Jo Brandt {suffix}"]) for suffix in ("IV", "JR", "SR")),
        ("By Jo Brandt van", []),
        ("By Ann LeBron", ["Ann LeBron"]),
        ("By Jan VanDerBeek", ["Jan VanDerBeek"]),
        ("By Jo AnneNovember", []),  # the page lacks a blank
        ("By Jo", []),
        ("By Jo Ann Lou Brandt", ["Jo Ann Lou Brandt"]),
        ("By Jo Ann Marie Lou Brandt", []),
        ("By jo brandt", []),
        # what may follow a name
        ("By Jo Brandt at sea", ["Jo Brandt"]),
        ("By Jo Brandt reporter: sports", ["Jo Brandt"]),
        ("By Jo Brandt (AP)", ["Jo Brandt"]),
        ("By Jo Brandt walked home", []),
        ("By Jo Brandt iPad edition", []),
        # how bylines begin
        ("ByJo Brandt", ["Jo Brandt"]),
        ("de Jo Brandt", ["Jo Brandt"]),
        ("Von unserem Korrespondenten Jo Brandt", ["Jo Brandt"]),
        ("scritto da Jo Brandt", ["Jo Brandt"]),
        ("by أحمد سالم", ["أحمد سالم"]),
        ("  Jo Brandt", ["Jo Brandt"]),
        ("No byline at all", []),
    ],
)
def test_the_names_of_a_byline(line: str, names: list[str]) -> None:
    assert read_byline(line, "", is_marked=True) == names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Jo Brandt", ["Jo Brandt"]),
        ("Jo Brandt and Ann Lee", ["Jo Brandt", "Ann Lee"]),
        ("Jo Brandt, Ulm", ["Jo Brandt"]),
        ("Jo Brandt, Bern", []),  # may be anything
        ("Jo Brandt Lindhaven desk of the Courier", []),
        ("Jo", []),
        ("Jo Brandt, Ann Lee", []),
        (" and ".join(["Jo Brandt"] * (MAX_BYLINE_CHARS // 9)), []),
    ],
)
def test_a_line_that_has_nothing_but_names(line: str, names: list[str]) -> None:
    assert read_only_names(line) == names


def test_labels_before_names() -> None:
    labels = ("Written by", "By", "author", "Автор:", "作者", "Reading time", "Publisher")
    assert [is_by_label(label) for label in labels] == [True] * 5 + [False] * 2


def test_a_person_is_a_whole_name() -> None:
    texts = ("Jo Brandt", "Jo van den Berg", "王小明", "김민수", "Jo", "Jo Brandt of Ulm", "The Courier")
    assert [is_person(text) for text in texts] == [True] * 4 + [False] * 3


def test_what_follows_a_by_is_what_is_left() -> None:
    assert [strip_by(text) for text in ("By Jo", "Story and photos by Jo", "byway")] == ["Jo", "Jo", "byway"]
