"""Link-target identification: the URLs of the slides."""

from __future__ import annotations

import pytest

from dupgroups.text.links import link_target

TORNADO = "https://news.yahoo.com/latest-twister-hits-texas-community-dozen-hurt-201112355.html"
COMCAST = "https://business.comcast.com/4995internet?CMP=BAC-22238190-4304415-238973491-90614167&omndfa=1"


@pytest.mark.parametrize(
    ("url", "features"),
    [
        ("https://abcnews.go.com/story?id=62025268", {"number", "short"}),
        ("https://www.nytimes.com/2019/04/15/us/politics/trump-ilhan-omar.html", {"date", "short"}),
        ("https://news.yahoo.com/", {"slash", "short"}),
        ("https://video.foxnews.com/v/6026408055001/", {"number", "reserved", "slash", "short"}),
        (TORNADO, {"number", "short"}),
        (COMCAST, {"number"}),
    ],
)
def test_the_examples_of_the_slides(url: str, features: set[str]) -> None:
    target = link_target(url)
    assert {
        name for name in ("number", "date", "slash", "reserved", "short") if getattr(target, name)
    } == features


@pytest.mark.parametrize(
    ("path", "has"),
    [
        ("/story-12.html", True),
        ("/news/uk-48401641", True),
        ("/a-48883806/", True),
        ("/news?page=2", False),
        ("/2019/04/15/omar.html", False),
        ("/news/uk-48401641/minister-resigns.html", True),
        ("/2019/04/15/62025268/omar.html", True),
        ("/201904151234/omar.html", True),
        ("/2019-04-15/omar", False),
        ("/2019/omar", False),
        ("/12/omar", False),
    ],
)
def test_numbers(path: str, has: bool) -> None:
    assert link_target(f"https://example.org{path}").number is has
    assert link_target(path).number is has


@pytest.mark.parametrize(
    ("path", "has"),
    [
        ("/2019/4/5/x", True),
        ("/2019-04-15-x", True),
        ("/x/20190415", True),
        ("/x_2019_12_31.html", True),
        ("/2019/apr/", False),
    ],
)
def test_dates(path: str, has: bool) -> None:
    assert link_target(path).date is has


@pytest.mark.parametrize(
    ("url", "is_reserved"),
    [
        ("https://e.org/gallery/a-b", True),
        ("https://VIDEO.e.org/", True),
        ("/video.html?a=b", True),
        ("https://e.org/the-video-of-the-minister", False),
        ("https://video.org/a", False),  # a site's own name
    ],
)
def test_a_reserved_word_is_a_whole_segment(url: str, is_reserved: bool) -> None:
    assert link_target(url).reserved is is_reserved
