"""Contradictions in common words, between two passages that stand in place of each other.

Either only one is negated, or both have words of one kind that exclude one another: "rose" and "fell",
"north" and "south". The words are in `negations.txt` and `contrasts.txt`. Two words exclude one another only
if one line of one language has both, so look-alikes of other languages do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from dupgroups.text.scripts import HANGUL
from dupgroups.text.sense_lexicon import KNOWN_WORDS, NO_SENSE, Lexicon, read_lines

NOT, WITHOUT, NOT_SO, PREFIXES, ENDINGS = "not", "without", "not so", "prefixes", "endings"
MIN_REST, MIN_SYLLABLES = 4, 2  # letters of a word without its prefix; syllables in Korean


def is_negated_otherwise(here: Sequence[str], there: Sequence[str]) -> bool:
    """Whether one of two passages that stand in place of each other is negated and the other is not.

    Either may be empty. The words are folded, as `Facts.words`.

    >>> is_negated_otherwise(["guilty"], ["not", "guilty"]), is_negated_otherwise(["never"], ["not"])
    (True, False)
    >>> is_negated_otherwise(["legal"], ["illegal"]), is_negated_otherwise(["açildi"], ["açilmadi"])
    (True, True)
    """
    return _is_negated_otherwise(tuple(here), tuple(there))


@lru_cache(KNOWN_WORDS)
def _is_negated_otherwise(here: tuple[str, ...], there: tuple[str, ...]) -> bool:
    one, two = set(here), set(there)
    by_form = bool(there) and any(not two.isdisjoint(_affirmatives(word)) for word in one - two)
    by_form ^= bool(here) and any(not one.isdisjoint(_affirmatives(word)) for word in two - one)
    return _is_negated(here) ^ _is_negated(there) ^ by_form


def find_contrasts(here: Sequence[str], there: Sequence[str]) -> list[tuple[str, str]]:
    """Words of two passages that exclude one another, the first of each kind of which they share no sense.

    >>> find_contrasts(["rose", "slightly"], ["fell"]), find_contrasts(["rose"], ["climbed"])
    ([('rose', 'fell')], [])
    """
    return [*_find_contrasts(tuple(here), tuple(there))]


@lru_cache(KNOWN_WORDS)
def _find_contrasts(here: tuple[str, ...], there: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    one = _by_kind(_contrasts().find(here)) if there else {}
    two = _by_kind(_contrasts().find(there)) if one else {}
    kinds = [kind for kind in sorted(one.keys() & two) if one[kind].keys().isdisjoint(two[kind])]
    return tuple(dict.fromkeys((_first_word(one[kind]), _first_word(two[kind])) for kind in kinds))


def _by_kind(found: Iterator[tuple[str, Mapping[int, int]]]) -> dict[int, dict[int, str]]:
    """The first word of each sense of each kind."""
    words: dict[int, dict[int, str]] = {}
    for phrase, senses in found:
        spelled = re.sub(r"(?<!\S)(\S) (?=\S(?!\S))", r"\1", phrase)  # characters of one word
        for kind, sense in senses.items():
            if sense != NO_SENSE:
                words.setdefault(kind, {}).setdefault(sense, spelled)
    return words


def _first_word(words: Mapping[int, str]) -> str:
    return next(iter(words.values()))


def _is_negated(passage: Sequence[str]) -> bool:
    found = {kind for _, senses in _negations().find(passage) for kind in senses if NO_SENSE not in senses}
    return len(found) % 2 == 1


@lru_cache(KNOWN_WORDS)
def _affirmatives(word: str) -> frozenset[str]:
    """The words that a word may be the negated form of: "legal" for "illegal"."""
    if any(True for _ in _negations().find([word])):
        return frozenset()
    prefixes, endings, any_ending = _affixes()
    begins = prefixes if word.startswith(prefixes) else ()
    rests = (word[len(prefix) :] for prefix in begins if word.startswith(prefix))
    ends = endings if any_ending.search(word) else ()  # of most words it is none
    parts = ((word.rpartition(negative), positive) for negative, positive in ends)
    return frozenset(
        [rest for rest in rests if len(rest) >= (MIN_SYLLABLES if rest[:1] >= chr(HANGUL[0]) else MIN_REST)]
        + [f"{head}{positive}{tail}" for (head, mark, tail), positive in parts if mark]
    )


@cache
def _contrasts() -> Lexicon:
    lines = [*read_lines("contrasts.txt")]
    lexicon = Lexicon({before for heading, _ in lines for before in heading.split()[1:]})
    for kind, (_, line) in enumerate(lines):
        for sense, words in enumerate(line.split("|")):
            lexicon.add(words.split(), kind, sense)
    return lexicon


@cache
def _negations() -> Lexicon:
    lexicon, kinds = Lexicon(), {NOT: 0, WITHOUT: 1, NOT_SO: NO_SENSE}
    for heading, line in read_lines("negations.txt"):
        if heading in kinds:
            lexicon.add(line.split()[1:], kinds[heading], 0)
    return lexicon


@cache
def _affixes() -> tuple[tuple[str, ...], list[tuple[str, str]], re.Pattern[str]]:
    """Prefixes that negate, and pairs of a negative and a positive ending or form, and any of the former."""
    words = [(heading, word) for heading, line in read_lines("negations.txt") for word in line.split()[1:]]
    endings = [word.partition("/") for heading, word in words if heading == ENDINGS]
    return (
        tuple({word for heading, word in words if heading == PREFIXES}),
        [(negative, positive) for negative, _, positive in endings],
        re.compile("|".join({re.escape(negative) for negative, _, _ in endings})),
    )
