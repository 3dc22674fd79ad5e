"""How a story spread, in words and as the steps of a curve."""

from __future__ import annotations

from dupgroups.flow.explain.spread import Change, Spread
from dupgroups.model import MINUTE, Copy
from dupgroups.web.dates import moment, span
from dupgroups.web.language import gettext, plural

FIGURES = 3  # that a copy changed are shown


def name_of(copy: Copy) -> str:
    """What a copy is called in a sentence: its site, or else its title or id."""
    return copy.site or copy.title or copy.id


def published_first(spread: Spread) -> str:
    """Who published a story first, how long before the next site, and whom the copies credit, in a sentence;
    "" if the pages do not say.
    """
    if spread.lead is None:
        return ""
    first, later, ahead = spread.lead
    values = {"site": name_of(first.copy), "when": moment(first.copy.date)}
    text = gettext("Published first by %(site)s on %(when)s") % values
    if later:
        values = {"time": span(ahead * MINUTE), "site": name_of(later.copy)}
        text += gettext(", %(time)s before %(site)s") % values
    if not all(one.timed for one in spread.copies):
        text += gettext(" (not every copy says at what time)")
    if spread.credit:
        text += gettext("; credited to %(name)s") % {"name": spread.credit}
    return text + gettext(".")


def changed(change: Change) -> str:
    """What a copy changed of the first one.

    >>> changed(Change(40, 3, (("38", "41"),)))
    '40 words cut, 3 words added, figures changed: 38 → 41'
    """
    pairs = ", ".join(f"{old} → {new}" for old, new in change.figures[:FIGURES])
    parts = [
        plural(change.cut, "%(num)s word cut", "%(num)s words cut") if change.cut else "",
        plural(change.added, "%(num)s word added", "%(num)s words added") if change.added else "",
        gettext("figures changed: %(pairs)s") % {"pairs": pairs} if pairs else "",
    ]
    return gettext(", ").join(filter(None, parts)) or gettext("the same words")


def arrivals(spread: Spread) -> list[tuple[int, Copy]]:
    """When each site had the story, in minutes since 1970, earliest first: by the times that at least two
    sites give, or else by when they were first seen.
    """
    timed = [(one.by, one.copy) for one in spread.copies if one.timed]
    if len({copy.site for _, copy in timed}) < 2:
        timed = [(one.seen // MINUTE, one.copy) for one in spread.copies]
    sites: dict[str, tuple[int, Copy]] = {}
    for at, copy in sorted(timed, key=lambda arrival: arrival[0]):
        sites.setdefault(name_of(copy), (at, copy))
    return list(sites.values())
