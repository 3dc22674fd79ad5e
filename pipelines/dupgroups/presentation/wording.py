"""Numbers, lists and how a story spread in words, for the page and the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter

from dupgroups.engines.base import MAX_COUNTED_HITS, MAX_SORTED_HITS
from dupgroups.engines.common import names_of
from dupgroups.flow.explain.edits import Edit
from dupgroups.flow.explain.sources import SourcedPage, Sources
from dupgroups.flow.explain.spread import Change, Spread
from dupgroups.flow.explain.text_alignment import Alignment
from dupgroups.flow.frame_log import LeftOut
from dupgroups.grouping.publication_dates import DAY_MINUTES
from dupgroups.methods.signals import Signal
from dupgroups.model import MINUTE_MICROSECONDS, Copy, Hit, Query, Relation, Results
from dupgroups.presentation.date_formats import day, instant, moment, span
from dupgroups.presentation.languages import gettext, gettext_noop, plural
from dupgroups.text.passages import shorten

MAX_SHOWN_AUTHORS = 3  # authors of a document that are shown
MAX_LEFT_OUT_CHARS = 300  # of a passage that is no evidence


MAX_CUT_SHARE = 0.9  # of the words of a longer copy that a cut one has
RELATIONS: Mapping[Relation, str] = {
    "duplicate": gettext_noop("the first is a copy of the second"),
    "contains": gettext_noop("the first has all of the second, and more"),
    "contained": gettext_noop("the first is a part of the second"),
    "near": gettext_noop("the first is similar to the second, but another story"),
    "different": gettext_noop("the first is another story than the second"),
    "too_short": gettext_noop("one of the two is too short to be compared"),
}
"""What two documents are to each other, by the relation of the first to the second."""


def describe_relation(relation: Relation, alignment: Alignment) -> str:
    """Say what two documents are to each other: of copies that differ much in length, which one is cut.

    >>> describe_relation("duplicate", Alignment((), 60, (100, 60), cut=False))
    'the second is a cut copy of the first'
    """
    first, second = alignment.words
    if relation == "duplicate" and first < MAX_CUT_SHARE * second:
        return gettext("the first is a cut copy of the second")
    if relation == "duplicate" and second < MAX_CUT_SHARE * first:
        return gettext("the second is a cut copy of the first")
    return gettext(RELATIONS[relation])


SCALE = gettext_noop(
    "Two texts are copies from a score of 0.5 on, unless you configure another one. Clear pairs are decided "
    "by their signatures, all others by their texts."
)
"""The threshold of the decision, whatever the judge measures."""

SUM = gettext_noop(
    "Points above 0 speak for one story, below 0 for two. Their sum is the logarithm of the odds: 0 is a "
    "score of 0.5, 3 one of 0.95, and -3 one of 0.05."
)
"""How the score comes from the points of a judge that adds them."""


def describe_points(points: float) -> str:
    """
    >>> describe_points(2.04), describe_points(-0.5)
    ('+2.0', '-0.5')
    """
    return f"{points:+.1f}"


def describe_left_out(passage: LeftOut) -> str:
    """A passage that is no evidence, and why, in a sentence."""
    said = gettext("No evidence, as other stories have it, too (frame %(number)s, as in %(ids)s): “%(text)s”")
    if passage.number is None:
        said = gettext("No evidence, as these are two stories of one site, of two days: “%(text)s”")
    text = shorten(passage.text, MAX_LEFT_OUT_CHARS)
    return said % {"number": passage.number, "ids": ", ".join(passage.ids), "text": text}


def describe_needed(signal: Signal) -> str:
    """The threshold of a measure in words."""
    needed = number(signal.threshold)
    return gettext("at most %(number)s") % {"number": needed} if signal.is_most else needed


def number(value: float | str | None) -> str:
    """A measured value: a share in percent, a count as it is, a decimal parameter with its digits.

    >>> number(0.8446), number(12), number(1.25), number(-1.7e-16)
    ('84.5%', '12', '1.25', '0.0%')
    """
    if isinstance(value, float):
        value = round(value, 9) + 0.0  # not -1.7e-16, as a sum of fractions may be, nor -0.0
        return f"{value:.1%}" if 0 <= value <= 1 else f"{value:g}"
    return "" if value is None else str(value)


def shorten_authors(author: str) -> str:
    """The first names of an author line.

    >>> shorten_authors("A. Lee, B. Kim, C. Roy, D. Poe")
    'A. Lee, B. Kim, C. Roy and others'
    """
    names = names_of(author)
    more = " and others" if len(names) > MAX_SHOWN_AUTHORS else ""
    return ", ".join(names[:MAX_SHOWN_AUTHORS]) + more


def totals(query: Query, results: Results) -> str:
    """How many stories and documents match.

    >>> totals(Query(), Results((), stories=12, documents=40))
    '12 stories in 40 documents'
    >>> totals(Query(), Results((), stories=1200, documents=4000, exact=False))
    'about 1,200 stories in 4,000 documents'
    >>> totals(Query(), Results((), stories=9000, documents=10000, exact=False, complete=False))
    'at least 9,000 stories in 10,000 documents'
    """
    number = results.stories
    if results.exact:
        stories = plural(number, "%(num)s story", "%(num)s stories")
    elif results.complete:
        stories = plural(number, "about %(num)s story", "about %(num)s stories")
    else:
        stories = plural(number, "at least %(num)s story", "at least %(num)s stories")
    if query.mode == "head":
        return stories
    if results.all_sorted:
        documents = plural(results.documents, "%(num)s document", "%(num)s documents")
    else:
        documents = plural(results.documents, "more than %(num)s document", "more than %(num)s documents")
    if query.mode == "all":
        return gettext("%(documents)s in %(stories)s") % {"documents": documents, "stories": stories}
    return gettext("%(stories)s in %(documents)s") % {"documents": documents, "stories": stories}


def limits(results: Results) -> list[str]:
    """Say what the results leave out, in sentences; [] for nothing."""
    titles = gettext("Only titles are searched, because the field of the text is not indexed.")
    counted = gettext("Sites, languages and dates are those of the first %(num)s documents.")
    sentence = gettext("Only the %(num)s documents that were stored last are sorted.")
    return [
        *([titles] if results.only_titles else []),
        *([] if results.complete else [counted % {"num": f"{MAX_COUNTED_HITS:,}"}]),
        *([] if results.all_sorted else [sentence % {"num": f"{MAX_SORTED_HITS:,}"}]),
    ]


def also_from(hit: Hit) -> str:
    """Where else a story is, in sites: "also from: A, B and 20 more"; "" if it is nowhere else."""
    if not hit.sources:
        more = plural(hit.more_sites, "also from %(num)s other site", "also from %(num)s other sites")
        return more if hit.more_sites else ""
    names = ", ".join(hit.sources)
    if not hit.more_sites:
        return gettext("also from: %(names)s") % {"names": names}
    return gettext("also from: %(names)s and %(more)s more") % {"names": names, "more": hit.more_sites}


MAX_SHOWN_FIGURES = 3  # that a copy changed are shown


def name_of(copy: Copy) -> str:
    """The name of a copy in a sentence: its site, or else its title or id."""
    return copy.site or copy.title or copy.id


def published_first(spread: Spread) -> str:
    """Who published a story first, and how long before the next site; "" if the pages do not say."""
    if spread.lead is None:
        return ""
    first, later, ahead = spread.lead
    values = {"site": name_of(first.copy), "when": moment(first.copy.date)}
    text = gettext("Published first by %(site)s on %(when)s") % values
    if later:
        values = {"time": span(ahead * MINUTE_MICROSECONDS), "site": name_of(later.copy)}
        text += gettext(", %(time)s before %(site)s") % values
    if not all(copy.timed for copy in spread.copies):
        text += gettext(" (not every copy says at what time)")
    return text + gettext(".")


PLACES = [
    gettext_noop("dateline"),
    gettext_noop("byline"),
    gettext_noop("closing line"),
    gettext_noop("declared source"),
    gettext_noop("site"),
]


def describe_sources(sources: Sources) -> str:
    """How many pages, publishers and sources there are, and which: "3 pages, 2 publishers, 1 source: AP"."""
    uncredited = gettext("%(name)s, which names no other source")
    names = [who.name if who.is_credited else uncredited % {"name": who.name} for who in sources.found]
    if len(names) > 1:
        names = [f"{name} ({len(source.pages)})" for name, source in zip(names, sources.found, strict=True)]
    return gettext("%(pages)s, %(publishers)s, %(sources)s: %(names)s") % {
        "pages": plural(len(sources.pages), "%(num)s page", "%(num)s pages"),
        "publishers": plural(sources.publishers, "%(num)s publisher", "%(num)s publishers"),
        "sources": plural(len(sources.found), "%(num)s source", "%(num)s sources"),
        "names": ", ".join(names),
    }


def describe_evidence(page: SourcedPage, sources: Sources) -> str:
    """Say whose text a page prints: where it credits whom in which words, or what it is a copy of; and who
    owns its site, if that is known.
    """
    owner = gettext("; a site of %(owner)s") % {"owner": page.owner} if page.owner else ""
    if page.credit:
        return f"{gettext(page.credit.place)} “{page.credit.words}”{owner}"
    if page.record.id not in sources.like:
        return gettext("no credit") + owner
    like, score = sources.like[page.record.id]
    values = {"site": name_of(like.copy), "score": f"{score:.2f}"}
    return gettext("no credit, a copy of %(site)s (%(score)s)") % values + owner


def describe_change(change: Change) -> str:
    """How many words a copy cut of the first one and added, and figures that it changed, in a few characters.

    >>> describe_change(Change(40, 3, (("38", "41"),))), describe_change(Change(0, 2, ()))
    ('−40 +3 38 → 41', '+2')
    """
    counts = [f"−{change.cut:,}" * bool(change.cut), f"+{change.added:,}" * bool(change.added)]
    figures = ", ".join(f"{old} → {new}" for old, new in change.figures[:MAX_SHOWN_FIGURES])
    return " ".join(filter(None, [*counts, figures])) or gettext("the same words")


def describe_edit(edit: Edit) -> str:
    """When a document was changed, how, and how many other copies still say what it said."""
    values: dict[str, object] = {"when": moment(instant(edit.at)), "change": describe_change(edit.change)}
    if not edit.change.figures or not edit.of:
        return gettext("%(when)s: %(change)s") % values
    values |= {"was": edit.change.figures[0][0], "still": edit.still, "of": edit.of}
    return gettext("%(when)s: %(change)s; %(still)s of %(of)s other copies still say %(was)s") % values


def describe_delays(spread: Spread) -> list[str]:
    """How long after the copy that was published first each copy was, in words: to the minute if both say the
    time, else in whole days; "" for that copy, and where it is unknown or too short to tell.
    """
    delays = []
    for copy in spread.copies:
        first = spread.copies[0]
        unit = 1 if first.timed and copy.timed else DAY_MINUTES
        after = (copy.by // unit - first.by // unit) * unit if first.dated and copy.dated else 0
        delays.append(span(after * MINUTE_MICROSECONDS) if after > 0 else "")
    return delays


@dataclass(frozen=True, slots=True)
class Arrival:
    """A site that has a story: since when, in minutes since 1970, and in words."""

    at: int
    site: str
    when: str


def arrivals(spread: Spread) -> list[Arrival]:
    """When each site had the story, earliest first: as exactly as the copy says that was published first, to
    the minute or to the day, so that it is the first here, too; in days as well if no other site says the
    time. If fewer than two sites say either: when they were found.
    """
    dated = [copy for copy in spread.copies if copy.dated]
    minutes = [Arrival(copy.by, name_of(copy.copy), moment(copy.copy.date)) for copy in dated if copy.timed]
    found = ((copy, copy.by // DAY_MINUTES * DAY_MINUTES) for copy in dated)
    days = [Arrival(start, name_of(copy.copy), day(copy.copy.date)) for copy, start in found]
    met = ((copy, copy.seen // MINUTE_MICROSECONDS) for copy in spread.copies)
    seen = [Arrival(at, name_of(copy.copy), moment(instant(copy.seen))) for copy, at in met]
    for some in (minutes if dated and dated[0].timed else [], days, seen):
        latest_first = sorted(some, key=attrgetter("at"), reverse=True)
        sites = {arrival.site: arrival for arrival in latest_first}
        if len(sites) > 1:
            return sorted(sites.values(), key=attrgetter("at"))
    return []
