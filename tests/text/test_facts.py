"""Facts of a text: words, titles, and numbers by their values."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.methods.evidence import without_agreeing
from dupgroups.text.facts import MAX_CHARS, has_similar, join_title, read_facts
from dupgroups.text.number_values import Number
from dupgroups.text.number_words import entries, languages, table_of
from dupgroups.text.word_rarity import is_known


def numbers(text: str) -> list[float | str]:
    """The values, or else the names, of the numbers of a text."""
    return [number.value or number.name or 0.0 for number in read_facts(text).numbers.values()]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("no figures at all", []),
        ("1.250.000 euros, 1'250.5 francs, of 12.50.000", [1_250_000, 1250.5, 12, 50, 0]),
        ("17-1/2 points and 3/4 of it", [17.5, 0.75]),
        ("1,23 of a list, 1.23 of it", [1.23, 1.23]),
        ("Rs 12,34,567 of 1,234.56, Rp1,5 of CHF500, B12 of G20", [1_234_567, 1234.56, 1.5, 500]),
        ("fire tusen på mandag til bystyret", [4000, "d0"]),
        ("seven ferries and twenty barges", [7, 20]),
        ("Tolv døde i brand", [12]),
        ("the 2nd of 3.5kg, 17½ of ½", [2, 3.5, 17.5, 0.5]),
        ("3.2 mln of 4,000,000 million, 1.5bn", [3.2e6, 4e12, 1.5e9]),
        ("two million crowns, a million of the people", [2e6, 1e6]),
        ("one hundred and twenty-five boats, thirty six eels", [125, 36]),
        ("two hundred fifty thousand, in 2020 one of 20 and five million", [250e3, 2020, 1, 20, 5e6]),
        ("between two hundred and three hundred of the men", [200, 300]),
        ("sixty oneway tickets of a city one may see", [60, 1]),
        ("on the bin of the fire, the ten, half a million, one and a half million", [10, 5e5, 1.5e6]),
        ("共有3万人，耗资2.5亿元，12亿5000万", [3e4, 2.5e8, 1.25e9]),
        ("三人两千三百元，百分之五，三分之一，百分之十二点五", [3, 2300, 5, 1 / 3, 12.5]),
        ("半数，百二十人，千五百，百度，数百万人，几十人，百分点", [0.5, 120, 1500]),
        ("二〇二四年十二月五日，一百零五天，第三季度，十五五", [2024, "m11", 5, 105, 3, 15]),
        ("一起一直统一，一个人在三楼，三四人，一个月", [1]),
        ("タルナ3とタルナ 3、午前十時", [3, 3, 10]),
        ("3.5억원 1억2천만원 3만 5천명 열두 명 일곱 차례 3월 두 나라의", [3.5e8, 1.2e8, 3.5e4, 12, 7, "m2"]),
        ("2만1천여 명", [2.1e4]),
        ("at 5 pm or 17:00, 5:20 p.m., 5:20, 5 am, 12 pm, 7 prams", [17, 17, 17, 20, 5, 20, 5, 12, 7]),
        ("下午5时20分，当晚5人", [17, 20, 5]),
        ("um 5 Uhr nachmittags, 5 Uhr", [17, 5]),
        ("در بیست‌وچهار ساعت گذشته این بازیکن", [24]),
        ("Liesmas pārņēma divus tūkstošus metru, cietušo nav", [2000]),
        ("በሐዋሳ ሐይቅ ላይ በደረሰ አደጋ የሦስት ሰዎች ሕይወት አለፈ", [3]),
        ("ภาพ: กรมทรัพยากรทางทะเล ในเดือนพฤศจิกายน", ["m10"]),
        ("quatre-vingt-dix-neuf et soixante et onze de 3,5 millions", [99, 71, 3.5e6]),
        ("les deux cent quatre, vingt et un, une personne, sept", [204, 21, 7]),
        ("le 12 sept et les 1 234 567 de 12 500,5 euros", [12, "m8", 1_234_567, 12500.5]),
        ("dreiundzwanzig und eine Million, zweihundert, anderthalb Mrd. Euro", [23, 1e6, 200, 1.5e9]),
        ("veintidós y treinta y cinco de los 3 mil, 5 por ciento", [22, 35, 3e3, 5]),
        ("cento e vinte e cinco na segunda-feira, dois mil", [125, "d0", 2e3]),
        ("gli otto di ventuno, duemila, 2 mld", [8, 21, 2000, 2e9]),
        ("сто двадцать пять в пятницу, пятнадцати, 1,2 млрд", [125, "d4", 15, 1.2e9]),
        ("po siedmiu dniach w kwietniu, dwadzieścia pięć, 2 tys.", [7, "m3", 25, 2e3]),
        ("خمسة وعشرون في ثلاثة ملايين من و763 يوم الاثنين", [25, 3e6, 763, "d0"]),
        ("في ٣٫٥ و4ر12 مليون (951ر625ر34) من 3 ملايين و450 ألف", [3.5, 12.4e6, 34_625_951, 3.45e6]),
        ("بلغت (162) مليون ريال منها 157،7", [162e6, 157.7]),
        ("yüz yirmi beş, saat sekizde, onbir ve bir adam cuma", [125, 8, 11, "d4"]),
        ("20 de milioane de euro și douăzeci și cinci de oameni", [20e6, 25]),
        ("hai mươi lăm của thứ Hai, tháng ba, tháng 3, 5 triệu", [25, "d0", "m2", "m2", 5e6]),
        ("5-8%, 3:1, 6/6, 1.5-2.5", [5, 8, 3, 1, 6, 6, 1.5, 2.5]),
        ("on 2026-03-05 or 05.03.2026", [2026, "m2", 5, 5, "m2", 2026]),
        ("on 4 March", [4, "m2"]),
        ("on sept 4 they march on", ["m8", 4]),
        ("due on Monday in January", ["d0", "m0"]),
    ],
)
def test_numbers_are_read_by_value(text: str, values: list[float | str]) -> None:
    assert numbers(text) == values


@pytest.mark.parametrize(
    "text", ["của những hai mươi lăm", "les 1 234 567", "les 3,5 millions", "the 17-1/2", "的12亿5000万"]
)
def test_a_number_of_several_words_is_one_word(text: str) -> None:
    facts = read_facts(f"{text}. 7")
    assert [*facts.numbers] == [len(facts.words) - 2, len(facts.words) - 1]
    assert len(facts.starts) == len(facts.ends) == len(facts.words)
    places = zip(facts.starts.tolist(), facts.ends.tolist(), strict=True)
    assert [facts.source[start:end] for start, end in places] == facts.words


@pytest.mark.parametrize("language", languages())
def test_the_numbers_of_a_language_are_read_in_it(language: str) -> None:
    numbers = {word for word, reading in entries(language) if reading.number}
    assert numbers <= table_of(language).readings.keys()


@pytest.mark.parametrize(
    ("one", "two", "agree"),
    [
        ("7", "seven", True),
        ("12.1 mln", "12,141,000", True),
        ("12.1 mln", "12,241,000", False),
        ("12.1", "12.2", False),
        ("17.21亿", "17.22亿", True),
        ("17.21亿", "17.23亿", False),
        ("3.4m", "3.4 million", True),
        ("12k", "12 000", True),
        ("12k", "12m", False),
        ("100m", "100", True),  # metres
        ("3.14", "3.1", True),
        ("3.16", "3.1", False),
        ("1,500", "1.5 thousand", True),
        ("5", "4.8", False),  # rounded to more than a tenth of its value
        ("4.000", "4000", True),  # in German
        ("4,000", "4.0", True),
        ("4,273 millions", "4.27 millions", True),
        ("4.215", "4,215", True),
        ("4.215", "4216", False),
        ("0.215", "215", False),
        ("1234.567", "1234567", False),
        ("4.000", "0.004", False),
        ("4.0", "4000", False),
        ("January", "Januar", True),
        ("January", "June", False),
        ("0", "January", False),
        ("30000", "3万", True),
    ],
)
def test_numbers_agree_if_one_may_be_the_other_rounded(one: str, two: str, agree: bool) -> None:
    (first,), (second,) = (read_facts(text).numbers.values() for text in (one, two))
    assert (first.agrees(second), second.agrees(first)) == (agree, agree)
    left = without_agreeing(Counter([first]), Counter([second]))
    assert left == (Counter(), Counter()) if agree else left == (Counter([first]), Counter([second]))


values = st.sampled_from(
    [Number(12.1, 0.1), Number(12.14, 0.01), Number(12, 1), Number(7, 1), Number(0, 0, "m1")]
)
counts = st.dictionaries(values, st.integers(1, 2), max_size=4)


@given(counts, counts)
def test_each_number_agrees_with_one_of_the_other_text_at_most(
    a: dict[Number, int], b: dict[Number, int]
) -> None:
    """As many as would agree if only equal ones did, or more; never more than either text has."""
    equal = sum(min(count, b.get(number, 0)) for number, count in a.items())
    pairs = sum(a[one] * b[two] for one, two in product(a, b) if one.agrees(two))
    only_a, only_b = without_agreeing(Counter(a), Counter(b))
    found = sum(a.values()) - only_a.total()
    assert found == sum(b.values()) - only_b.total()
    assert equal <= found <= min(sum(a.values()), sum(b.values()), pairs)


@pytest.mark.parametrize(
    ("title", "words"),
    [("", 0), ("Ferry sinks", 2), ("Ferry\nsinks off Vell", 4), ("渡轮沉没", 4), ("Ferry\fsinks", 2)],
)
@pytest.mark.parametrize("text", ["Two crew are missing.", "Two crew\fare missing.\f"])
def test_the_words_of_the_title_come_first_and_form_feeds_end_none(title: str, words: int, text: str) -> None:
    facts = read_facts(join_title(title, text))
    assert facts.title == words
    assert facts.words[words:] == facts.report.words == ["two", "crew", "are", "missing"]


def test_a_title_without_a_text_is_no_text() -> None:
    assert join_title("Ferry sinks", "") == ""


def test_equal_numbers_are_equal_tokens() -> None:
    one, two = (read_facts(text) for text in ("Seven ferries in May 3", "7 ferries in May 3.0"))
    assert one.tokens == two.tokens
    assert one.report.codes == two.report.codes
    assert one.report.weights == two.report.weights
    assert one.words != two.words


def test_words_are_told_as_the_text_spells_them() -> None:
    report = read_facts(join_title("Orders", "Orders for Brixholt-Sönder AG")).report
    assert (report.spell([2, 3]), report.spell([])) == ("Brixholt-Sönder", "")
    assert {*map(report.words.__getitem__, report.names)} == {"orders", "brixholt", "sönder", "ag"}
    report = read_facts(
        "李明拟在杭州驳回投资锇"
    ).report  # of rare characters, those of names and unknown ones
    assert {*map(report.words.__getitem__, report.names)} == {"李", "杭", "锇"}


def test_a_report_has_its_sentences_numbers_and_the_numbers_of_its_dateline() -> None:
    text = (
        "VELMAR, Aug 4 (Reuters) - Seven are missing. Two were found, 7 others swam. (Reporting by A. Holt)"
    )
    report = read_facts(join_title("Ferry 9 sinks", text)).report
    assert [report.words[place] for place in report.sentences] == ["seven", "two"]
    assert [(number.value, count) for number, count in report.counted.items()] == [(7, 2), (2, 1)]
    assert [number.name or number.value for number in report.dateline] == ["m7", 4]
    assert [*report.title] == ["ferry", "#9.0", "sinks"]
    assert report.words[-1] == "swam"


@pytest.mark.parametrize(
    ("language", "common", "rare"),
    [
        ("ar", "في التي هذا إلى", "تارنوفسكي"),
        ("bn", "এই করে", "তারনা"),
        ("cs", "který jsou", "brixholt"),
        ("de", "der die nicht wurde über", "brixholt schöffe"),
        ("el", "και της από", "ταρνα"),
        ("en", "the die war with", "brixholt stockholm"),
        ("es", "del con según también", "vellmar"),
        ("fa", "است برای که", "تارنا"),
        ("fi", "mutta myös", "vellmar"),
        ("fr", "dans été avec", "vellmar"),
        ("he", "של הוא", "טרנה"),
        ("hi", "है में और", "तारना"),
        ("hu", "hogy nem", "vellmar"),
        ("id", "yang dengan", "vellmar"),
        ("it", "della anche", "vellmar"),
        ("ko", "있다 했다 사람이 대한", "타르나 브룩에게 이재명은"),
        ("pl", "że jest się", "vellmar"),
        ("pt", "não mais", "vellmar"),
        ("ro", "este pentru", "vellmar"),
        ("ru", "и не что ещё", "вельмар"),
        ("sv", "och inte", "vellmar"),
        ("ta", "என்று இந்த", "தர்னா"),
        ("tr", "için olarak değil", "vellmar"),
        ("uk", "що та", "вельмар"),
        ("ur", "کے میں ہے", "تارنا"),
        ("vi", "không được những", "vellmar"),
    ],
)
def test_rare_words_of_languages(language: str, common: str, rare: str) -> None:
    assert max(read_facts(common).report.weights) + 1 < min(read_facts(rare).report.weights)
    assert not any(map(is_known, set(rare.split()) - {"stockholm"}))


def test_letters_of_alphabets_without_blanks_are_common() -> None:
    assert max(read_facts("เรือเฟอร์รี่จม のタリーが").report.weights) < min(read_facts("沈").report.weights)


@pytest.mark.parametrize(
    ("one", "two", "similar"),
    [
        ("brixholt", "brixhalt", True),
        ("company", "companies", True),
        ("corp", "corporation", True),
        ("vellmar", "ostrand", False),
        ("ab", "absolute", False),
        ("мэрия", "мэрии", True),
    ],
)
def test_similar_words(one: str, two: str, similar: bool) -> None:
    assert (has_similar(one, [two]), has_similar(two, [one])) == (similar, similar)


def test_no_more_than_the_first_characters_are_read() -> None:
    facts = read_facts(join_title("Ferry", "Fog " * (MAX_CHARS // 4) + "lay on the quay"))
    assert facts.words == ["ferry", *["fog"] * (MAX_CHARS // 4)]


def test_only_days_of_the_week_are_days() -> None:
    assert [number.name for number in read_facts("수요일 필요일 회의.").numbers.values()] == ["d2"]
    assert [number.name for number in read_facts("金曜日に会議。七曜表。").numbers.values()] == ["d4"]
