"""The features of URLs that stand alone."""

from __future__ import annotations

import pytest

from dupgroups.text.links import link_target


@pytest.mark.parametrize("url", ["/archive/2019", "/news/2019-04-15", "/a?date=2019-04-15", "/2019/apr/15/"])
def test_dates_and_years_are_not_numbers(url):
    assert not link_target(url).number


def test_names_of_months_make_a_date_and_words_that_begin_like_them_do_not():
    assert link_target("/world/2019/apr/15/ferry-sinks").date
    assert link_target("/2019/september/ferry-sinks").date
    assert not link_target("/2019/decision-on-ferries").date
