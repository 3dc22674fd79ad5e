"""What is measured of two texts, in common and in contradiction, and the models that add its points."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.methods.additive_model import AdditiveModel, Curve, read_model
from dupgroups.methods.evidence import MEASURES, Contradiction, list_contradictions, measure
from dupgroups.text.facts import join_title, read_facts
from properties import met, must_meet
from stories import CHINESE_FERRY, FERRY, running_chinese

LINES = (Path(__file__).parents[1] / "text" / "thirty_languages.txt").read_text("utf-8").splitlines()
COMMON = ("words", "kept", "ordered", "ordered kept", "share")
DIFFERENCES = frozenset(MEASURES) - {*COMMON, "size", "figures", "misread", "leads", "passages", "openings"}
MISREAD = re.sub("(?<=[a-z])[rn](?=[a-z]{2})", "v", FERRY)


def measured(one: str, two: str, titles: tuple[str, str] = ("", "")) -> dict[str, float]:
    return measure(*(read_facts(join_title(*text)) for text in zip(titles, (one, two), strict=True))).values


def told(one: str, two: str) -> list[Contradiction]:
    a, b = read_facts(one), read_facts(two)
    return list_contradictions(a, b, measure(a, b))


def differences(one: str, two: str) -> set[str]:
    return {name for name, value in measured(one, two).items() if value and name in DIFFERENCES}


words = st.sampled_from([*"not seven 7 9 3.5 Monday rose fell Ann Brixholt İ . 三 不 涨 跌 -".split(), ""])
edited_places = st.lists(st.tuples(st.integers(3, 40), words, words), min_size=1, max_size=6)
Edits = list[tuple[int, str, str]]


@must_meet(3)
@given(st.sampled_from(LINES), edited_places)
def test_measures_are_finite_and_the_same_in_both_orders(line: str, edits: Edits) -> None:
    text, other = line.split()[1:40], line.split()[1:40]
    for at, word, instead in edits:
        text[at : at + 2] = [word, *text[at + 1 : at + 2]] if word else text[at : at + 2][::-1]
        other[at : at + 1] = [instead]
    one, two = read_facts(" ".join(text)), read_facts(" ".join(other))
    found, back = measure(one, two), measure(two, one)
    assert found.values == back.values
    assert all(0 <= value < math.inf for value in found.values.values())
    there = [(name, b, a) for name, a, b in list_contradictions(two, one, back)]
    assert list_contradictions(one, two, found) == there
    met(there)


@pytest.mark.parametrize("text", [FERRY, CHINESE_FERRY, *LINES[::5], running_chinese("long", 300)])
def test_equal_texts_have_all_in_common_and_none_has_anything_in_common_with_nothing(text: str) -> None:
    assert [measured(text, text)[name] for name in COMMON] == [pytest.approx(1.0)] * len(COMMON)
    assert not differences(text, text)
    assert not any([*measured(text, "").values(), *measured("", "").values()])


@pytest.mark.parametrize(("text", "mark"), [(FERRY, ". "), (CHINESE_FERRY, "。")])
def test_sentences_that_only_one_text_has_and_their_order_contradict_nothing(text: str, mark: str) -> None:
    first, second, third, fourth, last = text.removesuffix(mark).split(mark)
    cuts = [mark.join((first, third, last)), mark.join((first, second, fourth, last)), text]
    moved = mark.join((first, third, second, fourth, last))
    assert not any(differences(one, two) for one in [*cuts, moved] for two in cuts)
    assert measured(text, moved)["words"] == pytest.approx(1.0)
    assert measured(text, moved)["ordered"] < 0.95
    of_own_leads = measured(mark.join((first, third, last)), mark.join((second, third, last)))
    assert min(of_own_leads["leads"], of_own_leads["openings"]) > 0.1


AGREEING = (
    "7|seven;7|٧;30000|3万;twenty-one|21;12,141|12.1 thousand;4.5|4,5;5 to 8|5-8;2|many;one|a;9 July|09.07"
)
OTHERS = "7|nine;7|९;30000|4万;twenty-one|22;12,141|12.3 thousand;4.5|4,7;5 to 8|5-9;two|a;9.6|09.07;5m|5k"


@pytest.mark.parametrize("pair", [*AGREEING.split(";"), *OTHERS.split(";")])
def test_a_number_in_place_of_another_one_counts_unless_it_agrees(pair: str) -> None:
    form = "Police in Velmar said that {} people were hurt when the tram left the rails near the market."
    found = differences(*map(form.format, pair.split("|")))
    assert found - {"numbers"} == (set() if pair in AGREEING else {"figures changed", "contradictions"})
    assert ("numbers" in found) == (pair in OTHERS and "a" not in pair.split("|"))


SLOTS = """negations||not|The court at İzmir said on Monday that she was {} guilty.
contrasts|açılacak|kapanacak|İZMİR belediyesi eski köprünün {} olduğunu bildirdi.
negations||没有|维尔玛市长星期一{}出席仪式，工程耗资四亿元。
contrasts|上涨|下跌|维尔玛的电价五月{}百分之三，市民可查询。
contrasts|won|lost|Tarnau {} at home.
contrasts|否认し|认め|男は容疑を{}ているという。
contrasts|mo|dong|Cây cầu cũ ở Velmar sẽ {} lại vào tháng 5.
names|Ann Holt|Bea Crane|The mayor of Velmar, {}, opened the market at noon.
names|Brüssow|Köpenick|Der alte Markt in {} öffnet heute um elf Uhr.
names|Tarnau beat Velmar|Velmar beat Tarnau|In the final of the cup {} by two goals to one.
names|Тарнава перемогла Велмару|Велмара перемогла Тарнаву|У фіналі кубка вчора {} з рахунком два до одного.
names|Ann Holt after Bea Crane|Bea Crane after Ann Holt|The council heard {} had been thanked.
names|한강이 동해를|동해가 한강을|축구 결승전에서 {} 3-1로 이기고 우승했다.
names|दिल्ली ने विदर्भ|विदर्भ ने दिल्ली|कल के मैच में {} को 40 रन से हराकर सेमीफ़ाइनल में जगह बनाई।
names|泸江队以2比1战胜邯岭|邯岭队以2比1战胜泸江|昨晚在维尔玛体育场，{}队，观众两万人。
contrasts|ฝากขัง|ปล่อยตัวชั่วคราว|ศาลมีคำสั่ง{}อดีตผู้ว่าการในคดีทุจริตเมื่อวานนี้ ทนายความจะยื่นคำร้องอีกครั้ง
days|Monday|Friday|Police said on {} that the tram left the rails.
figures changed|Seven|Nine|Police said that {} passengers of the tram were hurt."""


@pytest.mark.parametrize("line", SLOTS.splitlines())
def test_what_stands_in_place_of_another_is_told_as_spelled(line: str) -> None:
    kind, one, two, form = line.split("|")
    assert (kind, one, two) in told(form.format(one), form.format(two))
    assert {kind, "contradictions"} & differences(form.format(one), form.format(two))


@pytest.mark.parametrize(
    "form",
    [
        "Three late goals gave {0} a 3-1 win over {1} on Saturday. {1} had led at half-time.",
        "Riding alone, {0} won the ninth stage. On the last climb the rider {1} had to stop and wait.",
    ],
)
def test_names_may_change_places_in_several_sentences(form: str) -> None:
    one, two = form.format("Velmar", "Tarnau"), form.format("Tarnau", "Velmar")
    assert {kind for kind, *_ in told(one, two)} == {"names"}


@pytest.mark.parametrize(
    "line", ["Monday|4 March|The tram left the rails on {} and hit a shop.", "周一|4日|维尔玛电车{}出轨。"]
)
def test_a_day_of_the_week_may_be_the_date_of_the_other_text(line: str) -> None:
    day, date, form = line.split("|")
    assert not differences(form.format(day), form.format(date))


def test_a_name_comes_before_its_title_or_after_it() -> None:
    form = "Journalists asked {} about the Kesselholm line that Osgard closed in May."
    one, two = "Harbour Minister of Velmar Edda Holmqvist", "Edda Holmqvist, Harbour Minister of Velmar,"
    assert not differences(form.format(one), form.format(two))


def test_misread_words_are_one_word_but_no_negation_or_opposite_is() -> None:
    assert not differences(FERRY, MISREAD) - {"rewritten"}
    assert measured(FERRY, MISREAD)["misread"] > 0 == measured(FERRY, FERRY)["misread"]
    assert measured(FERRY, MISREAD)["ordered"] > 0.9
    for old, new in (("did not", "did"), ("closed", "opened"), ("Edda Holmqvist", "Ann Crane")):
        assert len(told(FERRY, MISREAD.replace(old, new))) == 1
    turkish = "Belediye başkanı Ayşe Holt dün akşam törene {}."
    assert measured(turkish.format("katıldı"), turkish.format("katılmadı"))["misread"] == 0


def test_the_first_sentence_says_what_a_report_is_about() -> None:
    form = "The council of Velmar {} the bridge plan on {}. It was not heard. The mayor {} the toll on {}."
    one, later = (
        form.format("backed", "Monday", "backed", "Monday"),
        ("backed", "Monday", "opposed", "Friday"),
    )
    for said in (("opposed", "Monday"), ("backed", "Friday"), ("never backed", "Monday")):
        assert measured(one, form.format(*said, "backed", "Monday"))["lead"] == 1
    assert measured(one, form.format(*later))["lead"] == 0 < measured(one, form.format(*later))["days"]
    other = one.replace("Velmar", "Osgard")
    assert (measured(one, other)["lead"], measured(one, other)["name"]) == (0, 1)
    rewritten = other.replace("bridge", "harbour").replace("heard", "seen").replace("toll", "levy")
    assert measured(one, rewritten)["name"] == 0
    assert measured(f"It was late. {one}", f"It was late. {other}")["name"] == 0
    court = "The court of Velmar {} the former head of the bank for hiding losses."
    long = "convicted and sent to prison for six years", "acquitted because the facts are no crime"
    assert measured(*map(court.format, long))["lead"] == 1


def test_a_word_that_headlines_and_first_sentences_exchange_is_what_they_are_about() -> None:
    text, title = "باشگاه استقلال با رضا محمدی قراردادی سه ساله امضا کرد.", "استقلال مدافع تازه گرفت"
    other, title_of_other = (some.replace("استقلال", "پرسپولیس") for some in (text, title))
    assert measured(text, other, (title, title_of_other))["name"] == 1
    assert measured(text, other, (title, title))["name"] == measured(text, other)["name"] == 0
    assert measured(text, other, (title, f"{title_of_other} امروز"))["name"] == 0, (
        "headlines that differ in more"
    )


def test_a_negation_is_found_where_letters_are_words() -> None:
    form = "เกิดเหตุรถบัสชนท้ายรถบรรทุก {} ตำรวจควบคุมตัวคนขับรถบรรทุกไปสอบสวน"
    found = told(form.format("ไม่มีผู้เสียชีวิต"), form.format("มีผู้เสียชีวิต 1 คน"))
    assert [one.measure for one in found] == ["negations"]


def test_damage_explains_few_digits() -> None:
    form = "{} In {} the line carried {} people on {} days, paid {} crowns for {} ships and sold {} tickets."
    known, once = [1987, 18211, 311, 4102, 14, 20881], [1987, 18211, 311, 4702, 14, 20881]
    forms = form.format(FERRY, *once), form.format(MISREAD, *once), form.format(MISREAD, *range(1900, 1906))
    sound, damaged, another = (
        measured(form.format(FERRY, *known), text)["figures changed"] for text in forms
    )
    assert damaged < sound < another


def test_damage_explains_words_divided_otherwise_and_misread_negations_and_datelines() -> None:
    said, dated = FERRY + " The mate was not hurt that night.", "VELMAR, Aug {} (Reuters) - "
    divided = MISREAD.replace(" of ", "of ").replace("the ", "thc")
    read = f"{divided} The mate was nct hurt that night."
    assert not differences(dated.format(4) + said, dated.format(9) + read) - {"rewritten"}
    assert "negations" in differences(said, said.replace("not hurt", "nct hurt")), "little else is misread"
    assert "negations" in differences(said, read.replace("nct ", ""))
    assert "negations" in differences(said, read.replace("nct", "now")), "a word of its own is not misread"
    names = "Brixholt, Vellmar, Ostrandby, Kesselholm sank."
    damaged = measured(f"{FERRY} {names}", f"{MISREAD} {re.sub('[lb]', 'k', names)}")
    assert damaged["passages"] == damaged["leads"] == 0, "a sentence of misread names is in both"
    assert measured(FERRY, FERRY.replace("moored barge", "rnooredbargc"))["rewritten"] == 0
    sound, other = f"{CHINESE_FERRY}船长表示未受伤。", f"{CHINESE_FERRY}船长表示末受伤。"
    assert "negations" in differences(sound, other)
    assert "negations" not in differences(sound, re.sub("昨|驳|方|务|星|查|工", "乂", other))


def test_a_long_number_may_stand_elsewhere_but_two_that_change_places_are_others() -> None:
    form = "Tarn is launching a 100 mln crown{}, guaranteed note{}, lead manager Velmar Bank of Osgard said."
    one, two = form.format(", 4.625 pct", " priced at 100.25 pct"), form.format("", " with a 4.625 pct rate")
    assert "figures changed" not in differences(one, two)
    assert "figures changed" in differences(one, two.replace("4.625", "4.875"))
    few = form.format(", 4 pct", " priced at 10 pct"), form.format("", " with a 4 pct rate")
    assert "figures changed" in differences(*few), "which is elsewhere by chance"
    swapped = "The line carried {} people in May and sold {} tickets at the market of Velmar."
    assert "figures changed" in differences(swapped.format(412, 977), swapped.format(977, 412))


def test_blanks_inside_of_words_change_nothing() -> None:
    for text, other in ((FERRY, FERRY.replace("oor", " oor")), (CHINESE_FERRY, " ".join(CHINESE_FERRY))):
        assert not differences(text, other)
        assert measured(text, other)["ordered"] > 0.98 > measured(text, other)["misread"] == 0


def test_what_stands_around_a_report_is_not_compared_but_for_the_days_of_datelines() -> None:
    monday, friday = f"VELMAR, Aug 4 (Reuters) - {FERRY}", f"Osgard, Aug 8 (AFP) - {FERRY}"
    for text in (monday, friday, f"{FERRY} (Reporting by Ann Crane)", f"[Ferry of Tarn sinks] {FERRY}"):
        assert measured(text, FERRY) == measured(FERRY, FERRY)
    assert differences(monday, friday) == {"datelines", "contradictions"}
    told_again = f"Ferry of Tarn sinks in fog\n{friday}"
    assert measured(told_again, FERRY, ("Ferry of Tarn sinks", "")) == measured(friday, FERRY)


def test_headlines_part_no_texts_but_tables_that_name_nobody() -> None:
    table, titles = "1. 412 88 17 2. 377 91 20 3. 290 64 11 4. 288 70 15", ("Tarnau sailing", "Osgard rowing")
    assert measured(table, table, titles)["headlines"] > 0.5
    for text, same in ((table, (titles[0], "")), (table, (titles[0], titles[0])), (FERRY, titles)):
        assert measured(text, text, same)["headlines"] == 0


MODEL = AdditiveModel(-1.5, {"words": Curve((0, 0.5, 1), (0, 1, 4)), "numbers": Curve((0, 2), (0, -3))})


@pytest.mark.parametrize(
    ("value", "points"), [(-1, 0), (0, 0), (0.25, 0.5), (0.5, 1), (0.75, 2.5), (1, 4), (9, 4)]
)
def test_a_curve_is_linear_between_its_knots_and_constant_beyond_them(value: float, points: float) -> None:
    assert MODEL.curves["words"](value) == points


def test_a_model_is_read_as_it_was_written() -> None:
    assert read_model(["# curves", "", *MODEL.as_text.splitlines(keepends=True)]).as_text == MODEL.as_text
    assert MODEL.as_text.startswith("level\t-1.500\nwords\t0:0.000\t0.5:1.000\t1:4.000\n")
