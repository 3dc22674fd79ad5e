"""The links of a page, counted by their features."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupgroups_papers.content.link_counts import LinkCounts, count_links


def test_links_within_the_page_do_not_count():
    assert (
        count_links(["#a", "javascript:void(0)", "mailto:a@b.c"])
        == count_links([])
        == LinkCounts(0, 0, 0, 0, 0)
    )


@given(st.lists(st.text() | st.from_regex(r"(https?:)?//[a-z\[\].]*/[-a-z0-9/%?=#]*", fullmatch=True)))
def test_any_links_can_be_counted(hrefs):
    counts = count_links(hrefs)
    assert all(0 <= count <= len(hrefs) for count in counts)
    assert counts == count_links(reversed(hrefs))
