"""Authors and lead pictures, from what pages declare."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from content.pages import news_page
from dupgroups.content import extract
from dupgroups.content.credits import author, image
from dupgroups.model import Page

BYLINE = 'By <a href="/staff">Jo Brandt</a>'
URL = "https://courier.example/2024/ferry"


def page(head: str, data: Any = None) -> Page:
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data is not None else ""
    return Page(URL, news_page(head=head + script).replace(BYLINE, ""))


@pytest.mark.parametrize(
    ("declared", "names"),
    [
        ({"@type": "NewsArticle", "author": {"@type": "Person", "name": "Jo Brandt"}}, "Jo Brandt"),
        (
            {"@graph": [{"@type": "WebPage"}, {"author": [{"name": "A. Lee"}, {"name": "B. Kim"}]}]},
            "A. Lee, B. Kim",
        ),
        ({"author": {"name": ["A. Lee", "B. Kim", "A. Lee"]}}, "A. Lee, B. Kim"),
        ({"author": "https://courier.example/jo"}, ""),
        ({"review": {"author": "Critic"}, "author": {"name": "Jo Brandt"}}, "Jo Brandt"),
    ],
)
def test_json_ld_names_authors(declared: Any, names: str) -> None:
    assert extract(page("", declared)).author == names


@pytest.mark.parametrize(
    ("declared", "names"),
    [
        ({"author": "By  Jo Brandt"}, "Jo Brandt"),
        ({"author": "Jo Brandt, Max Roe and Ann Lee"}, "Jo Brandt, Max Roe, Ann Lee"),
        ({"author": "Jo Brandt, " * 30 + "Ann Lee"}, "Jo Brandt, Ann Lee"),
        ({"author": "@jo", "byl": "jo@courier.example"}, ""),
    ],
)
def test_meta_elements_name_authors(declared: dict[str, str], names: str) -> None:
    head = "".join(f'<meta name="{name}" content="{content}">' for name, content in declared.items())
    assert extract(page(head)).author == names


@pytest.mark.parametrize(
    ("head", "data", "address"),
    [
        ('<meta property="og:image" content="/f.jpg">', None, "https://courier.example/f.jpg"),
        ('<meta name="twitter:image" content="//cdn.example/f.jpg">', None, "https://cdn.example/f.jpg"),
        (
            "",
            {"image": ["https://cdn.example/1.jpg", "https://cdn.example/2.jpg"]},
            "https://cdn.example/1.jpg",
        ),
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


jsons = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["author", "name", "image", "url"]), inner)
    ),
    max_leaves=10,
)


@given(jsons.map(json.dumps))
@example('{"author": oops')
@example('{"image": ' + "[" * 100_000)
def test_any_script_gives_text_or_nothing(script: str) -> None:
    assert author({"author": "Jo"}, [script])[0] in ("Jo", author({}, [script])[0])
    found = image({}, [script], URL)
    assert found is None or found.startswith("http")
