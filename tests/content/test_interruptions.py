"""Lines that no story is made of are left out, in whichever language, and what tells something is kept."""

from __future__ import annotations

import pytest

from content.pages import STORY, news_page
from dupgroups import extract
from dupgroups.content.interruptions import MAX_LINE_CHARS, is_interruption


@pytest.mark.parametrize(
    "line",
    [
        *("ADVERTISEMENT", "Story continues below advertisement", "— Advertisement —", "Anzeige"),
        *("Publicité", "La suite après cette publicité", "L’article continue après la publicité"),
        *("Continúa leyendo después de la publicidad", "Реклама", "广告"),
        *("3 min read", "Lesezeit: 12 Minuten", "Temps de lecture : 3 min", "Listen to this article"),
        *("Share this article", "Teilen", "Condividi", "この記事をシェアする", "공유하기", "Back to top ↑"),
        *("Follow us on Google News.", "Folgen Sie uns auf Facebook!", "Suivez-nous sur X", "扫码关注我们"),
        *("Suscríbete a nuestra lista de correo", "Suscríbase a nuestro boletín."),
        *("Inscreva-se no nosso canal", "Inscreva-se na newsletter do jornal"),
        *("Related: Inspectors warned ferry company", "READ ALSO Fog shuts airport", "Lees ook: Haven dicht"),
        *("Read more: Inspectors warned ferry company", "Retrouvez toute l’actualité du port"),
        *("À lire aussi Le port ferme", "Читайте также: Порт закрыт", "延伸阅读：港口关闭"),
        *("Photo: Jo Brandt", "Foto: Jo Brandt / dpa", "Video: The ferry from above"),
        *("Tags: harbour, ferry", "关键词：渡轮 码头", "Foto: ".ljust(MAX_LINE_CHARS, "x")),
    ],
)
def test_a_line_that_is_no_part_of_any_story(line: str) -> None:
    assert is_interruption(line)


@pytest.mark.parametrize(
    "line",
    [
        *("", "(dpa)", "© AFP", "With material from Reuters", "Quelle: dpa", "本报记者 李明"),
        *("Photographers waited on the pier", "Photo: the minister did not look.", "Bildung: mehr Geld"),
        *("Sharing is what the port lives on", "Advertisement, or art?", "Related questions remain open"),
        *("Foto: ".ljust(MAX_LINE_CHARS + 1, "x"), "Folge unserem Beispiel, rief der Trainer."),
        *("Readers follow us on a walk", "Themes of the day", "print(12345)"),
    ],
)
def test_a_line_that_may_tell_something_or_whom_it_is_from(line: str) -> None:
    assert not is_interruption(line)


def test_such_lines_are_left_out_between_paragraphs_and_after_them() -> None:
    lines = ["Advertisement", STORY[0], "Share this article", *STORY[1:], "Follow us on Telegram."]
    assert extract(news_page(story=tuple(lines))).text.splitlines() == list(STORY)
