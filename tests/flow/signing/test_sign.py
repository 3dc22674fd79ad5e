"""A page by itself: its id, its host, its fingerprint, its twin; and many pages are signed as one is."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from dupgroups import Page
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign, sign_all
from dupgroups.model.config import Config, Method, Step
from stories import chinese_story, reprints, story

METHODS = MethodSet()
TEXT = story("a")


def page(url: str | None, canonical: str | None = None, **fields: str) -> Page:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    paragraphs = "".join(f"<p>{line}</p>" for line in TEXT.split("\n"))
    return Page(url=url, html=f"{link}<body>{paragraphs}</body>", **fields)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (page("https://example.org/a"), page("https://example.org/a?utm_source=x#top"), True),
        (page("https://example.org/a"), page("https://amp.example.org/a", "https://example.org/a"), True),
        (page("https://example.org/a"), page("https://example.org/b"), False),
        (Page(text=TEXT, title="A"), Page(text=TEXT, title="A", date="2026-01-01"), True),
        (Page(text=TEXT, title="A"), Page(text=TEXT, title="B"), False),
        (Page(text=TEXT, site="A"), Page(text=TEXT, site="A", date="2026-01-01"), True),
        (Page(text=TEXT, site="A"), Page(text=TEXT, site="B"), False),
        (page("https://example.org/a", site="A"), page("https://example.org/a", site="B"), True),
        (Page(text="A", title="B"), Page(text="AB"), False),
        (page("https://example.org/a", id="own"), page("https://example.org/b", id="own"), True),
        (page("https://example.org/a", id="own"), page("https://example.org/a"), False),
    ],
)
def test_the_id_of_a_page_is_its_own_or_made_of_its_address_or_its_text(
    one: Page, two: Page, same: bool
) -> None:
    first, second = (sign(each, METHODS).record.id for each in (one, two))
    assert (first == second) is same
    assert second == "own" or len(bytes.fromhex(second)) == 10


def test_the_fingerprint_changes_exactly_when_title_or_text_change() -> None:
    plain = Page(url="https://example.org/a", text=TEXT, title="A")
    same = [
        replace(plain, **change) for change in ({"url": "https://a.org/b"}, {"date": "2026"}, {"id": "own"})
    ]
    changes = ({"title": "B"}, {"text": f"{TEXT} More."}, {"title": f"A{TEXT[0]}", "text": TEXT[1:]})
    others = [replace(plain, **change) for change in changes]
    fingerprint = sign(plain, METHODS).record.fingerprint
    assert {sign(other, METHODS).record.fingerprint for other in same} == {fingerprint}
    assert fingerprint not in {sign(other, METHODS).record.fingerprint for other in others}


def test_a_twin_is_a_page_that_was_read_from_another_address_than_the_canonical_one() -> None:
    amp = sign(page("https://amp.example.org/a", "https://example.org/a"), METHODS)
    alone = sign(page("https://amp.example.org/a"), METHODS)
    assert (amp.alternate_id, alone.alternate_id) == (alone.record.id, None)
    assert amp.record.id != amp.alternate_id
    for plain in (
        page("https://example.org/a", "https://example.org/a"),
        page("https://example.org/a?utm_source=x", "https://example.org/a"),
        page("https://amp.example.org/a", "https://example.org/a", id="own"),
        Page(text=TEXT),
    ):
        assert sign(plain, METHODS).alternate_id is None


def test_many_are_signed_as_they_are_one_by_one() -> None:
    methods = MethodSet(Config(methods={"zh": Method(signer=Step("period_string"))}))
    pages = [*reprints(stories=4, copies=2).values(), Page(text=""), Page(text=chinese_story("x"))]
    random.Random(0).shuffle(pages)
    documents = sign_all(pages, methods)
    assert documents == [sign(one, methods) for one in pages]
    assert len({document.record.signature.scheme for document in documents}) > 1
    assert sign_all([], methods) == []
