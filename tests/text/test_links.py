"""Link-target identification: the URLs of the slides."""

from __future__ import annotations

import pytest

from dupgroups.text.links import link_target

TORNADO = "https://news.yahoo.com/latest-twister-hits-texas-community-dozen-hurt-201112355.html"
COMCAST = "https://business.comcast.com/4995internet?CMP=BAC-22238190-4304415-238973491-90614167&omndfa=1"


@pytest.mark.parametrize(
    ("url", "feature"),
    [
        ("https://abcnews.go.com/story?id=62025268", "number"),
        ("https://www.nytimes.com/2019/04/15/us/politics/trump-ilhan-omar.html", "date"),
        ("https://news.yahoo.com/", "slash"),
        ("https://video.foxnews.com/v/6026408055001/", "reserved"),
        (TORNADO, "short"),
    ],
)
def test_the_slides_examples(url, feature):
    assert getattr(link_target(url), feature)


def test_the_slides_article_is_short_and_their_advertisement_long():
    assert link_target(TORNADO).short
    assert not link_target(COMCAST).short


@pytest.mark.parametrize(
    ("path", "has"),
    [
        ("/story-12.html", True),
        ("/news/uk-48401641", True),
        ("/a-48883806/", True),
        ("/news?page=2", False),
        ("/7", False),
        ("/news/england", False),
        ("/2019/04/15/omar.html", False),
        ("/6026408055001/minister-resigns", True),
        ("/news/uk-48401641/minister-resigns.html", True),
        ("/2019/04/15/62025268/omar.html", True),
        ("/201904151234/omar.html", True),
        ("/2019-04-15/omar", False),
        ("/2019/omar", False),
        ("/story-12/omar.html", True),
        ("/12/omar", False),
    ],
)
def test_numbers(path, has):
    assert link_target(f"https://example.org{path}").number is has
    assert link_target(path).number is has


@pytest.mark.parametrize(
    "path", ["/2019/4/5/x", "/2019-04-15-x", "/x/20190415", "/x_2019_12_31.html", "/2019/apr/"]
)
def test_dates(path):
    assert link_target(path).date is ("apr" not in path)


@pytest.mark.parametrize("word", ["gallery", "video"])
def test_a_reserved_word_is_a_whole_segment(word):
    assert link_target(f"https://e.org/{word}/a-b").reserved
    assert link_target(f"https://{word.upper()}.e.org/").reserved
    assert link_target(f"/{word}.html?a=b").reserved
    assert not link_target(f"https://e.org/the-{word}-of-the-minister").reserved
    assert not link_target(f"https://{word}.org/a").reserved  # a site's own name
