"""Words and phrases of many languages with their senses, from a file that lists them.

In such a file "_" is a blank, "*" stands for any ending or, in front, for any beginning, a word after "="
counts only where it is the whole passage beside numbers, one after "-" is an exception to those with stars.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from dupgroups.text.scripts import UNSPACED_RANGES, character_class
from dupgroups.text.sentences import plain_characters

KNOWN_WORDS = 1 << 14  # of which what was found for them is kept
NO_SENSE = -1


class Lexicon:
    """Words and phrases, each with its sense in one or more kinds.

    `before`: what may stand before a word without a blank, such as "and" or the article in Arabic.
    """

    def __init__(self, before: Iterable[str] = ()) -> None:
        self._senses: dict[str, tuple[tuple[int, int], ...]] = {}
        self._longest: dict[str, int] = {}  # words of a phrase, by its first word
        self._before = (*before,)
        self._look_up = lru_cache(KNOWN_WORDS)(self._senses_of)
        self._may_begin = lru_cache(KNOWN_WORDS)(
            lambda word: word in self._longest or bool(self._senses_of(word, True))
        )

    def add(self, words: Iterable[str], kind: int, sense: int) -> None:
        """Add words and phrases of one sense as a file has them."""
        known, excepted = ((kind, sense),), ((kind, NO_SENSE),)
        for word in words:
            phrase, found = (word[1:], excepted) if word[0] == "-" else (word, known)
            if "_" in phrase:
                first, *rest = phrase.lstrip("=").split("_")
                self._longest[first] = max(1 + len(rest), self._longest.get(first, 0))
                phrase = phrase.replace("_", " ")
            if (senses := self._senses.setdefault(phrase, found)) is not found:
                self._senses[phrase] = senses + found

    def find(self, passage: Sequence[str]) -> Iterator[tuple[str, Mapping[int, int]]]:
        """The words and the longest phrases of a passage, each with its sense by kind, if it has any."""
        if not any(map(self._may_begin, passage)):  # as most are
            return
        whole, place = sum(not word[0].isdigit() for word in passage), 0
        while place < len(passage):
            longest = min(self._longest.get(passage[place], 1), len(passage) - place)
            for size in range(longest, 0, -1):
                phrase = " ".join(passage[place : place + size])
                if senses := self._look_up(phrase, size == whole):
                    yield phrase, senses
                    break
            place += size

    def _senses_of(self, phrase: str, is_alone: bool) -> Mapping[int, int]:
        """By kind, the sense of the phrase itself, or else of its longest beginning or end that has one."""
        rests = [phrase[len(before) :] for before in self._before if phrase.startswith(before)]
        forms = [form for word in (*rests, phrase) for form in _forms(word)]
        forms += [f"={phrase}"] if is_alone else []
        return dict(sense for form in forms for sense in self._senses.get(form, ()))


def _forms(word: str) -> list[str]:
    """How a file may have a word, the shortest beginnings and ends first; a phrase only as it is."""
    ends = range(1, len(word) + 1) if " " not in word else ()
    return [*(form for end in ends for form in (f"*{word[-end:]}", f"{word[:end]}*")), word]


def read_lines(name: str) -> Iterator[tuple[str, str]]:
    """The lines of a file, folded as words of texts are, each with its heading."""
    codes = plain_characters((files("dupgroups.text") / name).read_text("utf-8"))[1]
    text, single = codes.astype("<u4").tobytes().decode("utf-32-le"), character_class(*UNSPACED_RANGES)
    heading = ""
    for line in re.sub(f"[{single}]+", lambda run: "_".join(run[0]), text).splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and line[0] != "#":
            yield heading, line
