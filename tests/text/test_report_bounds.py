"""Where a report begins and ends, by what newsrooms put around it, and texts with nothing around them."""

import pytest

from dupgroups.text.report_bounds import find_report

ENGLISH = "The ferry sank in thick fog off the pier, and two of its crew are missing."
CHINESE = "渡轮昨晚在大雾中沉没，两名船员失踪，搜救人员正在港口附近的海面上继续寻找。"
DATELINES = """
VELMAR, Aug 4 (Reuters) - |VELMAR (Reuters) — |LONDON - |(AFP) |VELMAR - WIRE: |(ANSA) - VELMARA, 4 AGO - |
NEW YORK, July 01, 2025 /Wire/ -- |ВЕЛМАР, 4 авг - НС. |ΒΕΛΜΑΡ (ΑΠΕ) - |ולמר (רויטרס) - |فلمار (واس) : |
رملان - وكالات: |वेलमार, 4 अगस्त (भाषा) - |ভেলমার, ৪ আগস্ট (বাসস) - |வெல்மார் (பிடிஐ) - |เวลมาร์ (รอยเตอร์) - |
ველმარი (აფპ) - |(벨마르=통신) 홍길동 기자 = |海纳社8月4日电（记者王远）|海纳社电 |（中央社王遠4日電）
"""
LINES = """By Ann Holt and Bea Crane, Wire
Von Anna Brüssow
Анна Велмар
Sunday, 9 November 2025, 18:02
Stand: 06.11.2025 08:15 Uhr
2012年01月12日 08:51:10
"""
HEADLINES = ("[Ferry sinks] ", "【老桥开放】", "《渡轮沉没》", "【ベルマー共同】", "#渡轮沉没#", "渡轮沉没#")
CREDITS = (
    " (Reporting by A. Holt)| (dpa/hs)| НС| (وكالات)| — Reuters|\nBy Velmar Staff|（完）|(责任编辑：王远)"
)


def body_beside(around: str) -> str:
    return CHINESE if any("\u3040" <= character < "\ua000" for character in around) else ENGLISH


@pytest.mark.parametrize("headline", ["", *HEADLINES])
def test_a_headline_in_brackets_and_a_dateline_stand_before_a_report(headline: str) -> None:
    for dateline in ["", *DATELINES.replace("\n", "").split("|")]:
        front, body = headline + dateline, body_beside(headline + dateline)
        assert find_report(front + body) == (len(headline), len(front), len(front + body))


@pytest.mark.parametrize("dateline", ["", "VELMAR (Reuters) - "])
@pytest.mark.parametrize("line", LINES.splitlines(keepends=True))
def test_a_byline_or_a_time_stands_before_a_report(line: str, dateline: str) -> None:
    front = line + dateline
    assert find_report(front + ENGLISH) == (0, len(front), len(front + ENGLISH))
    assert find_report(f"The ferry sank\n{ENGLISH}").start == 0
    assert find_report(f"The match begins at 19:00 in the small park\n{ENGLISH}").start == 0


@pytest.mark.parametrize("credit", CREDITS.split("|"))
def test_a_credit_stands_after_a_report(credit: str) -> None:
    assert find_report(body_beside(credit) + credit) == (0, 0, len(body_beside(credit)))


WHOLE = """European Central Bank (ECB) raised its rates on Thursday, and the markets fell at once.
Oil rose 3 percent in early trade - its best day since the strike of last summer at the wells.
C# 13 is released today and brings few changes to the language, its makers said.
SV Tarnau - TSV Melk 3:1, FC Velmar - SC Osgard 0:2, TuS Kessel - VfB Marrick 1:1.
Wheat: 214 crowns a tonne. Barley: 180 crowns a tonne. Rye: 166 crowns a tonne.
渡轮公司（下称公司）宣布停航，两名船员失踪，搜救人员继续寻找。
供电局通知：明日停电，电力公司将抢修线路，请居民做好准备。
VELMAR, Aug 4 (Reuters) - Ferry sinks"""


@pytest.mark.parametrize("text", ["", *WHOLE.splitlines()])
def test_a_text_with_nothing_around_it_or_little_in_it_is_a_report_as_a_whole(text: str) -> None:
    assert find_report(text) == (0, 0, len(text))
