"""Names that change places between two texts: "Spain beat Norway" and "Norway beat Spain"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from dupgroups.text.facts import Places, Report, find_similar, has_similar

Gap = tuple[Sequence[int], Sequence[int]]
"""The places of words that stand between common ones, in the first and in the second text."""
Reports = tuple[Report, Report]
Pair = tuple[int, int]
"""Places of one name in both texts."""


def find_exchanged(
    reports: Reports, moved: Gap, common: tuple[Places, Places], gaps: Sequence[Gap]
) -> Iterator[Gap]:
    """The places in which two names stand the other way round: in one sentence, or in several ones.

    `moved`: the names of each text that are not `common` to both in their order; `gaps`: passages in place
    of others, between common words.
    """
    within = _find_within(reports, moved, common)
    yield from ((sorted(first), sorted(second)) for first, second in within.values())
    replaced = [(gap, *names) for gap in gaps if (names := _find_names(reports, gap))]
    pairs = {(one, two) for _, one, two in replaced}
    for gap, one, two in replaced:
        if (two, one) in pairs and _find_sentence(reports, (gap[0][0], gap[1][0])) not in within:
            yield gap


def _find_within(
    reports: Reports, moved: Gap, common: tuple[Places, Places]
) -> dict[Pair, tuple[set[int], set[int]]]:
    """By sentences, the places of names that stand the other way round, with a word in between that stays
    there, or each with another ending; not so a name that comes before its title or after it.
    """
    pairs = _pair_names(reports, moved)
    others = zip(*(places.tolist() for places in common), strict=True) if pairs else ()
    names = [*pairs, *(pair for pair in others if pair[0] in reports[0].movable)]
    beside = defaultdict[Pair, list[Pair]](list)
    for pair in names:
        beside[_find_sentence(reports, pair)].append(pair)
    found: dict[Pair, tuple[set[int], set[int]]] = {}
    for one, two in pairs:
        sentence = _find_sentence(reports, (one, two))
        for three, four in beside[sentence]:
            if (one - three) * (two - four) < 0 and _are_exchanged(reports, (one, three), (two, four)):
                first, second = found.setdefault(sentence, (set(), set()))
                first.update((one, three))
                second.update((two, four))
    return found


def _pair_names(reports: Reports, moved: Gap) -> list[Pair]:
    """The places of the same name, or another form of it, in both texts: the first with the first."""
    a, b = reports
    here, there = (
        [place for place in places if _is_once(report, place)]
        for report, places in zip(reports, moved, strict=True)
    )
    left = defaultdict[str, list[int]](list)
    for place in reversed(there):
        left[b.tokens[place]].append(place)
    names, pairs = [*left], []
    for place in here if names else ():
        other = find_similar(a.tokens[place], names)
        if other and left[other]:
            pairs.append((place, left[other].pop()))
    return pairs


def _find_names(reports: Reports, gap: Gap) -> tuple[str, str] | None:
    """The name in a passage and the one in its place; None where there is not one of each."""
    names = [
        [report.tokens[place] for place in places if place in report.movable]
        for report, places in zip(reports, gap, strict=True)
    ]
    return (names[0][0], names[1][0]) if [*map(len, names)] == [1, 1] else None


def _find_sentence(reports: Reports, pair: Pair) -> Pair:
    """The numbers of the sentences of two places."""
    return reports[0].sentence_numbers[pair[0]], reports[1].sentence_numbers[pair[1]]


def _are_exchanged(reports: Reports, here: Pair, there: Pair) -> bool:
    """Whether a word between these places of one text is between those of the other, or both places have
    other forms of their words.
    """
    a, b = (report.tokens for report in reports)
    between = b[min(there) + 1 : max(there)]
    if any(has_similar(token, between) for token in a[min(here) + 1 : max(here)]):
        return True
    return all(a[one] != b[two] for one, two in zip(here, there, strict=True))


def _is_once(report: Report, place: int) -> bool:
    """Whether a word comes once in its sentence."""
    numbers = report.sentence_numbers
    start, end = bisect_left(numbers, numbers[place]), bisect_right(numbers, numbers[place])
    return report.tokens[start:end].count(report.tokens[place]) == 1
