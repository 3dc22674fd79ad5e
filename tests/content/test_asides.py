"""What stands beside, among and below the paragraphs of an article is not its text, in whichever language."""

import numpy as np
import pytest

from content.pages import HEADLINE, STORY, news_page
from dupgroups import extract
from dupgroups.content.asides import with_fellows, without_asides, without_copies, without_strangers
from dupgroups.content.auto import Auto
from dupgroups.content.blocks import divide
from dupgroups.content.insets import without_insets
from dupgroups.content.interruptions import MAX_LINE_CHARS, is_interruption
from dupgroups.content.references import without_references

PARAGRAPHS = "".join(f"<p>{text}</p>" for text in STORY)
NOTE = "I was on that ferry, and nobody told us anything until we were back on the quay, hours later."


@pytest.mark.parametrize(
    ("outside", "kept"),
    [
        ('<div class="user-comment"><p>{}</p></div>', 0),
        ("<div id=commentSource><ul class=first><li>{}</ul></div>", 0),
        ("<figure><div class=caption>{}</div></figure>", 0),
        ("<div class=author-bio>{}</div>", 0),
        ("<div class=photo-gallery><div>1 of 14</div>{}</div>", 0),
        ("<div class=commentary>{}</div>", 1),
        ("<div class=comment><div><div><div><div><p>{}</p></div></div></div></div></div>", 1),
    ],
)
def test_boxes_named_as_asides_are_left_out_unless_the_name_is_farther_out(outside: str, kept: int) -> None:
    page = divide(f"<div class=story>{PARAGRAPHS}</div>{outside.format(NOTE)}")
    assert [*without_asides(page, range(len(STORY) + 1))] == [*range(len(STORY) + kept)]


@pytest.mark.parametrize("name", ["comments-open", "post author-hedda", "bio", "editors reply", "cookie-ok"])
def test_a_box_with_most_of_the_text_is_the_story_whatever_its_name(name: str) -> None:
    for above, is_story in ((f"<p>{STORY[0]}</p><p>{STORY[1]}</p>", True), (PARAGRAPHS, False)):
        page = divide(f"{above}<div class='{name}'>{2 * PARAGRAPHS}</div>")
        assert (len(without_asides(page, range(len(page.blocks)))) == len(page.blocks)) == is_story


@pytest.mark.parametrize("place", [0, len(STORY)])
def test_one_block_that_repeats_the_paragraphs_is_left_out(place: int) -> None:
    blocks = [f"<p>{text}</p>" for text in STORY]
    text = "*\n\n*".join(STORY)
    blocks.insert(place, f"<pre># Ferry hits pier\n*{text}*</pre>")
    every = range(len(blocks))
    assert [*without_copies(divide("".join(blocks)), every)] == [index for index in every if index != place]


@pytest.mark.parametrize(
    "blocks",
    [
        [],
        [" ".join(STORY)] * 2,
        [" ".join(STORY), STORY[0]],
        STORY,
        [" ".join(STORY * 200), *STORY * 200],  # too many blocks, or too long a one, to be compared
        [" ".join(STORY * 150), *[" ".join(STORY)] * 100],
    ],
)
def test_a_text_that_no_paragraphs_repeat_is_kept(blocks: list[str]) -> None:
    page = divide("".join(f"<p>{text}</p>" for text in blocks))
    assert [*without_copies(page, range(len(blocks)))] == [*range(len(blocks))]


def test_a_question_about_cookies_above_a_story_in_a_box_named_post_is_left_out() -> None:
    ask = "We and our 512 partners store information on your device, such as cookies, for advertising."
    page = divide(f"<div><p>{ask}</p></div><div class=post>{PARAGRAPHS}</div>")
    assert [*without_strangers(page, range(len(STORY) + 1))] == [*range(1, len(STORY) + 1)]


def test_auto_leaves_out_comments_and_with_favor_recall_keeps_them() -> None:
    page = divide(f"<div class=story>{PARAGRAPHS}</div><div class=comment>{NOTE}</div>")
    sure = np.ones(len(STORY) + 1, np.float32)
    assert Auto().article(page, sure, "")[1] == [*range(len(STORY))]
    assert Auto(favor="recall").select_above(page, sure) == [*range(len(STORY) + 1)]


@pytest.mark.parametrize(
    ("block", "belongs"),
    [
        ("<p>The operator of the ferry promised to refund all tickets until the end of the week.</p>", True),
        ("<p>The operator of the ferry promised</p>", False),
        ("<p>The operator of the ferry promised to refund all tickets until the end of the week</p>", False),
        (
            "<p><a href=/o>The operator of the ferry promised to refund all tickets until Friday.</a></p>",
            False,
        ),
        ("<p class=note>The operator of the ferry promised to refund all tickets until Friday.</p>", False),
        ("<div><p>The operator of the ferry promised to refund all tickets until Friday.</p></div>", False),
    ],
)
def test_a_sentence_belongs_to_three_kept_ones_of_its_kind(block: str, belongs: bool) -> None:
    page = divide(f"<div><p>One.</p><p>Two.</p>{block}<p>Three.</p></div>")
    assert (2 in with_fellows(page, [0, 1, 3], [2])) == belongs
    assert 2 not in with_fellows(page, [0, 1], [2])


# -- cards, further stories and offers


EACH = [f"<p>{paragraph}</p>" for paragraph in STORY]
OTTER = "<p>An otter was seen at the lock again, and the town has begun to look for a name.</p>"
LINKED = "<h3><a href=/o>Otter seen at the lock</a></h3>"
OFFER = f"<div><h2>More</h2>{OTTER}<p>The first month is free.</p><div><a href=/s>{{}}</a></div></div>"


def lines(inset: str, place: int = 3) -> list[str]:
    """What is left of a story with something else before one of its paragraphs, all of which was kept."""
    body = "".join([*EACH[:place], inset, *EACH[place:]])
    page = divide(f"<h1>{HEADLINE}</h1><article>{body}</article>")
    return [page.texts[index] for index in without_insets(page, range(1, len(page.texts)), HEADLINE)]


@pytest.mark.parametrize(
    "inset",
    [
        f"<div>{LINKED}<p class=author>Gus Troll</p>{OTTER}</div>",
        f"<div><a href=/o><img src=o.jpg><h3>Otter seen at the lock</h3></a>{OTTER}</div>",
        f"<ul class=related-posts><li>{LINKED}{9 * OTTER}</li><li>{LINKED}{9 * OTTER}</li></ul>",
        f"<div><div><h1>Otter seen at the lock</h1><p>By Gus Troll</p>{99 * OTTER}</div></div>",
        f"<div><h1>Otter seen at the lock</h1><p>4 March 2026</p>{99 * OTTER}</div>",
        f"</article><article><h1>Otter seen at the lock</h1>{99 * OTTER}</article>",
        *map(OFFER.format, ("Subscribe now", "Jetzt abonnieren", "S’abonner", "Suscríbete", "立即购买")),
    ],
)
def test_boxes_of_something_else(inset: str) -> None:
    assert lines(inset) == list(STORY)


@pytest.mark.parametrize(
    "section",
    [
        f"{LINKED}{OTTER}",  # a heading of the text itself
        f"<div>{LINKED}{9 * OTTER}</div>",
        f"<div><h1>What the divers found</h1>{OTTER}</div>",
        f"<div><p>One more day.</p>{LINKED}{OTTER}</div>",
        f"<div>{OTTER}<p>Subscribe now or miss the last news of the harbour.</p></div>",
    ],
)
def test_sections_of_the_text_stay(section: str) -> None:
    assert set(lines(section)) > set(STORY)


def test_linked_sections_that_are_much_of_the_text_stay() -> None:
    sections = [f"<div>{LINKED}{paragraph}</div>" for paragraph in EACH]
    assert set(lines("".join(sections), len(STORY))) > set(STORY)
    assert len(lines("".join(sections), len(STORY))) == 3 * len(STORY)


# -- links to other stories, and labels


QUAY = [
    "The harbour master closed the northern quay on Monday after divers found a crack in a pillar.",
    "Ships are sent to the old basin, said the port, which lies two miles up the river and has no crane.",
    "The pillar was last looked at eleven years ago, and the report of that day names no fault of any kind.",
    "Fishermen who land their catch there want to know who pays for the way to the other market in town.",
]
LINK = "<a href=/x>{}</a>"


@pytest.mark.parametrize(
    ("inside", "kept"),
    [
        ("<div><p>READ MORE: <a href=/x>Inspectors warned ferry company</a></p></div>", 0),
        ("<p>&gt;&gt; <a href=/x>Inspectors warned ferry company</a></p>", 0),
        ("<p>延伸阅读: <a href=/x>Inspectors warned ferry company</a></p>", 0),
        ("<p>The report says: <a href=/x>no fault</a>, and nothing of the crane that fell.</p>", 1),
        ("<p>See it now: <a href=/x>Amazon</a></p>", 1),
        ("<p>He wrote <a href=/x>on Monday</a> that the quay stays closed until it has been mended.</p>", 1),
    ],
)
def test_a_label_with_a_link_is_left_out_and_a_sentence_with_a_link_is_kept(inside: str, kept: int) -> None:
    paragraphs = [f"<p>{text}</p>" for text in QUAY]
    html = f"<html><body><h1>Quay closed</h1>{paragraphs[0]}{inside}{''.join(paragraphs[1:])}"
    assert len(extract(html).text.split("\n")) == len(QUAY) + kept


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("<p>Added:</p><p>4 March 2026</p><p>Author:</p><p>By Jo Brandt, Staff Writer</p>", "", 0),
        ("<p><a href=/x>Inspectors warned ferry company</a></p><p>By Jo Brandt and Ann Lee</p>", "", 0),
        ("<p>A short standfirst.</p>", "", 1),
        (f"<header><p class=standfirst>{QUAY[0][:70]}</header>", "", 1),
        ("", "<p hidden>He was 40.</p>", 0),
        ("", "<p>He is 40.</p>", 1),
        ("", "<p>All rights reserved.</p>", 0),
        ("", "<aside><p>6,200 members pay for this. <a href=/m>Become one of them.</a></p></aside>", 0),
    ],
)
def test_labels_and_appeals_around_bare_paragraphs(before: str, after: str, kept: int) -> None:
    paragraphs = "".join(f"<p>{text}</p>" for text in QUAY)
    html = f"<html><title>Quay closed</title><body><h1>Quay closed</h1>{before}{paragraphs}{after}"
    assert len(extract(html).text.split("\n")) == len(QUAY) + kept


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        (["See also", LINK.format("Inspectors warned ferry company"), "Seed potatoes are in!"], 0),
        ([LINK.format("Inspectors warned ferry company"), "Seed potatoes are in!"], 0),
        (["He is 40.", LINK.format("Inspectors warned ferry company")], 1),
        ([LINK.format("Inspectors warned ferry company"), QUAY[0] + " Again."], 2),
        (["See also", LINK.format("A shop")], 2),
        ([LINK.format("渡轮公司曾两次接到警告"), "种子到货"], 0),
        ([LINK.format("渡轮公司曾两次接到警告"), "警方周三晚间说，失踪的两人仍未找到，搜救继续。"], 2),
    ],
)
def test_links_after_the_last_paragraph_end_the_article(after: list[str], kept: int) -> None:
    page = divide("".join(f"<p>{line}</p>" for line in [*QUAY, *after]))
    everything = range(len(page.blocks))
    assert without_references(page, everything) == [*everything][: len(QUAY) + kept]


def test_a_short_last_sentence_belongs_to_the_three_of_its_kind_before_it() -> None:
    lines = "".join(f"<p>{line}</p>" for line in [*QUAY[:-1], "Advertisement", QUAY[-1]])
    page = divide(f"{lines}<figure><figcaption>The barge</figcaption></figure><p>He is 40.</p>")
    ad, last = len(QUAY) - 1, len(QUAY) + 2
    kept = [index for index in range(last - 1) if index != ad]
    assert without_references(page, kept) == [*kept, last]


# -- lines that no story is made of


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
