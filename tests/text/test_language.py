"""Language by script, by detector, by declaration."""

from __future__ import annotations

import pytest

from dupgroups.text.language import detect

MARATHI = (
    "मुंबईत सोमवारी मुसळधार पावसामुळे लोकल रेल्वे सेवा विस्कळीत झाली. हवामान विभागाने पुढील दोन दिवसांसाठी इशारा "
    "जारी केला आहे. प्रशासनाने नागरिकांना घरात राहण्याचे आवाहन केले आहे आणि मदत पथके पाठवली आहेत."
)
PRICES = "Apple Inc. (AAPL) 214.10; Tesla (TSLA) 219.41; Gold 2,512.60, USD/JPY 144.38; Volume 10.2 bn. " * 5
ENGLISH = "The government said on Tuesday that it would build a new railway along the coast. " * 5
GERMAN = (
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
        (GERMAN, None, "de"),
        (ENGLISH + "（新华社）", None, "en"),
        (GERMAN.upper() * 2, None, "de"),
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
