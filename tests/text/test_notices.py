"""Notices in place of an article, and short news that share their terms."""

from __future__ import annotations

import pytest

from dupgroups.text.notices import MAX_NOTICE_CHARS, is_notice

WALL = "Please enable JavaScript and cookies in your browser to continue reading."


@pytest.mark.parametrize(
    "text",
    [
        WALL,
        "This article is for subscribers only. Subscribe now for unlimited access, or log in.",
        "403 Forbidden. You have no permission to access this page on this server.",
        "Are you a robot? Please solve the captcha to go on.",
        "Bitte aktivieren Sie JavaScript in Ihrem Browser, oder melden Sie sich mit Ihrem Abonnement an.",
        "Activez JavaScript dans votre navigateur et acceptez les cookies.",
        "请登录并订阅后继续阅读全文。",
        "Подписка для подписчиков: войдите, чтобы читать дальше.",
    ],
)
def test_walls_and_errors_are_notices(text: str) -> None:
    assert is_notice(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
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
