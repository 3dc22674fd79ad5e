"""The date that readers see, and the headline around which it is looked for; none rather than a wrong one."""

import pytest

from content.pages import HEADLINE, HEADLINE_ZH, STORY, STORY_ZH
from dupgroups import extract
from dupgroups.content.blocks import divide
from dupgroups.content.date_ranker import Choice, choose_date
from dupgroups.content.dates_in_sight import is_dateline
from dupgroups.content.page_analysis import analyse
from dupgroups.content.surroundings import candidates_around, find_headline
from dupgroups.model import Page


def page(line: str = "", *, above: str = "", after: str = "", head: str = "") -> str:
    """An article with a line below its headline; a Chinese one if that line is Chinese."""
    title, story = (HEADLINE_ZH, STORY_ZH) if "月" in line + after else (HEADLINE, STORY)
    text = "".join(f"<p>{paragraph}</p>" for paragraph in story)
    return (
        f"<html><head><title>{title}</title>{head}</head><body>{above}<h1>{title}</h1>{line}"
        f"<article>{text}</article>{after}</body></html>"
    )


def chosen(html: str) -> Choice | None:
    found = analyse(Page(html=html))
    return choose_date(candidates_around(found.declared, found.blocks, found.surest, "en", None))


MENU = "<ul><li><a href=/a>News</a></li><li><a href=/b>Sport</a></li><li><a href=/c>Arts</a></li></ul>"
OTHERS = "<div><a href=/x>Old pier is closed</a></div><div>2026-03-01</div>"
LINE, DAYS = "<div>Harbour</div>", "<p>7 March 2026</p><p>4 March 2026</p>"
AT_TEN, BOXED = "March 4, 2026, 10:05", page("<p>4 March 2026</p>")
TOOT = "<blockquote class=toot><p>What fog!</p><div>Ann B, <a href=/t/1>March 1, 2026</a></div></blockquote>"
TEASER = "<article><h3>Old pier is closed</h3><p>March 1, 2026</p></article>"
REPLY = "<div class=kommentarer><div>Kit88</div><div>March 9, 2026</div></div>"
WRITTEN = "<p>The inspectors wrote on March 4, 2026 that the old pier was no longer safe for ships.</p>"


@pytest.mark.parametrize(
    ("html", "date"),
    [
        (page("<time>4 March 2026</time>"), "2026-03-04"),
        (page("<p>By Jo Brandt on Wed, 03/18/2026 - 09:35</p>"), "2026-03-18T09:35:00"),
        (page("<p>Updated: March 5, 2026</p><p>Published: March 4, 2026</p>"), "2026-03-04"),
        (
            page("<p>First posted: Mar 4, 2026 7:18am | Updated: Mar 5, 2026 7:21am</p>"),
            "2026-03-04T07:18:00",
        ),
        (
            page("<div><span>WESTBRIDGE — March 4, 2026, 11:30 AM ET</span></div>"),
            "2026-03-04T11:30:00-05:00",
        ),
        (page("<div>http://www.example.cn 2026年03月04日15:57 凤凰网</div>"), "2026-03-04T15:57:00"),
        (page(above="<p>4 March 2026</p>"), "2026-03-04"),
        (page("<p>Jo Brandt 4 March 2026 News 7 Comments</p>"), "2026-03-04"),
        (
            page(
                "<p><time datetime=2026-03-04T14:00-08:00>Mar 4th, 2026</time> | <a href=#c>Comments</a></p>"
            ),
            "2026-03-04T14:00:00-08:00",
        ),
        (page(above="<div class=lastchanged>Stand: 24.03.2026 11:05 Uhr</div>"), "2026-03-24T11:05:00"),
        (page("<p>4 March 2026</p>", head="<meta name=date content=2026-03-09>"), "2026-03-09"),
        (
            page(
                "<time itemprop=datePublished datetime=2026-03-04>Wednesday</time>",
                head="<meta name=date content=2026-03-09>",
            ),
            "2026-03-04",
        ),
        (page("<p>Published 4 March 2026 | harbour | ferries | radar | accidents</p>"), "2026-03-04"),
        (page().replace("</p><p>The vessel", "</p><div>4 March 2026</div><p>The vessel"), "2026-03-04"),
        (page("<p>4 March 2026</p>" + "<div><a href=/s>Share</a></div>" * 40), "2026-03-04"),
        (page(after="<p>Published 4 March 2026</p>"), "2026-03-04"),
        (page(after="<p>发布日期：2026年03月04日 责任编辑：龙慧</p>"), "2026-03-04"),
        (page(WRITTEN), None),
        (page("<figcaption class=caption>The pier, March 4, 2026</figcaption>"), None),
        (page("<p>Copyright March 4, 2026 Westbridge Courier</p>"), None),
        (page("<p>Received 4 March 2026; accepted 5 March 2026</p>"), None),
        (page(above=f"<div>Wednesday, 4 March 2026</div>{MENU}"), None),  # the clock of the site
        (page(after=OTHERS), None),
        (page("<p>Harbour desk: 4 March 2026</p>"), "2026-03-04"),  # an unknown label
        (page("<p>03/04/2026</p>").replace("<html>", "<html lang=en-GB>"), "2026-04-03"),
        (page(DAYS), "2026-03-07"),  # the first of several
        (page(f"<p>Copyright Westbridge Courier</p>{DAYS}"), "2026-03-07"),
        # without a main element also outside of the box of headline and text
        (page(above="<p>4 March 2026</p><div>"), "2026-03-04"),
        (BOXED.replace("<h1>", "<article><h1>").replace("<article><p>", "</article><p>"), "2026-03-04"),
        # far above the headline only with a label of publication
        (page(above="<div>Published: 4 March 2026</div>" + LINE * 4), "2026-03-04"),
        (page(above="<div>Saturday, 4 March 2026</div>" + LINE * 4), None),
        # not of what stands in a box of its own
        *((html, None) for html in (page(f"<div>{TOOT}</div>"), page(above=TEASER), page(after=TEASER))),
        (page("<figure><figcaption><div>March 1, 2026</div></figcaption></figure>"), None),
        (page(after=REPLY), None),
        # but a time element in a caption, and in a box for all below the headline
        (page(f"<figcaption>Jo Brandt<div><time>{AT_TEN}</time></div></figcaption>"), "2026-03-04T10:05:00"),
        (page(f"<div class=date-and-comments><div>{AT_TEN}</div></div>"), "2026-03-04T10:05:00"),
    ],
)
def test_a_line_beside_the_headline_or_the_text(html: str, date: str | None) -> None:
    assert extract(html).date == date


LATE = "<time {} datetime=2026-03-07T21:30:00Z>March 7, 2026</time>"
FIRST = "<time {} datetime=2026-03-04T10:05:00Z>March 4, 2026</time>"


@pytest.mark.parametrize(
    ("late", "first"),
    [
        (LATE.format("class=updated"), FIRST.format("class='entry-date published'")),
        (LATE.format("itemprop=dateModified"), FIRST.format("itemprop=datePublished")),
        (f"Posted on {LATE.format('class=updated')}", FIRST.format("class=published")),
        (f"<p class=last-updated>{LATE}</p>", f"<p class=date-published>{FIRST}</p>"),
        ("<p class=date-modified>March 7, 2026</p>", "<p class=date>March 4, 2026</p>"),
        ("<b class='value updated'>March 7, 2026</b>", "<b class='value published'>March 4, 2026</b>"),
        (LATE.replace("March 7, 2026", "Saturday").format("class=updated"), FIRST.format("class=published")),
    ],
)
def test_publication_comes_before_an_update_that_only_the_markup_names(late: str, first: str) -> None:
    for lines in (late + first, f"{late} {first}", first + late):
        date = extract(page(f"<div class=posted-on>{lines}</div>")).date or ""
        assert date[:10] == "2026-03-04"


def test_publication_has_its_own_time_on_the_day_of_an_update() -> None:
    times = FIRST.format("class=published") + LATE.format("class=updated").replace("7", "4")
    assert extract(page(f"<p>{times}</p>")).date == "2026-03-04T10:05:00Z"


DAY = "<p>Published 4 March 2026</p>"


def time(moment: str, name: str, text: str = "") -> str:
    return f"<time class={name} datetime={moment}>{text}</time>"


UPDATED, PUBLISHED = "<b class='value updated'>{}</b>", "<b class='value published'>{}</b>"


@pytest.mark.parametrize(
    ("line", "date"),
    [
        # of two times of one day that of publication, whatever its zone
        (
            time("2026-03-04T05:30:00-05:00", "updated")
            + time("2026-03-04T10:05:00Z", "published", "March 4, 2026"),
            "2026-03-04T10:05:00Z",
        ),
        # times of other days say nothing of the day that is written
        ("March 4, 2026" + time("2026-03-07", "other") + time("2026-03-08", "other"), "2026-03-04"),
        # names of times belong to what they stand around, also where their zone has the next day
        (
            time("2026-03-08T02:00:00Z", "updated", "March 7, 2026")
            + time("2026-03-05T01:00:00Z", "published", "March 4, 2026"),
            "2026-03-04",
        ),
        (
            f"Updated March 7, 2026, published {time('2026-03-04T10:05:00Z', 'date', 'March 4, 2026')}",
            "2026-03-04T10:05:00Z",
        ),
        (time("2026-03-04T10:05:00Z", "date", "March 4, 2026, 10:05"), "2026-03-04T10:05:00Z"),
        (
            time("2026-03-04T10:05:00Z", "published", "March 4, 2026, 10:05") + time("2026-03-07", "other"),
            "2026-03-04T10:05:00Z",
        ),
        # labels between times
        (
            f"Updated {time('2026-03-07', 'date', 'Saturday')}, "
            f"published {time('2026-03-04', 'date', 'Wednesday')}",
            "2026-03-04",
        ),
        # a line of a few words, and a sentence
        (f"last updated around {time('2026-03-04', 'date', 'Wednesday')}", "2026-03-04"),
        (f"last updated just around {time('2026-03-04', 'date', 'Wednesday')}", None),
        ("last updated online 4 March 2026", "2026-03-04"),
    ],
)
def test_times_are_read_with_what_is_written_in_and_before_them(line: str, date: str | None) -> None:
    assert extract(page(f"<p>{line}</p>")).date == date


@pytest.mark.parametrize(
    ("line", "is_date"), [("Added: 4 March 2026", True), ("Fog", False), (f"4 March 2026{' |' * 90}", False)]
)
def test_a_line_that_has_a_date_and_hardly_anything_else(line: str, is_date: bool) -> None:
    assert is_dateline(line) == is_date


def test_what_a_date_is_called_where_it_is_first_counts() -> None:
    line = UPDATED.format("March 7, 2026") + PUBLISHED.format("March 4, 2026")
    others = f"<ul><li><a href=/x>Pier</a> {UPDATED.format('March 4, 2026')}</li></ul>"
    assert extract(page(f"<p>{line}</p>", after=others)).date == "2026-03-04"


def test_a_day_is_less_probable_far_below_the_text() -> None:
    near, far = (chosen(page(after=LINE * n + DAY)) for n in (0, 20))
    assert near is not None
    assert far is None or far.probability < near.probability


@pytest.mark.parametrize(
    ("label", "date"),
    [
        ("Boat race:", None),
        ("Regata :", None),
        ("赛船会：", None),
        ("Date:", "2026-03-04"),
        ("Added:", "2026-03-04"),
        ("Pubblicato il:", "2026-03-04"),
    ],
)
def test_a_label_says_what_a_bold_or_last_line_is_about(label: str, date: str | None) -> None:
    for line in (f"<b>{label} 4 March 2026</b>", f"<h2>{label} 4 March 2026</h2>"):
        assert extract(page(line)).date == date
    assert extract(page(after=f"<p>{label} 4 March 2026</p>")).date == date


@pytest.mark.parametrize(
    "meta", ["Wed, 04 Mar 2026 10:05:00 +0100", "2026-03-04T10:05:00+01:00", "4 March 2026 10:05:00 +0100"]
)
def test_a_declared_date_comes_first(meta: str) -> None:
    html = page("<p>5 March 2026</p>", head=f"<meta name='pubdate' content='{meta}'>")
    assert extract(html).date == "2026-03-04T10:05:00+01:00"


FOG, TEXT = "Fog closes port", "<p>The port was closed by the fog in the morning.</p>"
LINKED, HEADING = f"<div><a href=/fog>{FOG}</a></div>", f"<h2><a href=/fog>{FOG}</a></h2>"
LONGEST = 2 * len(FOG) + 20


@pytest.mark.parametrize(
    ("html", "place"),
    [
        (f"<h2>{FOG}</h2><h1>{FOG}</h1><h2>{FOG}</h2>{TEXT * 3}", 1),  # if possible an h1
        (f"{LINKED}<div>{FOG}</div>{TEXT * 3}", 1),  # lists repeat it as a link
        (f"{HEADING}<div>{FOG}</div>{TEXT * 3}", 0),  # but a heading may be one
        (f"<h1>{FOG}</h1>{LINE * 10}<h1>{FOG}</h1>{LINE}<h1>{FOG}</h1>{TEXT * 3}", 11),  # the first close one
        (f"<h1>{FOG}</h1>{LINE * 8}<h1>{FOG}</h1>{TEXT * 3}", 0),
        (f"<h1>{FOG}</h1>{LINE}<h1>{FOG}</h1>{LINE * 20}{TEXT * 3}", 2),  # else the last
        (f"<div>{FOG.ljust(LONGEST - 1, '!')}</div>{TEXT * 3}", 0),
        (f"<div>{FOG.ljust(LONGEST, '!')}</div>{TEXT * 3}", None),  # a sentence
        (f"{TEXT * 3}<h1>{FOG}</h1>", 3),  # below the first lines of the text
        (f"{TEXT * 3}{LINE}<h1>{FOG}</h1>", None),
        (f"{LINE}{TEXT * 3}", None),
    ],
)
def test_which_block_is_the_headline(html: str, place: int | None) -> None:
    blocks = divide(html)
    kept = [index for index, text in enumerate(blocks.texts) if text.startswith("The port")]
    assert find_headline(blocks, kept, FOG) == place


def test_a_title_of_one_character_is_a_headline_and_none_is_not() -> None:
    blocks = divide(f"<h1>雪</h1>{TEXT * 3}")
    assert [find_headline(blocks, [1, 2, 3], title) for title in ("雪", "")] == [0, None]
