"""Which differences keep two texts apart, on texts edited as newsrooms, scanners and series edit them."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupgroups.methods.alignment import Alignment
from dupgroups.methods.fact_comparison import ALIGNED_WORDS, compare_facts
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.methods.verdicts.resemblance import Resemblance
from dupgroups.model import Content, Record, Verdict
from dupgroups.text.facts import join_title, read_facts

SIGNER, JUDGE = MinHash(), Resemblance()
DAY = 1_440  # minutes
Text = tuple[str, str]  # title, text

QUARTER = (
    "Brixholt Corp reported first quarter profit",
    "Brixholt Corp said net profit for the first quarter was 12,141,000 crowns, or 37 cents a share, on "
    "sales "
    "of 215.3 mln crowns. Orders at the Vellmar shipyard were the highest since the strike of last summer.",
)
BANK = (
    "Ostrand Bank raises prime rate",
    "Ostrand Bank of Vellmar said it raises its prime lending rate to 8-1/4 pct from 7-3/4 pct, "
    "effective Monday.",
)
FERRY = (
    "Two missing after ferry hits barge",
    "A ferry with 214 passengers struck a moored barge in thick fog off Vellmar harbour on Monday, and two "
    "members of its crew are missing, the coast guard said. Divers searched the hull of the Marrick Queen "
    "until dusk. The harbour master, Edda Holmqvist, said the barge had carried no lights although the rules "
    "of the port demand three. It belongs to Ashvale Shipping, which declined to comment. Survivors told "
    "reporters that the captain sounded the horn for 5 minutes before the collision at 7.20 in the morning. "
    "The ministry of transport opened an inquiry, its second this year into ferries of the Greywater line, "
    "and ordered all 9 ships of the company to be inspected before they may sail again. Trade unions had "
    "warned in January that the company saved 1.5 million crowns a year on watchmen and radar.",
)
FLASH = (
    "央行下调利率",
    "远山证券公告称，公司今年第一季度净利润为3.2亿元，同比增长12%，拟每十股派发现金红利五元。",
)


def record(id_: str, content: Content, host: str, day: int | None) -> Record:
    published = None if day is None else day * DAY
    return Record(id_, id_, host, SIGNER(content), length=len(content.text), published=published)


def judged(
    one: Text, two: Text, *, host: str = "", days: tuple[int | None, int | None] = (None, None)
) -> Verdict:
    """The verdict by the texts, once it is seen to be symmetric."""
    records = [
        record(name, Content(text[1], title=text[0]), host, day)
        for name, text, day in zip("ab", (one, two), days, strict=True)
    ]
    facts = [read_facts(join_title(*text)) for text in (one, two)]
    verdict, back = JUDGE.by_texts(*records, *facts), JUDGE.by_texts(*records[::-1], *facts[::-1])
    turned = {"contains": "contained", "contained": "contains"}
    assert back.relation == turned.get(verdict.relation, verdict.relation)
    assert back.score == verdict.score
    return verdict


def edited(text: Text, **changes: str) -> Text:
    """A text in which words, with "_" for a blank, are replaced everywhere."""
    title, body = text
    for old, new in changes.items():
        old = old.replace("_", " ")
        assert old in title + body
        title, body = title.replace(old, new), body.replace(old, new)
    return title, body


POSTING = "{} raises crude postings by 50 cents effective today, light sweet crude to 17.50 crowns a barrel"
STRIKE = (
    "Dockers at Vellmar vote to strike over pay",
    "Dockers at the port of Vellmar voted to strike from midnight over pay, said their union, which asks for "
    "a rise of 6 per cent.",
)
STRIKE_IN_OTHER_WORDS = (
    "Vellmar dockers plan strike",
    "The dockers' union announced a strike at Vellmar beginning at midnight, after its members voted for "
    "one. It demands that pay rise by 6 per cent.",
)
GRANT = "Marrick Steel getting 41.6 mln crowns from government to cut emissions 50 pct"
OTHER_GRANT = GRANT.replace("41.6", "83.2")
RESULTS = (
    "Brixholt Corp 4th quarter net",
    "Shr 42 cents vs 76 cents. Net 2,322,000 vs 3,350,000. Revenues 72.3 mln vs 59.8 mln. Year shr 1.48 vs "
    "2.59. Net 7,637,000 vs 11.1 mln. Note: {}.",
)
NOTE = "net includes extraordinary gain on sale of an investment"
OTHER_NOTE = "prior earnings restated to reflect accounting for depreciation of vessels"

COPIES = {
    "a flash of two agencies": (
        ("", f"(Reuters) - {POSTING.format('Sun')}"),
        ("", f"VELLMAR, March 4 (dpa) — {POSTING.format('Sun')}"),
    ),
    "a short text in other words": (STRIKE, STRIKE_IN_OTHER_WORDS),
    "one number of a flash, corrected": ((GRANT, GRANT), (f"CORRECTED - {OTHER_GRANT}",) * 2),
    "figures with another note": (
        (RESULTS[0], RESULTS[1].format(NOTE)),
        (RESULTS[0], RESULTS[1].format(OTHER_NOTE)),
    ),
    "sent again": (FERRY, FERRY),
    "short, sent again": (QUARTER, QUARTER),
    "one of many numbers corrected": (FERRY, edited(FERRY, **{"214": "219"})),
    "cut": (FERRY, (FERRY[0], FERRY[1][: FERRY[1].index(" Trade unions")])),
    "figures rounded": (QUARTER, edited(QUARTER, **{"12,141,000": "12.1 mln"})),
    "a note added": (
        FERRY,
        (FERRY[0], FERRY[1] + " This report was updated with the statement of the ministry."),
    ),
    "numbers written out": (
        FERRY,
        edited(FERRY, **{"all_9_ships": "all nine ships", "5_minutes": "five minutes"}),
    ),
    "in capitals": (FERRY, (FERRY[0].upper(), FERRY[1].upper())),
    "another headline over a long text": (FERRY, ("Divers search hull of ferry", FERRY[1])),
    "Chinese, sent again": (FLASH, FLASH),
    "Chinese, punctuation": (FLASH, edited(FLASH, **{"，": ", "})),
}
ALLOTMENT = (
    "Keep the gate of the allotment shut this week, gardeners of {}. {} Water early, before the sun is high, "
    "and leave the cans where your neighbours can find them. The compost wants turning, and the nets over "
    "the berries should be looked at every evening. Those who share a shed sweep it together on the last day."
)
BEETLES = "Beetles were found in the potatoes this morning, so look at the leaves with care."
FROST = "Frost took some of the early plums last night, so look at the twigs with care."
WALL = (
    "{} {} Este texto es solo para quienes tienen una cuenta. Hazte socio para seguir leyendo y recibe cada "
    "mañana en tu buzón las noticias de tu comarca, los avisos de tu calle y la agenda de la semana, sin "
    "anuncios. El primer mes no cuesta nada y puedes dejarlo cuando quieras. Si ya tienes cuenta, escribe tu "
    "nombre y tu clave. Los socios también reciben el periódico impreso de los domingos en su casa, y si no "
    "llega, nuestra oficina del mercado lo envía otra vez el lunes por la tarde."
)
ELMS = ("Talarán los olmos enfermos", WALL.format("El concejo talará los olmos de la ribera.", "{}"))
HABERDASHER = ("Cierra la mercería", WALL.format("La mercería de Ruth baja la persiana.", "{}"))
COPIES["one part of a wall under other headlines"] = (
    (ELMS[0], ELMS[1].format("Muchos vecinos piden otro informe.")),
    ("Adiós a los olmos", ELMS[1].format("")),
)
COPIES["under the headings of two columns"] = (
    ("Boletín provincial", ELMS[1].format("")),
    ("Apuntes del martes", ELMS[1].format("")),
)
WALKOUT = (
    "{} Air traffic controllers at Varnholt, Ostermoor and Lindesby walked out on Tuesday, and airlines"
    " were told to cancel four flights of ten. The union Navigare wants more pay for night shifts, as "
    "Brunholm and Talmeera have agreed. Transport minister Ingrid Sollvik called the demand "
    "unaffordable, while Peder Aakjaer of Navigare said that talks would go on at Kessel Castle. It is "
    "the third such walkout since the winter, and both sides have asked the former judge Solveig Brandt"
    " to go between them. She is to speak to them one after the other on Thursday morning. {} "
    "Passengers can rebook until Sunday."
)
COPIES["each editor with a sentence and a headline of his own"] = (
    ("Skyhopper scraps 170 flights", WALKOUT.format("Skyhopper scrapped 170 flights.", "")),
    ("Harbourport cuts its schedule", WALKOUT.format("", "Harbourport cuts its schedule most.")),
)
BRIDGE = (
    "青石县宣传部门星期一通报，当天上午县城西面的一座石桥突然垮塌，桥上一辆运菜的三轮车落入河中。{}这座桥建于清代，去年"
    "曾经加固。附近居民说，连日大雨使河水上涨，桥墩被冲空。县里已经封闭道路，并在下游架设浮桥供学生通行。"
)
COPIES["Chinese, two headlines with what only one text has"] = (
    ("青石县石桥突然垮塌 骑手擦破膝盖", BRIDGE.format("骑手擦破膝盖，自己游上岸。")),
    ("青石县石桥突然垮塌 省里派来潜水队", BRIDGE.format("省里派来潜水队打捞。")),
)
LIFE = (
    "{}さん（{}）が病気のため、市内の病院で亡くなった。葬儀は近親者で営んだ。{}で知られ、多くの人に親しまれた。後日、お別れの会"
    "を開く予定という。関係者によると、昨年から体調を崩し、療養を続けていた。"
)
WALL_DE = (
    "{} {} Diesen Artikel lesen Sie mit einem Konto bei der Kesseler Zeitung. Melden Sie sich an, und Sie "
    "bekommen jeden Morgen die Nachrichten aus Stadt und Kreis, die Kolumnen der Redaktion, das Rätsel "
    "und die Termine der Vereine. Der erste Monat kostet nichts, und die Kündigung ist jederzeit möglich. "
    "Abonnenten der gedruckten Ausgabe haben den Zugang schon: Kundennummer und Postleitzahl genügen. "
    "Fragen beantwortet unser Leserservice am Marktplatz von Montag bis Freitag."
)
OTHERS = {
    "two stories of which a wall leaves two sentences, in German": (
        (
            "Ulmen am Ufer müssen weg",
            WALL_DE.format("Der Rat lässt die Ulmen am Ufer fällen.", "Ein Pilz befiel die Ulmen."),
        ),
        (
            "Kurzwarenladen schließt",
            WALL_DE.format(
                "Der Kurzwarenladen der Familie Reuß schließt.", "Niemand will den Kurzwarenladen."
            ),
        ),
    ),
    "two lives in one form, in Japanese": (
        ("森川みどりさん死去", LIFE.format("森川みどり", "染色家", "藍の着物")),
        ("ペール・オルセンさん死去", LIFE.format("ペール・オルセン", "文学者", "源氏の翻訳")),
    ),
    "two stories of which a wall leaves one sentence": (
        (ELMS[0], ELMS[1].format("Muchos vecinos piden otro informe.")),
        (HABERDASHER[0], HABERDASHER[1].format("Su dueña no encontró relevo.")),
    ),
    "a form with other names and one other passage, hardly no longer short": (
        ("", ALLOTMENT.format("Ashvale", BEETLES)),
        ("", ALLOTMENT.format("Talmeer", FROST)),
    ),
    "another amount": (
        QUARTER,
        edited(QUARTER, **{"12,141,000": "9,387,000", "37_cents": "29 cents", "215.3": "182.5"}),
    ),
    "another company": (QUARTER, edited(QUARTER, Brixholt="Talmeer", Vellmar="Osgard")),
    "another bank with the same rate": (BANK, edited(BANK, Ostrand="Talmeer", Vellmar="Osgard")),
    "another day": (BANK, edited(BANK, Monday="Thursday", **{"8-1/4": "8-1/2", "7-3/4": "8"})),
    "a flash that begins with another name and a dash": (
        ("", POSTING.format("Sun -")),
        ("", POSTING.format("Talmeer -")),
    ),
    "a flash that begins with another name": (
        ("", POSTING.format("Sun")),
        ("", POSTING.format("Talmeer")),
    ),
    "one number of a flash, not corrected": ((GRANT, GRANT), (OTHER_GRANT, OTHER_GRANT)),
    "a correction of the flash of another company": (
        ("", POSTING.format("Sun")),
        ("", "CORRECTED - " + POSTING.format("Talmeer").replace("50", "75")),
    ),
}


@pytest.mark.parametrize("pair", COPIES.values(), ids=COPIES)
def test_edited_texts_are_copies(pair: tuple[Text, Text]) -> None:
    verdict = judged(*pair)
    assert verdict.relation in ("duplicate", "contains"), verdict.reason


@pytest.mark.parametrize("pair", OTHERS.values(), ids=OTHERS)
def test_texts_of_other_facts_are_no_copies(pair: tuple[Text, Text]) -> None:
    verdict = judged(*pair)
    assert verdict.relation in ("near", "different"), verdict.reason
    assert verdict.score < 0.25


RAISES = (
    "Brixholt Oil said it {} its price for heating oil by 1.5 crowns a barrel, to 17.5 crowns, "
    "effective tomorrow."
)


OTHER_TITLE = ("Talmeer Trust expects losses on loans to shipyards", BANK[1])


SUBJECTS = "names of the subject that only one has"


@pytest.mark.parametrize(
    ("pair", "names"),
    [
        ((BANK, BANK), []),
        ((BANK, OTHER_TITLE), ["words common to their titles, by rarity"]),
        (OTHERS["another company"], ["rare words that only one has", SUBJECTS]),
        (
            (FERRY, edited(FERRY, **{"214": "318", "7.20": "9.40"})),
            ["numbers in the same context that differ"],
        ),
        (
            (ELMS, HABERDASHER),
            ["titles that name another subject"],
        ),
    ],
    ids=["no", "title", "short", "long", "wall"],
)
def test_the_facts_that_keep_texts_apart_are_among_what_is_measured(
    pair: tuple[Text, Text], names: list[str]
) -> None:
    a, b = (record(name, Content(text[1]), "", None) for name, text in zip("ab", pair, strict=True))
    signals = JUDGE.signals_of_texts(a, b, *(read_facts(join_title(*text)) for text in pair))
    assert [signal.name for signal in signals if not signal.passed] == names


OBITUARIES = {
    "en": (
        "{} died at home on Sunday, with the family around her. {} loved her garden and long walks, and was "
        "a friend to many. The service is on Friday at 2 p.m. in the church of St Mary. The family thanks "
        "all who wrote, and asks for no flowers.",
        ("Mary Olsen", "Ruth Keller"),
    ),
    "ru": (
        "{} скончалась в воскресенье дома, рядом были родные. {} любила свой сад и долгие прогулки и была "
        "другом для многих. Прощание состоится в пятницу в 14 часов в церкви Святой Марии. Семья благодарит "
        "всех, кто написал.",
        ("Ольга Смирнова", "Вера Лисина"),
    ),
    "zh": (
        "{}于周日在家中安详离世，家人陪伴在旁。{}生前热爱园艺和散步，是许多人的好朋友。追悼会将于周五下午两点在圣玛丽教堂"
        "举行。家属感谢各界的慰问与支持，谢绝花圈。",
        ("王小明", "李建国"),
    ),
    "ar": (
        "توفيت {} يوم الأحد في منزلها بسلام ومعها عائلتها. كانت {} تحب حديقتها والمشي الطويل وكانت صديقة "
        "للكثيرين. تقام مراسم الجنازة يوم الجمعة الساعة الثانية في الكنيسة. تشكر الأسرة كل من كتب.",
        ("فاطمة حسن", "ليلى كريم"),
    ),
}


@pytest.mark.parametrize("language", OBITUARIES)
def test_a_form_with_another_name_that_comes_again_is_no_copy(language: str) -> None:
    form, (one, two) = OBITUARIES[language]
    texts = [("", form.format(name, name)) for name in (one, two)]
    assert judged(*texts).relation == "near"
    assert (two[0] if language == "zh" else two.split()[-1]) in judged(*texts).reason
    once = [("", f"{form[-6:]} {form.format(name, '')}") for name in (one, two)]  # they begin alike
    compared = compare_facts(*(read_facts(text) for _, text in once))
    assert not compared.subjects


def test_a_unit_that_comes_again_is_no_name() -> None:
    krona, gulden = (f"{BANK[1]} It lent 4 {unit} of 9 {unit}." for unit in ("krona", "gulden"))
    assert not compare_facts(read_facts(krona), read_facts(gulden)).subjects
    names = (text.replace("krona", "Krona").replace("gulden", "Gulden") for text in (krona, gulden))
    assert compare_facts(*map(read_facts, names)).subjects


@pytest.mark.parametrize(
    ("form", "one", "two", "reason"),
    [
        (RAISES, "raises", "lowers", "raises against lowers"),
        ("奥斯特兰德铜业公司周一将电解铜出厂价上{}每吨二百元，即日起执行。", "涨", "跌", "涨 against 跌"),
    ],
)
def test_a_price_that_rises_is_not_one_that_falls(form: str, one: str, two: str, reason: str) -> None:
    assert judged(("", form.format(one)), ("", form.format(one))).relation == "duplicate"
    verdict = judged(("", form.format(one)), ("", form.format(two)))
    assert verdict.relation == "near"
    assert reason in verdict.reason


REPORT = (
    "The reservoir at {} stood at {} per cent of its capacity in the morning, a bulletin said. The level at "
    "the dam was {} metres, and {} cubic metres a second were flowing in from the river. The smaller "
    "reservoir was {} per cent full, after {} millimetres of rain at the upper gauge. Consumption in the "
    "city was {} thousand cubic metres, and the raw water had a temperature of {} degrees. The bulletin is "
    "published every day, and its figures may be corrected when the monthly report appears."
)


def issue(first: int) -> Text:
    return "Water bulletin", REPORT.format("Greywater", *range(first, first + 21, 3))


@pytest.mark.parametrize("host", ["", "water.example"])
def test_two_issues_of_a_series_are_no_copies_and_the_reason_names_the_facts(host: str) -> None:
    verdict = judged(issue(11), issue(52), host=host)
    assert verdict.relation == "near"
    assert "11 against 52" in verdict.reason


def test_contradictions_are_spelled_as_in_the_texts() -> None:
    other = edited(
        FERRY, Vellmar="Osgard", Edda_Holmqvist="Jonna Farbrekk", Ashvale="Tolverne", Marrick_Queen="Tinde"
    )
    assert "Vellmar against Osgard" in judged(FERRY, other).reason


def misread(text: Text, every: int) -> Text:
    """A text in which a letter of every such word is read as another one; no digit is."""
    words = text[1].split(" ")
    for place in range(0, len(words), every):
        word = words[place]
        if len(word) > 3 and word.isalpha():
            words[place] = f"{word[:2]}c{word[3:]}"
    return text[0], " ".join(words)


def test_a_misread_text_joins_its_copy_but_a_misread_issue_of_a_series_does_not() -> None:
    assert judged(FERRY, misread(FERRY, 6)).relation == "duplicate"
    assert judged(issue(11), misread(issue(11), 6)).relation == "duplicate"
    assert judged(issue(11), misread(issue(52), 6)).relation not in ("duplicate", "contains", "contained")


FIGURES = (
    " In {} the line carried {} people on {} days, paid {} crowns in duties for {} ships, bought {} tonnes "
    "of oil and sold {} tickets at {} crowns."
)


@pytest.mark.parametrize(("more", "relation"), [(0, "duplicate"), (700, "near")])
def test_what_is_put_in_other_sentences_is_a_copy_if_its_numbers_agree(more: int, relation: str) -> None:
    texts = []
    for order, added in ((1, 0), (2, more)):
        figures = [number + added for number in (1987, 18211, 311, 4102, 14, 977, 20881, 35)]
        tripled = [3 * number for number in figures]
        words = (FERRY[1] + FIGURES.format(*figures) + FIGURES.format(*tripled)).split()
        parts = [" ".join(words[at : at + 4]) for at in range(0, len(words), 4)]
        Random(order).shuffle(parts)
        texts.append(("", " ".join(parts)))
    assert judged(*texts).relation == relation


BULLETIN = (
    "格雷沃特水库上午的蓄水量为总库容的{}%,坝前水位{}米,上游来水每秒{}立方米。小水库蓄水{}%,昨夜上游雨量站测得降雨{}毫米。"
    "全市日用水量{}万立方米,原水水温{}度。公报每天早晨由水务局发布,月底汇总时可能修正其中的数字。居民如发现水管破裂,"
    "请拨打值班电话,抢修队会在一小时内赶到现场处理。"
)


def bulletin(first: int) -> str:
    return BULLETIN.format(*range(first, first + 21, 3))


def misread_characters(text: str, every: int) -> str:
    """A text in which one of so many characters is another one, the next one is lost, the third doubled."""
    han = [character for character in text if character >= "\u4e00"]
    kinds = [lambda at: han[at * 7 % len(han)], lambda at: "", lambda at: text[at] * 2]
    return "".join(
        kinds[at // every % 3](at) if at % every == 5 and character >= "\u4e00" else character
        for at, character in enumerate(text)
    )


@pytest.mark.parametrize("every", [12, 25])
def test_what_was_misread_in_chinese_changes_nothing_but_the_numbers_count(every: int) -> None:
    one, same, next_issue = bulletin(11), *(misread_characters(bulletin(day), every) for day in (11, 52))
    assert judged(("", one), ("", same)).relation == "duplicate"
    assert judged(("", one), ("", next_issue)).relation not in ("duplicate", "contains", "contained")


@pytest.mark.parametrize(
    ("misread", "is_same"),
    [
        ("1143", True),
        ("1I43", True),
        ("114B", True),
        ("1148", True),  # the digits that scanners confuse most
        ("7143", True),
        ("143", True),
        ("11443", True),
        ("1146", False),
        ("2154", False),
    ],
)
def test_a_digit_misread_in_a_damaged_text_is_no_other_number(misread: str, is_same: bool) -> None:
    text = bulletin(11) + "今年以来全市共有{}户居民更换了水表,工程将在年底前完成。"
    one, two = read_facts(text.format(1143)), read_facts(misread_characters(text, 20).format(misread))
    (changed, _), _ = Alignment.of(one, two).changed_numbers()
    assert (changed == 0) == is_same
    agreeing, count = compare_facts(one, two).numbers
    assert (agreeing == count) == is_same
    (changed, _), _ = Alignment.of(one, read_facts(text.format(misread))).changed_numbers()
    assert changed == (misread != "1143")  # in a text that is not damaged


def test_characters_that_were_misread_are_no_words_of_one_text_alone() -> None:
    one, two = read_facts(bulletin(11)), read_facts(misread_characters(bulletin(11), 12))
    assert compare_facts(one, two).other_words < 1e-9


@pytest.mark.parametrize(("every", "is_copy"), [(0, True), (30, False)])
def test_other_numbers_count_more_where_those_that_were_misread_are_mended(every: int, is_copy: bool) -> None:
    """Two of 21 numbers: an editor may correct so many, but in a damaged text they are no misread ones."""
    one = "".join(bulletin(first) for first in (11, 112, 213))
    two = one.replace("水位14米", "水位96米").replace("水位115米", "水位962米")
    two = misread_characters(two, every) if every else two
    assert (judged(("", one), ("", two)).relation == "duplicate") == is_copy


def test_a_report_of_many_numbers_of_which_a_quarter_is_not_there_is_no_copy() -> None:
    """None of them stands in place of another one: the lines come in another order."""
    lines = [f"第{place}组的成绩是" for place in "甲乙丙丁戊己庚辛壬癸子丑"]
    one, two = (
        bulletin(11) * 3 + "。".join(f"{line}{number + place}" for place, line in enumerate(order)) + "。"
        for order, number in ((lines, 400), (lines[::-1], 700))
    )
    verdict = judged(("", one), ("", two))
    assert verdict.relation == "near"
    assert "many of their numbers differ" in verdict.reason


def test_a_text_of_which_most_words_are_misread_is_aligned_with_its_copy() -> None:
    words = re.findall("[a-z]{4,}", FERRY[1].lower())
    one, two = (
        read_facts(
            " ".join(re.sub("^(..).", r"\1q", w) if at % 5 in hit else w for at, w in enumerate(words))
        )
        for hit in ((0, 1), (2, 3))
    )
    common = sum(map(one.weights.__getitem__, one.weights.keys() & two.weights.keys()))
    assert common / (one.weight + two.weight - common) < ALIGNED_WORDS
    assert not {*one.shingles.tolist()} & {*two.shingles.tolist()}
    assert compare_facts(one, two).damage > 0.3


@pytest.mark.parametrize(("days", "is_copy"), [((5, 10), True), ((5, None), True), ((5, 11), False)])
def test_short_texts_in_other_words_are_copies_within_days(
    days: tuple[int | None, int | None], is_copy: bool
) -> None:
    verdict = judged(STRIKE, STRIKE_IN_OTHER_WORDS, days=days)
    assert (verdict.relation == "duplicate") == is_copy, verdict.reason
    assert ("these few words were published 6 days apart" in verdict.reason) != is_copy
    assert judged(STRIKE, STRIKE, days=days).relation == "duplicate"


HEADLINE = "Ostrand Bank names Holmqvist chairman"


@pytest.mark.parametrize(
    ("other", "days", "relation"),
    [
        (HEADLINE, (None, None), "duplicate"),
        (HEADLINE.upper(), (5, 8), "duplicate"),
        (HEADLINE, (5, None), "duplicate"),
        (HEADLINE, (5, 9), "near"),
        ("Ostrand Bank names Farbrekk chairman", (5, 5), "near"),
        ("Talmeer Bank names Holmqvist chairman", (5, 5), "near"),
    ],
)
def test_headlines_alone_are_copies_if_equal_and_of_a_few_days(
    other: str, days: tuple[int | None, int | None], relation: str
) -> None:
    verdict = judged(("", HEADLINE), ("", other), days=days)
    assert (verdict.relation == "duplicate") == (relation == "duplicate"), verdict.reason
    assert ("days apart" in verdict.reason) == (days == (5, 9))


word_lists = st.lists(st.sampled_from(FERRY[1].split()), max_size=90).map(" ".join)


@settings(max_examples=25)
@given(word_lists, word_lists)
def test_what_two_texts_agree_on_is_the_same_in_both_orders(one: str, two: str) -> None:
    here, there = (compare_facts(*map(read_facts, pair)) for pair in ((one, two), (two, one)))
    plain = {"numbers_differ": (), "words_differ": (), "others_differ": (), "sizes": (0, 0)}
    assert here.length == there.length
    assert here.is_headline == there.is_headline
    if not here.damage and not there.damage:
        for name in ("words", "resemblance", "containment"):
            assert getattr(here, name) == pytest.approx(getattr(there, name))
        assert replace(here, **plain).numbers[1] == there.numbers[1]  # type: ignore[arg-type]


def test_texts_without_words_agree_on_nothing() -> None:
    empty = read_facts("")
    assert compare_facts(empty, empty).words == 0.0
    assert compare_facts(empty, read_facts(FERRY[1])).resemblance == 0.0
