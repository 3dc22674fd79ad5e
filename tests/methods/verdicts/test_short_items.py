"""Short items of one event, of the next one, and of other companies, days and places, in many languages.

Chinese has no capitals, Hindi neither; Russian and Finnish names are inflected. Of each language: an
item, the same in other words, and items that differ from it in a name, a number, a day or a direction.
"""

from __future__ import annotations

import pytest

from dupgroups.methods.fact_comparison import compare_facts
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.methods.verdicts.resemblance import Resemblance
from dupgroups.model import Content, Record
from dupgroups.text.facts import read_facts

SIGNER, JUDGE = MinHash(), Resemblance()

# the item, the same in other words, and others
ITEMS = {
    "zh, company": (
        "远山集团公告，今年上半年净利润为4.6亿元，同比增长18%。",
        "远山集团公告称，今年上半年净利润4.6亿元，同比增长18%。",
        "临江集团公告，今年上半年净利润为4.6亿元，同比增长18%。",
        "远山集团公告，今年上半年净利润为7.1亿元，同比增长18%。",
        "远山集团公告，今年上半年净利润为4.6亿元，同比下降18%。",
    ),
    "zh, rate": (
        "奥斯加德央行周四宣布加息25个基点，将基准利率升至5.5%。",
        "奥斯加德央行周四宣布加息25个基点，基准利率升至5.5%。",
        "维尔玛尔央行周四宣布加息25个基点，将基准利率升至5.5%。",
        "奥斯加德央行周四宣布降息25个基点，将基准利率降至5.5%。",
        "奥斯加德央行周四宣布加息50个基点，将基准利率升至6%。",
    ),
    "zh, quake": (
        "中国地震台网测定：3月4日10时15分，青石县发生4.2级地震，震源深度10千米。",
        "中国地震台网正式测定：3月4日10时15分青石县发生4.2级地震，震源深度10千米。",
        "中国地震台网测定：3月6日22时41分，青石县发生3.3级地震，震源深度12千米。",
        "中国地震台网测定：3月4日10时15分，白河县发生5.1级地震，震源深度8千米。",
    ),
    "ja, rate": (
        "オストランド銀行は水曜日、貸出金利を8.5%に引き上げたとベルマールで発表した。",
        "オストランド銀行は水曜日、貸出金利を8.5%に引き上げたと発表した。",
        "タルメル銀行は水曜日、貸出金利を8.5%に引き上げたとベルマールで発表した。",
        "オストランド銀行は水曜日、貸出金利を8.5%に引き下げたとベルマールで発表した。",
        "オストランド銀行は金曜日、貸出金利を8.5%に引き上げたとベルマールで発表した。",
    ),
    "ko, rate": (
        "오스트란드 은행은 수요일 벨마르에서 기자 회견을 열고 대출 금리를 8.5%로 올렸다고 발표했다.",
        "오스트란드 은행은 벨마르에서 기자 회견을 열고 수요일 대출 금리를 8.5%로 올렸다고 발표했다.",
        "탈메르 은행은 수요일 벨마르에서 기자 회견을 열고 대출 금리를 8.5%로 올렸다고 발표했다.",
        "오스트란드 은행은 수요일 벨마르에서 기자 회견을 열고 대출 금리를 8.5%로 내렸다고 발표했다.",
        "오스트란드 은행은 금요일 벨마르에서 기자 회견을 열고 대출 금리를 8.5%로 올렸다고 발표했다.",
    ),
    "nl": (
        "De bank Ostrand heeft woensdag de leenrente verhoogd tot 8,5 procent, meldt Velmar.",
        "Bank Ostrand heeft de leenrente woensdag verhoogd tot 8,5 procent, meldt Velmar.",
        "De bank Talmer heeft woensdag de leenrente verhoogd tot 8,5 procent, meldt Velmar.",
        "De bank Ostrand heeft woensdag de leenrente verlaagd tot 8,5 procent, meldt Velmar.",
    ),
    "hi": (
        "वेलमार नगर निगम ने सोमवार को कहा कि नदी पर बना पुराना पुल 12 दिन के लिए बंद रहेगा।",
        "वेलमार नगर निगम ने कहा कि नदी पर बना पुराना पुल सोमवार को 12 दिन के लिए बंद रहेगा।",
        "ओस्गार नगर निगम ने सोमवार को कहा कि नदी पर बना पुराना पुल 12 दिन के लिए बंद रहेगा।",
        "वेलमार नगर निगम ने सोमवार को कहा कि नदी पर बना पुराना पुल 30 दिन के लिए बंद रहेगा।",
        "वेलमार नगर निगम ने सोमवार को कहा कि नदी पर बना पुराना पुल 12 दिन के लिए खुला रहेगा।",
    ),
    "ru": (
        "Банк «Остранд» повысил в среду ставку по кредитам до 8,5 процента, сообщили в Велмаре.",
        "Ставку по кредитам до 8,5 процента повысил в среду банк «Остранд», сообщили в Велмаре.",
        "Банк «Талмер» повысил в среду ставку по кредитам до 8,5 процента, сообщили в Велмаре.",
        "Банк «Остранд» понизил в среду ставку по кредитам до 8,5 процента, сообщили в Велмаре.",
        "Банк «Остранд» повысил в среду ставку по кредитам до 9,25 процента, сообщили в Велмаре.",
        "Банк «Остранд» повысил в пятницу ставку по кредитам до 8,5 процента, сообщили в Велмаре.",
    ),
    "fi": (
        "Ostrandin pankki nosti keskiviikkona lainojen korkoa 8,5 prosenttiin, kertoi Velmarin sanomat.",
        "Ostrandin pankki nosti lainojen korkoa keskiviikkona 8,5 prosenttiin, Velmarin sanomat kertoi.",
        "Talmerin pankki nosti keskiviikkona lainojen korkoa 8,5 prosenttiin, kertoi Velmarin sanomat.",
        "Ostrandin pankki laski keskiviikkona lainojen korkoa 8,5 prosenttiin, kertoi Velmarin sanomat.",
        "Ostrandin pankki nosti keskiviikkona lainojen korkoa 9,25 prosenttiin, kertoi Velmarin sanomat.",
    ),
    "de": (
        "In Vellmar ist am Sonntag ein Güterzug entgleist. Verletzt wurden 3 Menschen, die Strecke ist zu.",
        "Ein Güterzug ist am Sonntag in Vellmar entgleist. 3 Menschen wurden verletzt, die Strecke ist zu.",
        "In Osgard ist am Sonntag ein Güterzug entgleist. Verletzt wurden 3 Menschen, die Strecke ist zu.",
        "In Vellmar ist am Sonntag ein Güterzug entgleist. Verletzt wurden 14 Menschen, die Strecke ist zu.",
    ),
    "fr": (
        "Un train de marchandises a déraillé dimanche à Velmont, faisant 3 blessés, selon la préfecture.",
        "Un train de marchandises a déraillé à Velmont dimanche, faisant 3 blessés, selon la préfecture.",
        "Un train de marchandises a déraillé dimanche à Brissac, faisant 3 blessés, selon la préfecture.",
        "Un train de marchandises a déraillé dimanche à Velmont, faisant 14 blessés, selon la préfecture.",
        "Un train de marchandises a déraillé vendredi à Velmont, faisant 3 blessés, selon la préfecture.",
    ),
    "ar": (
        "خرج قطار بضائع عن مساره يوم الأحد قرب فلمار وأصيب 3 أشخاص بحسب المحافظة.",
        "قرب فلمار خرج قطار بضائع عن مساره يوم الأحد وأصيب 3 أشخاص بحسب المحافظة.",
        "خرج قطار بضائع عن مساره يوم الأحد قرب أوسغارد وأصيب 3 أشخاص بحسب المحافظة.",
        "خرج قطار بضائع عن مساره يوم الأحد قرب فلمار وأصيب 14 شخصا بحسب المحافظة.",
    ),
    "ko": (
        "벨마르 시청은 월요일 오래된 다리를 12일 동안 닫는다고 시민들에게 알렸다.",
        "벨마르 시청은 오래된 다리를 월요일 12일 동안 닫는다고 시민들에게 알렸다.",
        "오스가르 시청은 월요일 오래된 다리를 12일 동안 닫는다고 시민들에게 알렸다.",
        "벨마르 시청은 월요일 오래된 다리를 30일 동안 닫는다고 시민들에게 알렸다.",
    ),
    "ja": (
        "ベルマー市は4日、古い橋を来月から12日間通行止めにすると発表した。",
        "ベルマー市は古い橋を来月から12日間通行止めにすると4日発表した。",
        "オスガル市は4日、古い橋を来月から12日間通行止めにすると発表した。",
        "ベルマー市は4日、古い橋を来月から30日間通行止めにすると発表した。",
    ),
}


def relation(one: str, two: str) -> str:
    """How two texts are related, once their texts are read."""
    a, b = (Record(text, text, "", SIGNER(Content(text)), length=len(text)) for text in (one, two))
    return JUDGE.by_texts(a, b, read_facts(one), read_facts(two)).relation


@pytest.mark.parametrize("kind", ITEMS)
def test_the_same_event_joins_and_no_other_does(kind: str) -> None:
    item, same, *others = ITEMS[kind]
    wrong = [other for other in others if relation(item, other) not in ("near", "different")]
    wrong += [same] if relation(item, same) in ("near", "different") else []
    assert not wrong


def test_names_weigh_more_and_short_words_nothing_where_every_word_seems_rare() -> None:
    item = ITEMS["fr"][0]
    place, verb, short = (
        compare_facts(read_facts(item), read_facts(item.replace(*words))).other_words
        for words in (("Velmont", "Brissac"), ("déraillé", "percuté"), (" à ", " en "))
    )
    assert place > verb > short == 0.0
