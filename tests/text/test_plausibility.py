"""How much a text looks like one: right readings above wrong ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.plausibility import plausibility


@given(st.text())
def test_a_share(text: str) -> None:
    assert 0 <= plausibility(text) <= 1


@pytest.mark.parametrize("text", ["", "Plain words, 1 < 2.", "“Quoted” — it’s £5 at 20°, naïve café"])
def test_nothing_speaks_against_ascii_and_its_signs(text: str) -> None:
    assert plausibility(text) == 1


def test_both_scripts_of_chinese_are_alike() -> None:
    one = plausibility("国务院发布通知，要求各地加强学校食品安全管理，进一步提高办学条件。")
    two = plausibility("國務院發布通知，要求各地加強學校食品安全管理，進一步提高辦學條件。")
    assert one == two > 0.85


@pytest.mark.parametrize(
    "garbled",
    [
        "中国国务院星期二宣布".encode("gbk").decode("latin-1"),
        "Правительство объявило".encode("koi8-r").decode("windows-1251"),
        "Правительство объявило".encode("windows-1251").decode("windows-1252"),
        "größere Änderungen für".encode("windows-1252").decode("windows-1251"),
        "wykształcenie podwyżka społeczny".encode("windows-1250").decode("windows-1252"),
        "이번 총선에서는 새로운".encode("euc_kr").decode("gb18030"),
    ],
)
def test_a_wrong_reading_shows(garbled: str) -> None:
    assert plausibility(garbled * 9) < 0.6
