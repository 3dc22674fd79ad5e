"""What only a browser shows of the search page: scripts, keys and widths, without a complaint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser.chromium import Reader
from browser.serving import Site, serving_documents
from browser.stories import odd, stories, widespread

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving_documents(stories()) as site:
        yield site


@pytest.fixture(scope="module")
def crowd() -> Iterator[Site]:
    """A story with twelve copies on one site and one on twenty-one others; and odd documents."""
    with serving_documents([*widespread(), *odd()], moves={"old-name": "w00"}) as site:
        yield site


def test_search_expand_and_follow_a_facet(site: Site, reader: Reader) -> None:
    page = reader.page
    page.goto(site.url)
    page.get_by_label("Search the stories").fill("ferry")
    page.get_by_label("Search the stories").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("2 stories in 6 documents")
    expect(page).to_have_url(f"{site.url}/?q=ferry")

    story = page.get_by_role("article").first
    expect(story.locator(".members li")).to_have_count(3)
    story.locator("summary").click()
    expect(story.locator(".members li")).to_have_count(5)
    for link in ("Permalink", "All 5 copies"):  # they stand outside of what is replaced
        expect(story.get_by_role("link", name=link)).to_have_attribute("href", "/groups/a1?q=ferry")
    reader.screenshot("expanded")

    page.get_by_role("link", name="The Ashvale Post 1").click()
    expect(page.get_by_role("status")).to_contain_text("1 story in 1 document")
    expect(page).to_have_url(f"{site.url}/?q=ferry&site=The+Ashvale+Post")
    page.get_by_role("link", name="remove this filter").click()
    expect(page.get_by_role("status")).to_contain_text("2 stories in 6 documents")
    page.get_by_role("link", name="All documents").click()
    expect(page.get_by_role("article")).to_have_count(6)
    page.go_back()
    expect(page.get_by_role("article")).to_have_count(2)
    assert reader.fits


def test_the_keyboard_alone_is_enough(crowd: Site, reader: Reader) -> None:
    """From "/" to the words, and to the copies."""
    page = reader.page
    page.goto(crowd.url)
    page.keyboard.press("/")
    search = page.get_by_label("Search the stories")
    expect(search).to_be_focused()
    page.keyboard.type("bridge/storm")  # in the field, "/" is a character
    expect(search).to_have_value("bridge/storm")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{crowd.url}/?q=bridge%2Fstorm")
    page.get_by_role("link", name="Permalink").focus()
    page.keyboard.press("Tab")  # the title
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".members > li")).to_have_count(22)
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("harbour")
    expect(search).to_have_value("harbour")  # what was there was selected


def test_without_scripts_everything_is_a_link_away(crowd: Site, browser: Browser) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{crowd.url}/?q=bridge")
    page.get_by_role("article").locator("summary").click()
    page.get_by_role("link", name="All 33 copies").click()
    expect(page.locator(".members li")).to_have_count(33)
    page.get_by_role("link", name="Why here?").first.click()
    expect(page.get_by_role("heading", name="Both texts")).to_be_visible()
    page.get_by_role("link", name="The story of the first").click()
    expect(page).to_have_url(f"{crowd.url}/groups/w00")
    page.context.close()
