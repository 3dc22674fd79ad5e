"""Authors and lead pictures, from what pages declare."""

from __future__ import annotations

import json
from typing import Any

import pytest

from content.pages import news_page
from dupgroups.content import extract
from dupgroups.model import Page

BYLINE = 'By <a href="/staff">Jo Brandt</a>'
URL = "https://courier.example/2024/ferry"


def page(head: str, data: Any = None) -> Page:
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data is not None else ""
    return Page(URL, news_page(head=head + script).replace(BYLINE, ""))


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
