"""The ranker of days in sight (`dupgroups.content.date_ranker`), fitted to pages that declare their date.

The declaration is hidden: a candidate of the declared day is right. The loss is that of a conditional logit
in which "no date" is right where no candidate is, with a little of the squares of the weights. Most pages
show their date, so each is also learned from without the lines that have it, where no date is right. It is
tested on sites that were left out.

| setting | value | meaning |
|---|---|---|
| penalty | .003 | of the squares of the weights |
| hidden  | .3   | weight of a page without its day; with .7, as many wrong dates and 7 right ones fewer |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dupgroups.content.date_ranker import choose_date
from dupgroups.content.dates_in_sight import MEASURES, Candidate
from dupgroups.content.declared_dates import find_declared_date
from dupgroups.content.page_analysis import analyse
from dupgroups.content.surroundings import candidates_around
from dupgroups.errors import InputError
from dupgroups.methods.additive_model import AdditiveModel
from dupgroups.model import Page
from dupgroups_lab.labels.labelled_pages import read_pack
from dupgroups_lab.training.additive_fit import Floats, fit_curves
from dupgroups_lab.training.trainable_methods import by_folds, fold_of

PENALTY, HIDDEN_WEIGHT, MAX_ODDS = 0.003, 0.3, 30.0


class DatedPage(NamedTuple):
    """The days in sight on a page of a site, and the day that it declares."""

    site: str
    day: str
    candidates: Sequence[Candidate]
    weight: float = 1.0

    def hide_day(self) -> DatedPage:
        """The page without the lines that have the day."""
        rest = [one for one in self.candidates if one.iso[:10] != self.day]
        fewer = [one._replace(values={**one.values, "days": one.values["days"] - 1}) for one in rest]
        return DatedPage(self.site, "", fewer, HIDDEN_WEIGHT * (len(rest) < len(self.candidates)))


def read_dated_pages(packs: Sequence[Path]) -> Iterator[DatedPage]:
    """The pages of packs that declare the date of publication and have an article."""
    for page in (page for pack in packs for page in read_pack(pack)):
        found = analyse(Page(page.url, page.html))
        says = found.declared
        declared, _ = find_declared_date(says.named, says.node, says.language or "")
        if declared and found.surest:
            code = found.content.language
            candidates = candidates_around(says, found.blocks, found.surest, code, page.url)
            yield DatedPage(page.site, declared[:10], candidates)


def fit_ranker(pages: Sequence[DatedPage]) -> AdditiveModel:
    """The model of these pages. Raises InputError without SciPy, and without a candidate that is right."""
    pages = [page for page in (*pages, *(page.hide_day() for page in pages)) if page.candidates]
    every = [(number, page.day, one) for number, page in enumerate(pages) for one in page.candidates]
    if not any(one.iso[:10] == day for _, day, one in every):
        raise InputError(
            "there is nothing to learn from: give packs of pages that declare and show their dates"
        )
    values = np.array([[one.values[name] for name in MEASURES] for _, _, one in every])
    is_right = np.array([one.iso[:10] == day for _, day, one in every])
    page, shares = np.array([number for number, _, _ in every]), _shares(pages)
    has_right = np.bincount(page, is_right) > 0

    def loss(sums: Floats) -> tuple[float, Floats]:
        odds = np.exp(np.clip(sums, -MAX_ODDS, MAX_ODDS))
        total = 1 + np.bincount(page, odds)
        right = np.where(has_right, np.bincount(page, odds * is_right), 1.0)
        slopes = (odds / total[page] - has_right[page] * odds * is_right / right[page]) * shares[page]
        return float((shares * np.log(total / right)).sum()), slopes

    return fit_curves(MEASURES, values, loss, PENALTY)


def _shares(pages: Sequence[DatedPage]) -> Floats:
    """The weights of pages: the more of a site there are, the less each."""
    of_site = Counter(page.site for page in pages)
    weights = np.array([page.weight / of_site[page.site] ** 0.5 for page in pages])
    shares: Floats = weights / weights.sum()
    return shares


def cross_validate(pages: Sequence[DatedPage]) -> Counter[str]:
    """How many dates are right, wrong and missing, each by a model that has not seen the site."""

    def train(others: Sequence[DatedPage]) -> Callable[[DatedPage], str]:
        model = fit_ranker(others)
        return lambda page: getattr(choose_date(page.candidates, model), "iso", "")[:10]

    days = by_folds(pages, [fold_of(page.site) for page in pages], train)
    found = zip(pages, days, strict=True)
    return Counter("missing" if not day else "right" if day == page.day else "wrong" for page, day in found)
