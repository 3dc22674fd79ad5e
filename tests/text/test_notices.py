"""Notices in place of an article, and short news that share their terms."""

from pathlib import Path

import pytest

from dupgroups.text.notices import MAX_NOTICE_CHARS, is_notice

WALL = "Please enable JavaScript and cookies in your browser to continue reading."


# enable JavaScript, accept cookies, subscribe to read on, page not found, by language
NOTICES = Path(__file__).with_name("notices.tsv").read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", NOTICES, ids=[row.partition("\t")[0] for row in NOTICES])
def test_notices_of_many_languages(row: str) -> None:
    missed = [text for text in row.partition("\t")[2].split("|") if not is_notice(text)]
    assert not missed


FOREIGN_NEWS = (
    "Leiche im Hafen gefunden.",
    "Le navigateur Hervé Morvan a bouclé son tour du monde en solitaire mardi soir à Brest.",
    "El ayuntamiento de Villaseca aceptó la oferta de la empresa y seguirá con las obras del puente.",
    "Abonnentenzahl der Zeitung aus Vellmar steigt auf 40000, teilte der Verlag Ostrand am Montag mit.",
    "Совет директоров компании «Остранд» принял решение продолжить строительство завода в Велмаре.",
    "Ostrand wprowadza w Velmarze nową prenumeratę cyfrową za 20 koron, poinformowała spółka w piątek.",
    "東京地裁は4日、オストランド社に会員情報の流出で3億円の賠償を命じた。",
    "오스트란드는 4일 벨마르 공장의 구독형 서비스를 내년 3월까지 중단한다고 밝혔다.",
    "奥斯特兰德公司周一宣布，其浏览器业务以四亿元出售给远山集团，会员服务不受影响。",
    "أعلنت شركة أوستراند يوم الاثنين أن عدد المشتركين في خدمتها بلغ أربعة ملايين في مدينة فلمار.",
    "वेलमार के मेयर ने सोमवार को कहा कि नया पुल अगले महीने खुलेगा और लेख के आरोप गलत हैं।",
)


@pytest.mark.parametrize(
    "text",
    [
        *("", *FOREIGN_NEWS),
        "Two people are missing after a ferry struck a barge off Vellmar.",
        "Brussels fined Ashvale Data 12 million euros for setting cookies without consent.",
        "Brixholt Robotics sold its robot unit to Ostrand Holdings of Vellmar for 40 million crowns.",
        "中央银行宣布上调存款准备金率零点五个百分点，自本月起执行。",
    ],
)
def test_news_are_none(text: str) -> None:
    assert not is_notice(text)


def test_a_long_text_is_none_whatever_it_says() -> None:
    times = MAX_NOTICE_CHARS // len(WALL)
    assert is_notice(WALL * times)
    assert not is_notice(WALL * (times + 1))
