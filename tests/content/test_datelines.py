"""The date that readers see, where a page does not declare one; none rather than a wrong one."""

from __future__ import annotations

import pytest

from content.pages import HEADLINE, HEADLINE_ZH, STORY, STORY_ZH
from dupgroups import extract


def page(
    line: str, *, above: str = "", after: str = "", chinese: bool = False, head: str = "", lang: str = ""
) -> str:
    title, story = (HEADLINE_ZH, STORY_ZH) if chinese else (HEADLINE, STORY)
    text = "".join(f"<p>{paragraph}</p>" for paragraph in story)
    return (
        f"<html lang='{lang}'><head><title>{title}</title>{head}</head><body>{above}<h1>{title}</h1>{line}"
        f"<article>{text}</article>{after}</body></html>"
    )


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("<time>4 March 2026</time>", "2026-03-04"),
        ("<p>By Jo Brandt on Wed, 03/18/2026 - 09:35</p>", "2026-03-18T09:35:00"),
        ("<p>Updated: March 5, 2026</p><p>Published: March 4, 2026</p>", "2026-03-04"),
        ("<p>First posted: Mar 4, 2026 7:18am | Updated: Mar 5, 2026 7:21am</p>", "2026-03-04T07:18:00"),
        ("<div><span>WESTBRIDGE — March 4, 2026, 11:30 AM ET</span></div>", "2026-03-04T11:30:00"),
        ("<div>http://www.example.cn 2026年03月04日15:57 凤凰网</div>", "2026-03-04T15:57:00"),
    ],
)
def test_a_line_below_the_headline(line: str, date: str) -> None:
    assert extract(page(line, chinese=not line.isascii() and "—" not in line)).date == date


@pytest.mark.parametrize(
    "meta",
    ["Wed, 04 Mar 2026 10:05:00 +0100", "2026-03-04T10:05:00+01:00", "4 March 2026 10:05:00 +0100"],
)
def test_a_declared_date_comes_first(meta: str) -> None:
    html = page("<p>5 March 2026</p>", head=f"<meta name='pubdate' content='{meta}'>")
    assert extract(html).date == "2026-03-04T10:05:00+01:00"


def test_a_date_above_the_headline_or_below_the_text_stands_alone() -> None:
    assert extract(page("", above="<p>4 March 2026</p>")).date == "2026-03-04"
    assert extract(page("", after="<p>Published 4 March 2026</p>")).date == "2026-03-04"
    chinese = page("", after="<p>发布日期：2026-03-04 责任编辑：龙慧</p>", chinese=True)
    assert extract(chinese).date == "2026-03-04"


@pytest.mark.parametrize(
    "line",
    [
        "<p>The inspectors wrote on March 4, 2026 that the old pier was no longer safe for ships.</p>",
        "<figcaption class=caption>The pier, March 4, 2026</figcaption>",
        "<p>Copyright March 4, 2026 Westbridge Courier</p>",
        "<p>Received 4 March 2026; accepted 5 March 2026</p>",
    ],
)
def test_what_is_no_dateline(line: str) -> None:
    assert extract(page(line)).date is None


def test_the_clock_of_the_site_and_dates_of_other_articles_are_not_taken() -> None:
    menu = "<ul><li><a href=/a>News</a></li><li><a href=/b>Sport</a></li><li><a href=/c>Arts</a></li></ul>"
    assert extract(page("", above=f"<div>Wednesday, 4 March 2026</div>{menu}")).date is None
    others = "<div><a href=/x>Old pier is closed</a></div><div>2026-03-01</div>"
    assert extract(page("", after=others)).date is None
