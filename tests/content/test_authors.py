"""Authors, from what pages declare and what readers see, and the lead picture."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.pages import HEADLINE_ZH, STORY_ZH, news_page
from dupgroups.content import extract
from dupgroups.content.blocks import divide
from dupgroups.content.visible_authors import byline
from dupgroups.model import Page
from properties import met, must_meet

BY_JO = 'By <a href="/staff">Jo Brandt</a>'
URL = "https://courier.example/2024/ferry"


def page(head: str, data: Any = None) -> Page:
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data is not None else ""
    return Page(URL, news_page(head=head + script).replace(BY_JO, ""))


def meta(**declared: str) -> str:
    return "".join(f'<meta name="{name}" content="{content}">' for name, content in declared.items())


LISTED = {"@graph": [{"@type": "WebPage"}, {"author": [{"name": "A. Lee"}, {"name": "B. Kim"}]}]}


@pytest.mark.parametrize(
    ("head", "data", "names"),
    [
        ("", {"@type": "NewsArticle", "author": {"@type": "Person", "name": "Jo Brandt"}}, "Jo Brandt"),
        ("", LISTED, "A. Lee, B. Kim"),
        ("", {"author": {"name": ["A. Lee", "B. Kim", "A. Lee"]}}, "A. Lee, B. Kim"),
        ("", {"author": {"@type": "Person", "name": {"@type": "Person", "name": "Jo Brandt"}}}, "Jo Brandt"),
        ("", {"author": {"@type": "Person", "name": {"@value": "Jo Brandt"}}}, "Jo Brandt"),
        ("", [{"@type": "Organization", "name": "The Mole"}, {"author": ["Ann Lee", "The Mole"]}], "Ann Lee"),
        ("<b itemprop=author itemscope><meta itemprop=name content='Jo Brandt'></b>", None, "Jo Brandt"),
        (meta(**{"smartbanner:author": "Now in the app"}), None, ""),
        ("<meta property=dc:creator content='Jo Brandt'><p>Jo Brandt</p>", None, "Jo Brandt"),
        ("""<meta name=parsely-page content='{"author": "Jo Brandt"}'>""", None, "Jo Brandt"),
        ("""<meta name=parsely-page content='{"author": ["Jo Brandt"}'>""", None, ""),
        ("", {"author": "https://courier.example/jo"}, ""),
        ("", {"review": {"author": "Critic"}, "author": {"name": "Jo Brandt"}}, "Jo Brandt"),
        (meta(author="By  Jo Brandt"), None, "Jo Brandt"),
        (meta(author="Jo Brandt, Max Roe and Ann Lee"), None, "Jo Brandt, Max Roe, Ann Lee"),
        (meta(author="Jo Brandt, " * 30 + "Ann Lee"), None, "Jo Brandt, Ann Lee"),
        ("", {"@graph": [{"author": {"@id": "#jo"}}, {"@id": "#jo", "name": "Jo Brandt"}]}, "Jo Brandt"),
        ("", {"author": "Jo Brandt (jbr), Political Editor"}, "Jo Brandt"),
        ("", {"author": "Jo Brandt @jobrandt"}, "Jo Brandt"),
        ("", {"author": "Jo Brandt for The Lindhaven Courier"}, "Jo Brandt"),
        ("", {"author": "Nurses United for Clean Harbours"}, "Nurses United for Clean Harbours"),
        ("", {"author": [[{"name": "A. Lee"}, {"name": "B. Kim"}]]}, "A. Lee, B. Kim"),
        (
            "",
            {"author": {"@type": "Role", "author": [{"name": "A. Lee"}, {"name": "B. Kim"}]}},
            "A. Lee, B. Kim",
        ),
        (meta(author="page.head.author", byl="admin"), None, ""),
        (meta(author="Pixel Works Ltd"), None, ""),  # readers do not see it
        (meta(author="@jo", byl="jo@courier.example"), None, ""),
    ],
)
def test_the_authors(head: str, data: Any, names: str) -> None:
    assert extract(page(head, data)).author == names


@pytest.mark.parametrize(
    ("foot", "line", "names"),
    [
        ("Written in Lindhaven by Blue Monkey.", "", "Blue Monkey"),
        ("Web design by Blue Monkey", "", ""),
        ("Web design by Blue Monkey", "By Jo Brandt", "Jo Brandt"),
        ("", "By Jo Brandt", "Jo Brandt"),
    ],
)
def test_an_agency_that_made_the_site_is_no_author(foot: str, line: str, names: str) -> None:
    html = page(meta(author="Blue Monkey")).html or ""
    html = html.replace('<div class="byline">', f'<div class="byline">{line}').replace("All rights", foot)
    assert extract(Page(URL, html)).author == names


@pytest.mark.parametrize(
    ("head", "data", "address"),
    [
        ('<meta property="og:image" content="/f.jpg">', None, "https://courier.example/f.jpg"),
        ('<meta name="twitter:image" content="//cdn.example/f.jpg">', None, "https://cdn.example/f.jpg"),
        ("", {"image": ["https://c.example/1.jpg", "https://c.example/2.jpg"]}, "https://c.example/1.jpg"),
        (
            "",
            {"image": {"@type": "ImageObject", "url": "https://c.example/1.jpg"}},
            "https://c.example/1.jpg",
        ),
        ('<meta property="og:image" content="data:image/png;base64,xyz">', None, None),
        ('<meta property="og:image" content="http://[broken">', None, None),
    ],
)
def test_the_lead_picture(head: str, data: Any, address: str | None) -> None:
    assert extract(page(head, data)).image == address


# -- authors that are visible in the text but missing from the metadata

BYLINE = '<div class="byline">By <a href="/staff">Jo Brandt</a> </div>'


def test_what_a_page_declares_comes_before_its_byline_if_readers_see_it() -> None:
    assert extract(Page(html=news_page())).author == "Jo Brandt"
    declared = news_page(head='<script type="application/ld+json">{"author": "Ann Lee"}</script>')
    assert extract(Page(html=declared)).author == "Jo Brandt"
    assert extract(Page(html=declared.replace("</article>", "<p>ANN LEE</p></article>"))).author == "Ann Lee"


def test_a_reporter_is_named_at_the_end_of_a_chinese_text() -> None:
    page = news_page(HEADLINE_ZH, (*STORY_ZH, "（记者 王小明）")).replace(BYLINE, "")
    assert extract(Page(html=page)).author == "王小明"


def test_a_byline_after_a_standfirst_that_belongs_to_the_text() -> None:
    line = "<p>By <a href=/j>Ann Lee</a></p><p>The vessel"
    html = news_page().replace(BYLINE, "").replace("<p>The vessel", line)
    assert extract(Page(html=html)).author == "Ann Lee"


FIRST, LAST = (
    st.sampled_from("Ana Ben Zoë Mary-Ann José".split()),
    st.sampled_from("Lee O’Neill Berg Kovač".split()),
)
NAMES = st.builds("{} {}".format, FIRST, LAST)
BESIDE = st.sampled_from(["", " and Eva Stone", ", Staff Writer", " | 4 March 2026"]) | st.text(max_size=8)
LINES = st.builds("{}{}".format, NAMES, BESIDE) | st.text()


@must_meet(least=3)
@given(LINES, LINES)
def test_every_name_stands_in_the_page(line: str, other: str) -> None:
    page = divide(f'<h1>Fog</h1><p class="author">By {line}</p><p>{other}</p><a rel="author">{other}</a>')
    seen = "".join("".join(block.text.split()) for block in page.blocks)
    names = byline(page, range(len(page.blocks)))[0]
    met(names)
    for name in names.split(", "):
        assert "".join(name.split()) in seen
