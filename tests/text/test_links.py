"""Link-target identification: the URLs of the slides."""

from __future__ import annotations

import pytest

from dupgroups.text.links import link_target


@pytest.mark.parametrize(
    ("url", "part", "expected"),
    [
        ("/story-12.html", "number", True),
        ("/2019/04/15/62025268/omar.html", "number", True),
        ("/news?page=2", "number", False),
        ("/2019/04/15/omar.html", "number", False),
        ("/12/omar", "number", False),
        ("/2019/4/5/x", "date", True),
        ("/x/20190415", "date", True),
        ("/2019/apr/", "date", False),
        ("/gallery/a-b", "reserved", True),
        ("https://VIDEO.e.org/", "reserved", True),
        ("/video.html?a=b", "reserved", True),
        ("/the-video-of-the-minister", "reserved", False),
        ("https://video.org/a", "reserved", False),  # a site's own name
    ],
)
def test_parts_of_an_address(url: str, part: str, expected: bool) -> None:
    assert getattr(link_target(url), part) is expected
