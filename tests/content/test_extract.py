"""From bytes to Content: what is kept, and what is left out."""

import numpy as np
import pytest

from content.pages import (
    HEADLINE,
    HEADLINE_ZH,
    QUESTION,
    REPLIES,
    STORY,
    STORY_ZH,
    forum_page,
    front_page,
    news_page,
)
from dupgroups.content import extract, join
from dupgroups.content.blocks import divide
from dupgroups.content.bounds import MAX_CHARS
from dupgroups.content.features import Measures
from dupgroups.content.lexicon import LEXICAL, NAMES, Lexicons
from dupgroups.errors import ConfigError
from dupgroups.model import Content, Page
from dupgroups.model.config import Step

URL = "https://courier.example/2024/11/07/ferry?utm_source=x"


@pytest.mark.parametrize("given", ["en-US", "en_GB", "EN", "English", "eng", "x-default", "und"])
def test_a_language_has_one_form_whatever_it_is_called(given: str) -> None:
    text = "The harbour was closed to ferries on Tuesday because of the wind, the pilots said. " * 5
    assert extract(Page(text=text, language=given)).language == "en"


@pytest.mark.parametrize(
    ("given", "text", "date"),
    [
        (
            "06.09.2025 11:15",
            "Die Brücke ist seit Freitag gesperrt, bis sie repariert ist.",
            "2025-09-06T11:15:00",
        ),
        ("6/9/2025", "Le pont est fermé depuis vendredi, et personne ne sait jusqu'à quand.", "2025-09-06"),
        ("6/9/2025", "The bridge has been closed since Friday, and nobody knows for how long.", None),
        ("1970-01-01T00:00:00", "The bridge has been closed since Friday, and nobody knows.", None),
        ("yesterday", "The bridge has been closed since Friday, and nobody knows for how long.", None),
        ("Sun, 26 Mar 2017 07:48:31 GMT", "A text.", "2017-03-26T07:48:31Z"),
        ("2017-03-26 07:48:31Z", "A text.", "2017-03-26T07:48:31Z"),
        ("2025-09", "The bridge has been closed since Friday, and nobody knows for how long.", "2025-09"),
    ],
)
def test_a_given_date_is_read_in_the_language_of_the_text(given: str, text: str, date: str | None) -> None:
    """One that nothing settles is left out: as it is written, it would be sorted before all others."""
    assert extract(Page(text=text, date=given)).date == date


@pytest.mark.parametrize(
    ("headline", "story", "lang"), [(HEADLINE, STORY, "en"), (HEADLINE_ZH, STORY_ZH, "zh")]
)
def test_the_story_and_nothing_else(headline: str, story: tuple[str, ...], lang: str) -> None:
    content = extract(Page(URL, news_page(headline, story, lang=lang)))
    assert content.text == "\n".join(story)
    assert content.title == headline
    assert content.language == lang
    assert content.site == "The Lindhaven Courier"
    assert content.url == "https://courier.example/2024/11/07/ferry"
    assert content.date == "2024-11-07"
    assert content.article > 0.5 > extract(Page(URL, front_page())).article


@pytest.mark.parametrize("codec", ["gb18030", "utf-8", "utf-16"])
def test_bytes_without_a_declaration_give_what_text_gives(codec: str) -> None:
    html = news_page(HEADLINE_ZH, STORY_ZH, lang="zh")
    assert extract(Page(URL, html.encode(codec), encoding="iso-8859-1")) == extract(Page(URL, html))


def test_a_story_told_twice_on_the_page_is_kept_once_and_a_paragraph_that_is_repeated_twice() -> None:
    again = "".join(f"<p>{paragraph}</p>" for paragraph in STORY)
    doubled = news_page().replace("</article>", f"<div>{again}</div></article>")
    assert extract(Page(URL, doubled)).text == "\n".join(STORY)
    paragraphs = (*STORY, STORY[1])
    assert extract(Page(None, news_page(story=paragraphs))).text.split("\n") == list(paragraphs)


def test_text_that_the_page_brings_is_kept_as_it_is() -> None:
    content = extract(Page(URL, news_page(), text="given\n\ntext", title="T", date="2001", language="xx"))
    assert (content.text, content.title) == ("given\n\ntext", "T")
    assert (content.date, content.language) == ("2001", "xx")
    text = "The council has said that it would look into the matter again. " * (MAX_CHARS // 63 + 1)
    alone = extract(Page(None, text=text))
    assert (alone.language, alone.url, alone.site, alone.title, alone.article) == ("en", None, None, "", 1.0)
    assert alone.text == text[:MAX_CHARS], "it is cut where html is"


def test_extractors_are_chosen_by_name_and_parameters() -> None:
    everything = extract(Page(URL, news_page()), extractor="visible").text
    long_blocks = extract(Page(URL, news_page()), extractor=Step("long_blocks", {"min_block": 12})).text
    assert "Imprint" in everything
    assert "Imprint" not in long_blocks
    assert STORY[2] in long_blocks
    assert STORY[2] in extract(Page(URL, news_page()), extractor="mss").text


def test_the_first_page_tells_the_rest() -> None:
    first = Content("One.", "Ferry", "2024-05-12", "en", "https://e.org/ferry", "Echo", 0.9, "Ann Lee")
    assert join([first, Content("Two.", "Ferry, page 2", "2025-01-01", "de")]).text == "One.\nTwo."
    assert join([first, Content("One.", "Ferry, page 2", "2025-01-01", "de")]) == first
    assert join([]) == Content("")
    assert join([Content("A:\nNo.\nA:"), Content("A:\nYes.")]).text == "A:\nNo.\nA:\nYes.", "its own repeats"


def test_each_word_of_a_name_and_of_a_block_counts_once() -> None:
    page = divide("<main id=foo><nav><p class='barBar foo'>a 12 b a</main>x<p>A c d e f g h i b<p>渡轮渡轮")
    words = {"a": -2.0, "b": 3.0, "a 0": 4.0, "0": 5.0, "渡轮": 6.0, "轮渡": 2.0}
    rows = np.zeros((LEXICAL, 4), np.float32)
    Lexicons({"foo": 2.0, "bar": -3.0}, words).fill(Measures(page), rows)
    assert rows[:NAMES, :2].T.tolist() == [[-3, 2, -2, 4, -0.5, 2], [0] * 6]
    assert rows[NAMES:].T.tolist() == [[-2, 5, 2.5, 1], [0, 0, 0, 0], [-2, -2, -2, 1], [2, 6, 4, 1]]


def test_favor_recall_keeps_the_posts_of_a_forum_and_nothing_around_them() -> None:
    kept = extract(Page(html=forum_page()), extractor="auto favor=recall").text.split("\n")
    assert kept == [QUESTION, *REPLIES]
    assert len(extract(Page(html=forum_page())).text.split("\n")) < len(kept)
    with pytest.raises(ConfigError, match="favor must be one of articles, recall, not 'all'"):
        extract(Page(html=forum_page()), extractor="auto favor=all")
