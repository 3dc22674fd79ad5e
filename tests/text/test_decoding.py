"""Charsets, and languages: declared right, wrong and not at all."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dupgroups.text.decoding import decode
from dupgroups.text.language import detect

CHINESE = "中国国务院星期二宣布，将在未来五年内投资建设新的铁路网络。专家认为，将带动地方经济增长。" * 4
TRADITIONAL = "臺北市政府今天表示，將於下週起實施新的交通管制措施，民眾應多加利用大眾運輸工具。" * 4
RUSSIAN = "Правительство объявило во вторник о новой программе строительства железных дорог в стране." * 4
JAPANESE = "政府は火曜日、来年度から新しい鉄道の建設を始めると発表した。地方の経済に役立つとみている。" * 4
KOREAN = "정부는 화요일 내년부터 새로운 철도를 건설하기로 했다고 발표했다. 경제에 도움이 된다고 본다." * 4
GREEK = "Η κυβέρνηση ανακοίνωσε την Τρίτη ένα νέο πρόγραμμα για τους σιδηροδρόμους της χώρας." * 4
GERMAN = "Die Regierung kündigte am Dienstag größere Änderungen für Österreich und die Schweiz an." * 4


def page(text: str, meta: str | None = None) -> str:
    head = f'<meta http-equiv="Content-Type" content="text/html; charset={meta}">' if meta else ""
    return f"<html><head>{head}</head><body><p>{text}</p></body></html>"


UTF_8 = [(CHINESE, "utf-8"), (RUSSIAN, "utf-8")]
LEGACY = [
    (CHINESE, "gb18030"),
    (TRADITIONAL, "big5"),
    (JAPANESE, "shift_jis"),
    (JAPANESE, "euc_jp"),
    (KOREAN, "euc_kr"),
    (RUSSIAN, "windows-1251"),
    (RUSSIAN, "koi8-r"),
    (GREEK, "windows-1253"),
    (GERMAN, "windows-1252"),
]
LIES = "gb2312 big5 shift_jis euc-jp euc-kr windows-1251 koi8-r windows-1253 iso-8859-1 utf-8 utf-16".split()


@given(written=st.sampled_from([*LEGACY, *UTF_8]), lie=st.sampled_from([None, "no-such-charset", *LIES]))
@example(written=(RUSSIAN, "windows-1251"), lie="iso-8859-1")
@example(written=(GERMAN, "windows-1252"), lie="iso-8859-1")
def test_a_declaration_that_lies_is_not_believed(written: tuple[str, str], lie: str | None) -> None:
    """In the header, in the page, and with a page that tells the truth against its header: 156 cases."""
    text, codec = written
    for html, header in ((page(text), lie), (page(text, lie), None), (page(text, codec), lie)):
        assert decode(html.encode(codec), header) == html


@settings(max_examples=settings.default.max_examples // 2)  # of each charset
@given(cut=st.integers(0, 80))
@pytest.mark.parametrize(("text", "codec"), LEGACY, ids=[codec for _, codec in LEGACY])
def test_a_right_declaration_is_believed_however_little_text_there_is(
    text: str, codec: str, cut: int
) -> None:
    html = page(text[:cut])
    assert decode(html.encode(codec), codec) == html


def test_a_byte_order_mark_decides_and_iso_2022_jp_is_read_although_its_bytes_are_ascii() -> None:
    for codec in ("utf-8-sig", "utf-16"):
        assert decode(CHINESE.encode(codec), "gbk") == CHINESE
    html = page("これは日本語の文章です。政府は火曜日に発表した。", "iso-2022-jp")
    assert decode(html.encode("iso2022_jp")) == html


MARATHI = (
    "मुंबईत सोमवारी मुसळधार पावसामुळे लोकल रेल्वे सेवा विस्कळीत झाली. हवामान विभागाने पुढील दोन दिवसांसाठी इशारा "
    "जारी केला आहे. प्रशासनाने नागरिकांना घरात राहण्याचे आवाहन केले आहे आणि मदत पथके पाठवली आहेत."
)
PRICES = "Apple Inc. (AAPL) 214.10; Tesla (TSLA) 219.41; Gold 2,512.60, USD/JPY 144.38; Volume 10.2 bn. " * 5
ENGLISH = "The government said on Tuesday that it would build a new railway along the coast. " * 5
RAILWAYS = (
    "Die Bundesregierung will den Ausbau der Bahnstrecken beschleunigen. Das teilte ein Sprecher am Dienstag "
    "in Berlin mit. Kritiker halten die Pläne für zu teuer und fordern stattdessen Geld für den Nahverkehr, "
    "der seit Jahren unter Verspätungen leidet. Eine Entscheidung soll nach der Sommerpause fallen."
)


@pytest.mark.parametrize(
    ("text", "declared", "expected"),
    [
        ("国务院星期二宣布投资建设新的铁路网络。", None, "zh"),
        ("國務院星期二宣布投資建設新的鐵路網絡。", "en", "zh"),
        ("国务院星期二宣布，引用日本节目《のど自慢》的报道称，将投资建设新的铁路网络。" * 2, "zh-CN", "zh"),
        (MARATHI * 2, "en", "mr"),  # written as Hindi is
        ("政府は火曜日に新しい鉄道の建設を発表した。", None, "ja"),
        ("정부는 화요일 새로운 철도 건설을 발표했다.", None, "ko"),
        (ENGLISH, None, "en"),
        (ENGLISH, "de-DE", "en"),  # a template that nobody translated
        (RAILWAYS, None, "de"),
        (ENGLISH + "（新华社）", None, "en"),
        (RAILWAYS.upper() * 2, None, "de"),
        (ENGLISH.upper(), "en", "en"),
        ("የመርከቡ ካፒቴን ከጠዋት በፊት ለመውረድ አልፈቀደም። " * 9, None, ""),
        ("የመርከቡ ካፒቴን ከጠዋት በፊት ለመውረድ አልፈቀደም። " * 9, "ti", "ti"),
        ("เรือเล็กจอดที่ท่า " * 2 + "Photo by the harbour master", None, "th"),
        ("სახლი ზღვასთან", None, "ka"),
        ("Storm hits coast", "en-GB", "en"),
        ("12 345", "nonsense", ""),
        (PRICES, "en-US", "en"),  # a guess would be Welsh
        (PRICES, "th", "cy"),
    ],
)
def test_language(text: str, declared: str | None, expected: str) -> None:
    assert detect(text, declared) == expected
