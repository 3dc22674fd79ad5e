"""Pairs of texts to learn from, made of real ones: what editors do to a text, and other facts in one form.

Labelled pairs have hardly any opposites, other weekdays or single other figures: what must stay apart is
made. Words are changed by the tables that the product reads them with (numbers, days, opposites, negations),
so they are made in every language that these know. Lengths are in words; in scripts without blanks a word is
taken for two characters.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

from dupgroups.text.contrasts import find_contrasts
from dupgroups.text.facts import Facts, join_title, name_characters, read_facts
from dupgroups.text.language import detect
from dupgroups.text.sense_lexicon import read_lines
from dupgroups.text.word_rarity import rarities
from dupgroups_lab.duplicates.noise import add_noise

SIZES = (25, 35, 45, 65, 100, 160)  # of an item
MAX_ITEM_WORDS = 75  # of which one other fact makes another item
MIN_LONG_WORDS = 120  # of a report that is cut
MIN_KNOWN_WEIGHT, MAX_KNOWN_WEIGHT = 1.5, 6.5  # of words that editors replace: neither particles nor names
DATELINES = (
    *("WESTBRIDGE, Aug {day} (NSA) - ", "{Place} (kna) - ", "{Place}, {day} ago. (ANI) - ", "({Place}) "),
    *("{Place} - ", "{Place}, {day} авг - НС. ", "رملان - وكالات: ", "رملان (واس) : "),
    "({Place}) 홍길동 기자 = ",
)
HAN_DATELINES = ("{place}社{month}月{day}日电 ", "{place}社{day}日电（记者 {place}{place}）")
CREDITS = (
    *(" (Reporting by Ann Holt; editing by Ben Marsh)", " (kna/hs)", " НС", " (وكالات)"),
    "\nBy {Place} Staff",
)
HAN_CREDITS = ("（{place}社记者 王远）", "（完）", "(责任编辑：{place}{place})")
_SENTENCE = re.compile(r"(?:[^.!?。！？؟…\n]|\.(?=\d))+[.!?。！？؟…]*[\"”»』」）)]*\s*")
_DIGITS = re.compile(r"\d+")


class MadePair(NamedTuple):
    """Two texts, each as of `join_title`; `kind` says what was done, `joins` whether they are one story."""

    kind: str
    joins: bool
    a: str
    b: str


def make_pairs(text: str, title: str, other: str, dice: Random) -> Iterator[MadePair]:
    """Pairs of a text; `other` is one of the same source, of which words are taken. None of an empty text."""
    text, other = text.strip(), other.strip()
    facts = read_facts(text)
    long = 2 if facts.is_single else 1
    sentences = split_sentences(text)
    item = _beginning(sentences, long * dice.choice(SIZES))
    if len(read_facts(item).words) > 18 * long:
        yield from _edit_item(item, other, dice)
        yield from _put_under_headlines(text, title, sentences, dice)
    if len(facts.words) >= MIN_LONG_WORDS * long and len(sentences) >= 8:
        yield from _cut_report(text, sentences, dice)
    elif len(sentences) >= 4 and len(facts.words) >= 40 * long:
        first, second = dice.sample(range(1, len(sentences)), 2)
        yield MadePair("two small cuts", True, *(_leave_out(sentences, {place}) for place in (first, second)))
    others = split_sentences(other)
    yield from _edit_lead(sentences, other, dice)
    if len(sentences) >= 8 and len(others) >= 2:  # each paper begins with a sentence of its own
        one, two = (f"{lead.strip()}\n{text}" for lead in dice.sample(others, 2))
        yield MadePair("own leads", True, one, two)
    if len(other) > len(text):  # a round-up has the story as one of several
        half = len(others) // 2
        parts = [text, "".join(others[:half]), "".join(others[half:])]
        yield MadePair("round-up", False, text, "\n".join(dice.sample(parts, len(parts))))
    if len(sentences) >= 6 and len(others) >= 3:
        half = len(sentences) // 2
        news = "".join(others[: max(2, half)]).rstrip()
        yield MadePair("background", False, text, f"{news}\n{''.join(sentences[half:])}")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, with what is between them."""
    return [sentence for sentence in _SENTENCE.findall(text) if sentence.strip()]


def _beginning(sentences: Sequence[str], most: int) -> str:
    text = ""
    for sentence in sentences:
        if text and len(read_facts(text + sentence).words) > most:
            break
        text += sentence
    return text.strip()


def _leave_out(sentences: Sequence[str], places: set[int]) -> str:
    return "".join(sentence for place, sentence in enumerate(sentences) if place not in places)


def _edit_item(item: str, other: str, dice: Random) -> Iterator[MadePair]:
    facts, others = read_facts(item), read_facts(other)
    is_short = len(facts.words) <= MAX_ITEM_WORDS * (2 if facts.is_single else 1)
    datelines, credit_lines = (HAN_DATELINES, HAN_CREDITS) if facts.is_single else (DATELINES, CREDITS)
    names = {"Place": "Velmar", "place": "甲"}
    if others.words:
        names = {"Place": others.words[0].title(), "place": others.words[0][:1]}
    names |= {"day": str(dice.randint(1, 28)), "month": str(dice.randint(1, 12))}
    yield MadePair("same", True, item, item)
    yield MadePair("dateline", True, dice.choice(datelines).format(**names) + item, item)
    pair = (dice.choice(datelines).format(**names) + item for _ in range(2))
    yield MadePair("two datelines", True, *pair)
    yield MadePair("credit", True, item + dice.choice(credit_lines).format(**names), item)
    yield MadePair("misread", True, misread(item, dice.choice((0.01, 0.02, 0.04)), dice, digits=False), item)
    sentences = split_sentences(item)
    if len(sentences) >= 3:
        place = dice.randrange(len(sentences) - 1)
        sentences[place : place + 2] = (
            f"{part.rstrip()} " for part in reversed(sentences[place : place + 2])
        )
        yield MadePair("order", True, item, "".join(sentences))
    for edit in (_drop_words, _replace_words):
        if edited := edit(facts, others, dice):
            yield MadePair(edit.__name__.strip("_").replace("_", " "), True, item, edited)
    if edited := _other_numeral(facts, others, dice, in_digits=True):
        yield MadePair("in digits", True, item, edited)
    for kind, change, least in CHANGES:
        if (is_short or not least) and (edited := change(facts, others, dice)) and edited != item:
            yield MadePair(kind, False, item, edited)


def _edit_lead(sentences: Sequence[str], other: str, dice: Random) -> Iterator[MadePair]:
    """Reports, however long, whose first sentences say the opposite, or name another day or somebody else."""
    lead, rest = "".join(sentences[:1]).rstrip(), " ".join(map(str.strip, sentences[1:]))
    facts, others = read_facts(lead), read_facts(other)
    changes = [(kind, change) for kind, change, _ in CHANGES if kind in OF_LEADS]
    for kind, change in [*changes, ("other name", _other_name)] if rest else []:
        if edited := change(facts, others, dice):
            yield MadePair(f"{kind} in the lead", False, f"{lead} {rest}", f"{edited} {rest}")


def _put_under_headlines(text: str, title: str, sentences: Sequence[str], dice: Random) -> Iterator[MadePair]:
    """The beginning of a text under its headline and another one, made of one of its sentences."""
    facts = read_facts(text)
    long = 2 if facts.is_single else 1
    words = dice.choice((25, 25, 35, 45, 65))
    if title and len(sentences) >= 3 and len(facts.words) >= words:
        body = facts.source[: facts.ends[words - 1]]
        headline = read_facts(dice.choice(sentences[1:]).strip())
        last = min(9 * long, len(headline.words)) - 1
        made = headline.source[: headline.ends[last]] if headline.words else "-"
        yield MadePair("headlines", True, join_title(title, body), join_title(made, body))


def _cut_report(text: str, sentences: Sequence[str], dice: Random) -> Iterator[MadePair]:
    left_out = dice.sample(range(1, len(sentences)), 2 * max(1, len(sentences) // 5))
    half = len(left_out) // 2
    one, two = (_leave_out(sentences, {*some}) for some in (left_out[:half], left_out[half:]))
    yield MadePair("two cuts", True, one, two)
    kept = max(2, int(len(sentences) * dice.choice((0.7, 0.8, 0.9))))
    yield MadePair("cut", True, "".join(sentences[:kept]), text)
    text = text[:4_000]
    yield MadePair("misread report", True, misread(text, dice.choice((0.02, 0.04)), dice), text)
    share = dice.choice((0.01, 0.02, 0.04))
    yield MadePair("two misread reports", True, *(misread(text, share, dice) for _ in range(2)))
    if edited := _change_figures(text, dice, 1):
        yield MadePair("report with one other figure", True, edited, text)


def misread(text: str, share: float, dice: Random, *, digits: bool = True) -> str:
    """A text as scanners read it; in a short one no digit is misread: that would be another figure."""
    read = add_noise("ocr", text, share, dice)
    return read if digits or _DIGITS.findall(read) == _DIGITS.findall(text) else text


def _change_figures(text: str, dice: Random, most: int) -> str:
    """A text with other digits in at most so many numbers; "" without any."""
    found = [*_DIGITS.finditer(text)]
    changed = {match.start() for match in dice.sample(found, min(len(found), most))}

    def change(match: re.Match[str]) -> str:
        if match.start() not in changed:
            return match[0]
        return "".join(dice.choice([other for other in "123456789" if other != digit]) for digit in match[0])

    return _DIGITS.sub(change, text) if found else ""


# -- other facts in one form: each gives a text, or "" where there is nothing to change


def _with_words(facts: Facts, replaced: Mapping[int, str], size: int = 1) -> str:
    """The text with other words in some places, each for `size` words."""
    text = facts.source
    for place in sorted(replaced, reverse=True):
        start, word = facts.starts[place], replaced[place]
        word = word.title() if text[start].isupper() else word
        text = text[:start] + word + text[facts.ends[place + size - 1] :]
    return text


def _other_figures(facts: Facts, others: Facts, dice: Random) -> str:
    return _change_figures(facts.source, dice, 99) if len(_DIGITS.findall(facts.source)) > 1 else ""


def _other_numeral(facts: Facts, others: Facts, dice: Random, *, in_digits: bool = False) -> str:
    """The text with a number in words changed to another one, or written `in_digits`."""
    known = numerals(detect(facts.source))
    places = [place for place in facts.numbers if facts.words[place] in known]
    if not places:
        return ""
    place = dice.choice(places)
    digits = known[facts.words[place]]
    word = digits if in_digits else dice.choice([word for word in known if known[word] != digits])
    return _with_words(facts, {place: word})


def _other_day(facts: Facts, others: Facts, dice: Random) -> str:
    places = [place for place, number in facts.numbers.items() if number.name.startswith("d")]
    if not places:
        return ""
    place = dice.choice(places)
    days = next((days for days in weekdays() if facts.words[place] in days), ())
    left = [day for day in days if day != facts.words[place]]
    return _with_words(facts, {place: dice.choice(left)}) if left else ""


def _other_names(facts: Facts, others: Facts, dice: Random) -> str:
    """The text with two to four names of another text; in scripts without capitals, with rare characters."""
    names, more = _names(facts), [word for word in _names(others) if word not in facts.words]
    if len(names) < 2 or len(more) < 3:
        return ""
    chosen = {name: dice.choice(more) for name in dice.sample(names, min(len(names), dice.choice((2, 3, 4))))}
    places = {place: chosen[word] for place, word in enumerate(facts.words) if word in chosen}
    return _with_words(facts, places)


def _other_name(facts: Facts, others: Facts, dice: Random) -> str:
    """The text with one name of another text; in scripts without capitals, with two of its characters."""
    size = 2 if facts.is_single else 1
    known = name_characters() if facts.is_single else {*_names(facts)}
    more = [word for word in _names(others) if word not in facts.words]
    places = [
        place
        for place in range(len(facts.words) - size + 1)
        if known.issuperset(facts.words[place : place + size]) and place not in facts.numbers
    ]
    if not places or len(more) < size:
        return ""
    return _with_words(facts, {dice.choice(places): "".join(dice.sample(more, size))}, size)


def _names(facts: Facts) -> list[str]:
    """The words with a capital inside of sentences, or the rare characters that names are written with."""
    weights, characters = rarities(), name_characters()
    if facts.is_single:
        return [*dict.fromkeys(word for word in facts.words if word in characters and weights[word] > 2.5)]
    capital = (
        word for place, word in enumerate(facts.words[1:], 1) if facts.source[facts.starts[place]].isupper()
    )
    return [*dict.fromkeys(word for word in capital if word.isalpha() and len(word) > 3)]


def _other_form(facts: Facts, others: Facts, dice: Random) -> str:
    edited = _other_names(facts, others, dice)
    return _change_figures(edited, dice, 99) if edited and _DIGITS.search(edited) else ""


def _opposite(facts: Facts, others: Facts, dice: Random) -> str:
    known = opposites(detect(facts.source))
    found = [
        (place, size, phrase)
        for size in (1, 2)
        for place in range(len(facts.words) - size + 1)
        if (phrase := "_".join(facts.words[place : place + size])) in known
    ]
    if not found:
        return ""
    place, size, phrase = dice.choice(found)
    joined = "" if facts.is_single else " "
    return _with_words(facts, {place: dice.choice(known[phrase]).replace("_", joined)}, size)


def _without_negation(facts: Facts, others: Facts, dice: Random) -> str:
    known = negations(detect(facts.source))
    places = [place for place, word in enumerate(facts.words) if word in known]
    return _with_words(facts, {dice.choice(places): ""}) if places else ""


def _drop_words(facts: Facts, others: Facts, dice: Random) -> str:
    few = max(1, len(facts.words) // (80 if facts.is_single else 40))
    known = negations(detect(facts.source))
    places = [
        place for place, word in enumerate(facts.words) if place not in facts.numbers and word not in known
    ]
    left = dict.fromkeys(dice.sample(places, min(len(places), few)), "")
    return _with_words(facts, left)


def _replace_words(facts: Facts, others: Facts, dice: Random) -> str:
    """The text with one or two usual words of the other one in place of its own, as synonyms are."""
    mine, theirs = _usual_words(facts), [others.words[place] for place in _usual_words(others)]
    if not mine or not theirs:
        return ""
    places = {}
    for place in dice.sample(mine, min(len(mine), dice.choice((1, 1, 2)))):
        fitting = [word for word in theirs if not find_contrasts(facts.words[place : place + 1], [word])]
        places[place] = dice.choice(fitting or [facts.words[place]])
    return _with_words(facts, places)


def _usual_words(facts: Facts) -> list[int]:
    weights = rarities()
    known = negations(detect(facts.source))
    least, most = (0.8, 2.3) if facts.is_single else (MIN_KNOWN_WEIGHT, MAX_KNOWN_WEIGHT)
    return [
        place
        for place, word in enumerate(facts.words)
        if place not in facts.numbers
        and word not in known
        and least < weights[word] < most
        and not facts.source[facts.starts[place]].isupper()
    ]


Change = Callable[[Facts, Facts, Random], str]
CHANGES: Sequence[tuple[str, Change, bool]] = (
    ("other figures", _other_figures, False),
    ("one other figure", lambda facts, others, dice: _change_figures(facts.source, dice, 1), True),
    ("other numeral", _other_numeral, True),
    ("other day", _other_day, True),
    ("other names", _other_names, True),
    ("other names and figures", _other_form, False),
    ("opposite", _opposite, True),
    ("without negation", _without_negation, True),
)
"""What makes another story of a form: how it is called, and whether only in an item of MAX_ITEM_WORDS."""
OF_LEADS = frozenset(("opposite", "without negation", "other day"))
"""What makes another story of any text in its first sentence, besides one other name."""


# -- the tables of the product


@cache
def numerals(language: str) -> dict[str, str]:
    """The words for 2 to 20 of a language, folded, with their digits; {} for an unknown one."""
    for heading in (files("dupgroups.text") / "number_words.txt").read_text("utf-8").splitlines():
        name, *entries = heading.split()
        if name == language:
            pairs = (re.fullmatch(r"c?(\d+)=([^/]+).*", entry) for entry in entries)
            found = {pair[2]: pair[1] for pair in pairs if pair and 2 <= int(pair[1]) <= 20}
            return {
                word: digits for spelled, digits in found.items() for word in read_facts(spelled).words[:1]
            }
    return {}


@cache
def weekdays() -> list[tuple[str, ...]]:
    """The days of the week of each language, folded."""
    lines = (files("dupgroups.text") / "weekdays.txt").read_text("utf-8").splitlines()
    listed = (line.split()[1:] for line in lines if line and line[0] != "#")
    return [
        tuple(word for day in days for word in read_facts(day.split("/")[0]).words[:1]) for days in listed
    ]


@cache
def opposites(language: str) -> dict[str, list[str]]:
    """The words of a language that exclude others, with these."""
    found: dict[str, list[str]] = {}
    for heading, line in read_lines("contrasts.txt"):
        if heading.split()[0] == language:
            senses = [
                [word for word in sense.split() if word[0] not in "*=-" and word[-1] != "*"]
                for sense in line.split("|")
            ]
            for sense in senses:
                others = [word for more in senses if more is not sense for word in more]
                found |= {word: [*found.get(word, ()), *others] for word in sense if others}
    return found


@cache
def negations(language: str) -> frozenset[str]:
    """The words of a language that negate."""
    lines = (line.split() for heading, line in read_lines("negations.txt") if heading == "not")
    return frozenset(word for name, *words in lines if name == language for word in words if word.isalpha())
