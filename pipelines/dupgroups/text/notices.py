"""Notices in place of an article: walls of scripts, cookies and subscriptions, errors of servers.

Hundreds of pages have the same one, and are no copies of a story. A short text is a notice if most of the
telling words in it are terms of such notices, which are in `notice_words.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from dupgroups.text.facts import read_facts, weight_of
from dupgroups.text.plain import fold_character
from dupgroups.text.word_tables import read_table

MAX_NOTICE_CHARS = 1_200
RARE_WEIGHT = 4.0  # of a word that one page of 55 has: one that a notice hardly has
MIN_SHARE = 0.37  # of the weight of the rare words that the terms have
MIN_TERMS = 2  # "EU fines a search engine over cookies" has one; a shorter text needs no more
MAX_WORDS = 6
MIN_SHARE_OF_WORDS = 0.3  # of a text in another language
MAX_PHRASE_CHARS = 200
MAX_HAN_CHARS = 300  # of a Chinese or Japanese text, with its full stop

_MIN_BEGINNING_CHARS = 2  # letters of a beginning
_NO_STEMS: tuple[str, ...] = ()
Stems = Mapping[str, tuple[str, ...]]
_words = re.compile(r"\w+").findall
_WORDS, _STEMS, _OTHER_STEMS, _PARTS, _OTHER_PARTS, _PHRASES = map(
    frozenset, read_table("notice_words.csv").values()
)
_ENGLISH = frozenset("the and of you your this".split())


def is_notice(text: str) -> bool:
    """Whether a text is a mere notice; false for an empty one.

    >>> is_notice("Please enable JavaScript and cookies in your browser to continue reading.")
    True
    >>> is_notice("Brussels fined Ashvale Data 12 million euros for setting cookies without consent.")
    False
    """
    if len(text) > MAX_NOTICE_CHARS or (len(text) > MAX_HAN_CHARS and "。" in text):
        return False
    lowered = text.lower()
    words = set(_words(lowered))
    terms = words & _WORDS
    if words.isdisjoint(_ENGLISH) and _is_foreign_notice(lowered, words):
        return True
    if not terms:
        return False
    facts = read_facts(text)
    weights = (weight_of(token) for token in {*facts.tokens} - terms if token[0] != "#")
    own = sum(weight for weight in weights if weight >= RARE_WEIGHT)
    weight = sum(map(weight_of, terms))
    return weight >= MIN_SHARE * (weight + own) and (len(terms) >= MIN_TERMS or len(facts.words) <= MAX_WORDS)


def _is_foreign_notice(text: str, words: set[str]) -> bool:
    """Likewise of a text in another language than English, of which the list of news words knows little."""
    letters = set(text)  # most terms begin with a letter that the text does not have
    if len(text) <= MAX_PHRASE_CHARS and any(some in text for some in _PHRASES if some[0] in letters):
        return True
    starts = {word[:_MIN_BEGINNING_CHARS] for word in words}
    has_part = any(part[0] in letters and part in text for part in _PARTS)
    begins = () if _TELLING.keys().isdisjoint(starts) else words
    if not has_part and not any(_begins(word, _TELLING) for word in begins):
        return False
    facts, (stems, parts, any_part) = read_facts(text), _folded_terms()
    if facts.is_single:
        terms = sum(map(len, any_part.findall("".join(facts.words))))
    else:
        joined = "\n".join(facts.words)
        there = [part for part in parts if part in joined]
        terms = sum(_begins(word, stems) or any(part in word for part in there) for word in facts.words)
    few = terms >= MIN_TERMS or len(facts.words) <= MAX_WORDS
    return few and terms >= MIN_SHARE_OF_WORDS * len(facts.words)


def _begins(word: str, stems: Stems) -> bool:
    return word.startswith(stems.get(word[:_MIN_BEGINNING_CHARS], _NO_STEMS))


def _by_start(stems: Iterable[str]) -> Stems:
    """The beginnings of words by their first letters: most words begin with none of these."""
    found: dict[str, tuple[str, ...]] = {}
    for stem in stems:
        found[stem[:_MIN_BEGINNING_CHARS]] = (*found.get(stem[:_MIN_BEGINNING_CHARS], _NO_STEMS), stem)
    return found


_TELLING = _by_start(_STEMS)


@cache
def _folded_terms() -> tuple[Stems, frozenset[str], re.Pattern[str]]:
    some = (_STEMS | _OTHER_STEMS, _PARTS | _OTHER_PARTS)
    stems, parts = (frozenset("".join(map(fold_character, term)) for term in terms) for terms in some)
    return _by_start(stems), parts, re.compile("|".join(sorted(parts, key=len, reverse=True)))
