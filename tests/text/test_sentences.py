"""Tokens and shingles: what counts as one token, which sentences count, and hashes that never change."""

import unicodedata
from itertools import pairwise
from textwrap import wrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.plain import plain
from dupgroups.text.sentences import characters, token_spans, tokens
from dupgroups.text.shingles import bounded_shingles


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The Quick FOX", "the quick fox"),
        ("don’t “stop”", 'don\'t "stop"'),
        ("ＡＢＣ１２", "abc12"),
        ("臺灣大學", "台湾大学"),
        ("soʻm, пʼять", "so'm, п'ять"),
    ],
)
def test_what_readers_take_as_the_same_gives_the_same_tokens(one: str, two: str) -> None:
    assert tokens(one).hashes.tolist() == tokens(two).hashes.tolist()


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("...", 0), ("two words", 2), ("中文 text", 3), ("สวัสดี", 6), ("한국어 텍스트", 2), ("𠀀𠀁", 2)],
)
def test_words_where_they_are_spaced_characters_elsewhere(text: str, count: int) -> None:
    assert len(tokens(text)) == count


def test_where_sentences_end() -> None:
    dots = tokens("It cost 3.5 on example.com. Then more.")
    assert dots.sentence.tolist() == [0] * 7 + [1, 1], "a point where a word goes on ends none"
    assert tokens("the rain\nfell.").sentence.tolist() == [0, 0, 0], "a wrapped line goes on"
    assert tokens("Menu\nThe rain fell.").sentence.tolist() == [0, 1, 1, 1], "and a new paragraph does not"


def test_full_lines_of_chinese_go_on_and_titles_do_not() -> None:
    lines = ["大雨不止", "昨天下午一场大雨落在了本市南部", "的几个村子里，多数道路被水淹没"]
    texts = ["\n".join([*lines, "。学校停课"]), lines[1], "\n".join(lines)]
    wrapped = tokens(*texts)
    ends = [len(tokens(line)) for line in [*lines, ""]]
    assert np.bincount(wrapped.sentence).tolist()[:3] == [4, ends[1] + ends[2], 4]
    assert [wrapped.sentence[start] for start in wrapped.bounds[:-1]] == [0, 3, 4], (
        "a text ends its last line"
    )


@given(st.text(max_size=60), st.integers(1, 5))
def test_no_text_breaks_them_and_there_are_as_many_as_fit(text: str, size: int) -> None:
    found = tokens(text)
    lengths = np.bincount(found.sentence) if len(found) else np.zeros(0, int)
    assert len(bounded_shingles(found, size)[0]) == np.maximum(lengths - size + 1, 0).sum()


def test_hashes_are_what_they_always_were() -> None:
    """Stored signatures live on these values: another one here needs another version in every scheme."""
    assert tokens("the 中 fox").hashes.tolist() == [0x5C6F421718CDCEF9, 0x4E2D, 0x4202EFBEE335DC39]
    shingles = bounded_shingles(tokens("the quick brown fox"), 3)[0]
    assert shingles.tolist() == [0xF2AA80E7B6E690B0, 0x89081637515EF73A]


STORY = (
    "Die Fähre nach Übersee stieß im Nebel größtenteils ungebremst gegen die Mole. "
    "İzmir’de ışıklar söndü ve sığınaklar açıldı. Café и ёлка, Ξύλο ταΐστηκε. Thuyền trưởng bị thương nhẹ. "
    "가을 안개가 걷히자 구조선이 떠났다. ガスの臭いがした。 நொறுங்கிய கப்பல், জাহাজটি ডুবে গেছে। जहाज़ डूबा।"
)
FORMS = {
    "decomposed": (unicodedata.normalize("NFD", STORY), STORY),
    "decomposed for compatibility": ("ﬁnal oﬃce Straße", "final office Strasse"),
    "soft hyphens": ("Hafen\u00adbe\u00adhörde", "Hafenbehörde"),
    "zero width spaces": ("har\u200bbour mas\u200bter’s", "harbour master’s"),
    "zero width joiners": ("har\u200dbour’s", "harbour’s"),
    "word joiners and byte order marks": ("\ufeffhar\u2060bour’s", "harbour’s"),
    "directions": ("\u202bsea\u200f \u200ewall\u202c’s \u2067gate\u2069", "sea wall’s gate"),
    "selectors": ("storm \u2602\ufe0f coming’s", "storm \u2602 coming’s"),
    "tatweel": ("الســفـينة", "السفينة"),
    "vowel points": ("غَرِقَتْ السَّفِينَةُ", "غرقت السفينة"),
    "Hebrew points": ("הַסְּפִינָה", "הספינה"),
    "hamza and madda": ("أبحر إلى آسيا", "ابحر الى اسيا"),
    "Arabic and Persian letters": ("كشتی یك", "کشتى يک"),
    "marked and unmarked ends": ("سفينة كبيرة", "سفينه کبیره"),
    "presentation forms": ("ﻻ ﺳﻔﻴﻨﺔ", "لا سفينة"),
    "digits": ("٤٢ ۴۲ ४२ ৪২ ๔๒", "42 42 42 42 42"),
    "Turkish capitals": ("IŞIKLAR İZMİR", "ışıklar izmir"),
    "small letters of İ": ("İzmir".lower() + "’de", "izmir’de"),
    "capitals of ß and ς": ("STRASSE ΔΡΟΜΟΣ", "Straße δρόμος"),
    "letters of mathematics": ("𝐇𝐚𝐫𝐛𝐨𝐮𝐫 𝗺𝗮𝘀𝘁𝗲𝗿 𝟜𝟚", "harbour master 42"),
    "kana of half the width": ("ｶﾞｽﾎﾟﾝﾌﾟ", "ガスポンプ"),
    "Macedonian with one letter of its own": (
        "Нов мост преку Велма најави денес градоначалникот по две години градба и многу спорови за патот.",
        "Nov most preku Velma najavi denes gradonačalnikot po dve godini gradba i mnogu sporovi za patot.",
    ),
    "Serbian in both scripts": (
        "Тонуће трајекта код Велмара: Љубица Ђорђевић тражи још двоје људи.",
        "Tonuće trajekta kod Velmara: Ljubica Đorđević traži još dvoje ljudi.",
    ),
    "Vietnamese without marks": (
        "Phà đâm vào sà lan trong sương mù, hai người đang mất tích.",
        "Pha dam vao sa lan trong suong mu, hai nguoi dang mat tich.",
    ),
    "Cyrillic among Latin letters": ("Thе fеrry strikеs а bаrgе", "The ferry strikes a barge"),
    "Greek among Latin letters": ("The harbοur of Vellmαr", "The harbour of Vellmar"),
    "Latin among Cyrillic letters": ("Пapoм cтoлкнулся с баржей", "Паром столкнулся с баржей"),
    "halves of Thai letters": ("น\u0e49\u0e4d\u0e32", "น้ำ"),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_same_text_in_another_form_gives_the_same_tokens(form: str) -> None:
    one, two = FORMS[form]
    assert one != two
    cut, others = tokens("Fog.", one, "Fog."), tokens("Fog.", two, "Fog.")
    assert cut.hashes.tolist() == others.hashes.tolist()
    assert cut.bounds.tolist() == others.bounds.tolist()
    assert cut.has_digit.tolist() == others.has_digit.tolist()
    assert cut.anchored.tolist() == others.anchored.tolist()


def test_letters_of_other_words_stay_apart() -> None:
    for one, two in (
        ("mit\u200cnichten", "mitnichten"),
        ("が", "か"),
        ("ż", "z"),
        ("й", "и"),
        ("가", "거"),
        ("сор", "cop"),
        ("ёж", "ež"),
        (
            "ưa bay to the north of the old harbour in the fog of March",
            "ua bay to the north of the old harbour in the fog of March",
        ),
    ):
        assert tokens(one).hashes.tolist() != tokens(two).hashes.tolist()


@given(st.text(max_size=60) | st.sampled_from([text for pair in FORMS.values() for text in pair]))
def test_the_places_of_the_tokens_in_the_text_as_it_is(text: str) -> None:
    """Comparisons mark words in the text that was given: there are as many as tokens, in the same order.
    The form of some depends on the text around them.
    """
    starts = token_spans(characters(text)[1])[0].tolist()
    parts = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    cut = [tokens(part).hashes.tolist() for part in parts]
    assert [*map(len, cut)] == [1] * len(tokens(text))
    if "".join(map(plain, parts)) == plain(text[starts[0] :] if starts else ""):
        assert cut == [[token] for token in tokens(text).hashes.tolist()]


@pytest.mark.parametrize(
    "stop", ["։", "։ ", "።", "፡፡ ", "། ", "။", "។ ", "… ", "! ", "। ", "۔ ", "᠃ ", "꓿ ", "꯫ ", "᱾ "]
)
def test_full_stops_of_all_scripts(stop: str) -> None:
    assert tokens(f"նավը{stop}ծով").anchored.tolist() == [True, False]


def test_a_colon_is_a_full_stop_after_armenian_only() -> None:
    assert tokens("նավը կանգնեց: ծով").anchored.tolist() == [True, True, False]
    assert tokens("նավը կանգնեց 3:40 ծով").anchored.tolist() == [False] * 5
    assert tokens("café news: sea").anchored.tolist() == [False, False, False]


WRAPPED = {
    "he": "ספינה קטנה עגנה אתמול בנמל ליד המגדלור אחרי סערה ורב החובל סירב לעזוב את הסיפון לפני הבוקר.",
    "ar": "رست سفينة صغيرة أمس في الميناء قرب المنارة، بعد عاصفة طويلة ورفض القبطان مغادرة السطح قبل الصباح.",
    "ta": "நீண்ட புயலுக்குப் பிறகு ஒரு சிறிய கப்பல் நேற்று கலங்கரை விளக்கத்தின் அருகே பழைய துறைமுகத்தில் நின்றது.",
    "am": "ትንሽ መርከብ ትናንት ከረጅም ማዕበል በኋላ በአሮጌው ወደብ አጠገብ ቆመ ካፒቴኑ ግን ከጠዋት በፊት ከመርከቡ ለመውረድ አልፈቀደም።",
    "ko": "작은 배 한 척이 어제 긴 폭풍이 지나간 뒤 등대 옆 항구에 닻을 내렸다.",
}


@pytest.mark.parametrize("language", WRAPPED)
@pytest.mark.parametrize("width", [30, 44, 72])
def test_full_lines_of_letters_without_case_go_on(language: str, width: int) -> None:
    text = " ".join([WRAPPED[language]] * 5)
    wrapped = "\n".join(wrap(text, width, break_long_words=False))
    assert tokens(wrapped).sentence.tolist() == tokens(text).sentence.tolist()
    assert tokens(wrapped, "sea\nwall").sentence.tolist()[:-2] == tokens(text).sentence.tolist()


def test_items_of_a_list_do_not_go_on() -> None:
    lines = ["חדשות", "מזג האוויר בצפון", "ספורט", "צרו קשר עם המערכת", "תרבות ובידור", "אודות"]
    assert np.unique(tokens("\n".join(lines)).sentence).tolist() == [*range(6)]
