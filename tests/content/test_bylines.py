"""Bylines of scripts with and without capital letters: whose names they are, where they stand and end."""

from __future__ import annotations

import pytest

from dupgroups.content.bylines import is_by_label, is_person, read_byline, read_only_names, strip_by
from dupgroups.content.unspaced_bylines import (
    MAX_BYLINE_CHARS,
    is_unspaced_name,
    read_unspaced,
    uncased_name,
    uncased_start,
)


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


CHINESE = (
    "林港市港务局星期四表示，一艘载有二百一十二名乘客的渡轮当天清晨在浓雾中撞上东码头，至少十四人受伤。"
    "据两名等候首班船的目击者说，渡轮靠泊时没有减速。"
)
KOREAN = (
    "페리가 목요일 짙은 안개 속에서 동쪽 부두를 들이받아 적어도 열네 명이 다쳤다고 항만청이 밝혔다. "
    "승객은 이백열두 명이었다. 배는 천천히 항구로 들어오고 있었다고 한다."
)
JAPANESE = (
    "濃い霧の中でフェリーが桟橋に衝突し、少なくとも十四人がけがをしたと港湾局が木曜日に発表した。"
    "乗客は二百十二人だった。船はゆっくりと港に入っていたという。目撃者が話した。"
)
REPORTER_ZH = "（记者 王小明）"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        # Chinese: at either end of a long text, anywhere in a short one
        (f"{REPORTER_ZH}{CHINESE}{CHINESE}", ["王小明"]),
        (f"{CHINESE}{CHINESE}{REPORTER_ZH}", ["王小明"]),
        (f"{CHINESE}{REPORTER_ZH}{CHINESE}", []),
        (f"{CHINESE[:55]}{REPORTER_ZH}{CHINESE[:55]}", ["王小明"]),
        ("王小明／台北報導", ["王小明"]),
        ("周三／台北報導", []),
        # Korean
        ("김민수 기자", ["김민수"]),
        ("김민수·이영희 기자", ["김민수", "이영희"]),
        (f"{KOREAN} 김민수 기자", ["김민수"]),
        (f"[서울] 김민수 특파원 {KOREAN}", ["김민수"]),
        (f"{KOREAN} 김민수 기자 {KOREAN}", []),
        # the end of a Japanese text
        (f"{JAPANESE}【山田太郎】", ["山田太郎"]),
        (f"{JAPANESE[-30:]}【山田太郎】", ["山田太郎"]),
        (f"{JAPANESE}【山田太郎、鈴木花子】", ["山田太郎", "鈴木花子"]),
        (f"{JAPANESE}【共同通信】", []),  # an agency
        (f"{JAPANESE}【山田】", []),  # a place
        (f"{JAPANESE}【関連記事】", []),
        (f"{JAPANESE}【倫敦山田太郎】", []),  # where does the name begin?
        ("船は【山田太郎】", []),
        (f"{CHINESE}【山田太郎】", []),
        # others
        ("بقلم: أحمد سالم", ["أحمد سالم"]),
        ("القاهرة | بقلم: أحمد سالم", ["أحمد سالم"]),
        (f"بقلم: أحمد سالم، {'م' * MAX_BYLINE_CHARS} 4", []),  # a sentence
        ("द्वारा राम कुमार", ["राम कुमार"]),
        ("โดย สมชาย ใจดี", ["สมชาย ใจดี"]),
        ("取材：山田太郎", ["山田太郎"]),
        ("By Jo Brandt", []),
    ],
)
def test_the_names_in_a_line_without_capitals(line: str, names: list[str]) -> None:
    assert read_unspaced(line) == names


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("أحمد سالم", True),
        ("山田 太郎", True),
        ("王小明", True),
        ("Jo Brandt", False),
        ("Йо Брандт", False),  # a script with capitals
        ("وكالة أخبار", False),  # an agency
        ("12:30", False),
    ],
)
def test_a_name_in_a_script_without_capitals(text: str, is_name: bool) -> None:
    assert uncased_name(text) == [text] * is_name
    assert uncased_start(f"{text} 12:30") == [text] * is_name


def test_a_chinese_or_a_korean_name() -> None:
    assert [is_unspaced_name(text) for text in ("王小明", "김민수", "Jo")] == [True, True, False]
