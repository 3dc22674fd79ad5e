"""The agreements and contradictions of two texts, word by word.

The words are aligned (`dupgroups.methods.alignment`). Where both texts have words between the same words, one
was replaced by the other: numbers with other values and rare words that are not similar contradict. What only
one of the texts has contradicts nothing: editors cut and add. Nor does what stands at the ends of a text:
datelines, bylines and credits. A damaged text is compared as it would be without what was misread.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from dupgroups.methods.agreement import (
    FEW_TOKENS,
    SHORT_COPY_NUMBERS,
    TITLED_WORDS,
    Agreement,
    spell_words,
)
from dupgroups.methods.alignment import Alignment, Contradiction, contradiction_of
from dupgroups.text.contrasts import find_contrasts
from dupgroups.text.facts import CORRECTIONS, SHINGLE_WORDS, Facts
from dupgroups.text.hashing import Hashes
from dupgroups.text.number_values import agreeing_numbers
from dupgroups.text.scripts import DEVANAGARI, HANGUL
from dupgroups.text.sets import is_among

MIN_FOREIGN_SHARE = 0.4  # share of the words that the news do not have, from which every word seems rare ...
NAME, SHORT_WORD = 3.0, 4  # ... but a name weighs more, and what has fewer letters than a word nothing
# with titles that resemble so, and a correction or so many common numbers, a text was sent again
SENT_AGAIN_TITLE, SENT_AGAIN_NUMBERS = 0.49, 10
ALIGNED_RESEMBLANCE, ALIGNED_WORDS, ALIGNED_NUMBERS = 0.02, 0.3, 0.6  # what has less is not aligned ...
ALIGNED_STRANGE_WORDS, STRANGE = 0.1, 0.28  # ... but of texts with so many words that are none of the news
MANY_NAMES = 30.0  # weight of four names that both have: no form, where not every word seems rare
HEADED_WORDS = 0.3  # weighted resemblance of the words from which the subjects of their titles are compared
_DEVANAGARI, _HANGUL = chr(DEVANAGARI[0]), chr(HANGUL[0])  # from these on, words are written in fewer letters
_DATELINE = re.compile(r"\s*[^.\n]{1,60}?(?:[)）]\s*|\d\s)[-–—―]{1,2}\s")  # "VELMAR (Reuters) - "


def compare_facts(one: Facts, two: Facts) -> Agreement:
    """Find the agreement of two texts. Texts without words agree on nothing.

    They are aligned only where that may change whether they are copies, and in one order, whichever comes
    first: an alignment in reverse may be another one.
    """
    if one.text > two.text:
        found = compare_facts(two, one)
        found.swap()
        return found
    common = one.weights.keys() & two.weights.keys()
    weight = sum(map(one.weights.__getitem__, common))
    shared, sizes = _count_shared(one.shingles, two.shingles), (len(one.shingles), len(two.shingles))
    found = Agreement(
        length=min(one.length, two.length),
        characters=one.shingle != SHINGLE_WORDS,
        foreign=min(one.strange, two.strange) > MIN_FOREIGN_SHARE,
        resemblance=shared / max(1, sum(sizes) - shared),
        containment=shared / max(1, min(sizes)),
        sizes=sizes,
        words=weight / max(1e-9, one.weight + two.weight - weight),
        numbers=(agreeing_numbers(one.counted, two.counted), min(len(one.numbers), len(two.numbers))),
    )
    if found.is_short:
        found.titles, found.opposites = _titles(one, two), _opposites(one, two)
        if one.title and two.title and found.titles >= SENT_AGAIN_TITLE:
            found.corrected = _is_corrected(one, two)
            found.sent_again = found.corrected or found.numbers[0] >= SENT_AGAIN_NUMBERS
        _add_other_words(found, one, two)
        enough = found.words >= ALIGNED_WORDS and found.numbers_agree(ALIGNED_NUMBERS)
        may_be_damaged = enough and not found.characters  # two misread characters and another name look alike
        is_aligned = may_be_damaged and not found.is_settled
    else:
        is_near = found.resemblance >= ALIGNED_RESEMBLANCE or found.words >= ALIGNED_WORDS
        is_aligned = is_near or _may_be_misread(found, one, two)
    if is_aligned:
        _align(found, one, two)
    if found.length < FEW_TOKENS and found.words >= HEADED_WORDS and one.title and two.title:
        has_names = not found.foreign and _names_in_common(one, two) >= MANY_NAMES
        found.headings = () if has_names else _headings(one, two)
    return found


def _may_be_misread(found: Agreement, one: Facts, two: Facts) -> bool:
    """Whether texts with few words in common have many that may have been misread."""
    return found.words >= ALIGNED_STRANGE_WORDS and min(one.strange, two.strange) > STRANGE


def _add_other_words(found: Agreement, one: Facts, two: Facts) -> None:
    """Add what only one of two short texts has, where they agree on enough to ask."""
    may_agree = found.corrected or found.numbers_agree(ALIGNED_NUMBERS)
    if found.words < ALIGNED_WORDS or not may_agree:
        here = tuple(word for word in one.rare_words if word not in two.weights)
        there = tuple(word for word in two.rare_words if word not in one.weights)
        found.others_differ = ((here, there),) if here and there and found.words >= ALIGNED_WORDS else ()
        found.numbers_differ = _other_numbers(one, two)
        return
    found.subjects = _subjects([(tuple(one.rare_words), tuple(two.rare_words))], one, two)
    if not found.characters and found.length < TITLED_WORDS:
        weight, differ = contradiction_of(_first_words(one, two), _first_words(two, one))
        found.subjects = (differ, *found.subjects) if weight else found.subjects
    other, differ = contradiction_of(*(_own_words(found, a, b) for a, b in ((one, two), (two, one))))
    if other:
        found.other_words = other / (other + _rare_words(one, two)[0])
        found.others_differ = (differ,)
    if not found.numbers_agree(SHORT_COPY_NUMBERS):
        found.numbers_differ = _other_numbers(one, two)


def _own_words(found: Agreement, one: Facts, two: Facts) -> dict[str, float]:
    """The rare words of a text that the other one lacks: names weigh more where all words seem rare."""
    own = {word: weight for word, weight in one.rare_words.items() if word not in two.weights}
    if not found.foreign or found.characters:
        return own
    spelled = {word: one.spell(word) for word in own}
    return {
        word: NAME * weight if spelled[word][0].isupper() else weight
        for word, weight in own.items()
        if len(word) >= _least_letters(word[0]) or spelled[word].isupper()
    }


def _subjects(differ: Iterable[Contradiction], one: Facts, two: Facts) -> tuple[Contradiction, ...]:
    """Of words in place of each other the names that come again in one text and never in the other one."""
    pairs = (
        contradiction_of(_repeated_names(one, here, two), _repeated_names(two, there, one))
        for here, there in differ
    )
    return tuple(words for weight, words in pairs if weight)


def _repeated_names(facts: Facts, words: Iterable[str], other: Facts) -> dict[str, float]:
    """The weights of those of these rare words that come again, that the other text lacks, and that may be
    names.
    """
    own = (word for word in words if word not in other.weights and facts.tokens.count(word) > 1)
    return {word: facts.rare_words[word] for word in own if _may_be_name(facts, word)}


def _may_be_name(facts: Facts, word: str) -> bool:
    """Whether a word has a capital, where its script has capitals, or else is no particle."""
    if word[0].upper() != word[0]:
        return facts.spell(word)[0].isupper() and word not in CORRECTIONS
    return facts.shingle != SHINGLE_WORDS or len(word) >= _least_letters(word[0])


def _first_words(one: Facts, two: Facts) -> dict[str, float]:
    """The names of a text before the first word that the other text has, too, with their weights; those of
    its dateline do not count.
    """
    dateline = _DATELINE.match(one.text.rpartition("\f")[2])
    start = one.title + (len(re.findall(r"\w+", dateline[0])) if dateline else 0)
    own = itertools.takewhile(lambda word: word not in two.weights, one.tokens[start:])
    return {word: one.rare_words[word] for word in own if word in one.rare_words and _may_be_name(one, word)}


def _is_corrected(one: Facts, two: Facts) -> bool:
    """See `Agreement.corrected`."""
    if not (one.is_correction or two.is_correction):
        return False
    few, many = sorted((one.counted.keys(), two.counted.keys()), key=len)
    return len(few) - 1 <= len(few & many) > 0


def _least_letters(first: str) -> int:
    """The letters from which what begins with this one is a word, and no particle."""
    return 1 if first >= _HANGUL else SHORT_WORD - (first >= _DEVANAGARI)


def _titles(one: Facts, two: Facts) -> float:
    """See `Agreement.titles`."""
    a, b = set(one.tokens[: one.title]), set(two.tokens[: two.title])
    if not a or not b:
        return 1.0
    weights = one.weights | two.weights
    return sum(map(weights.__getitem__, a & b)) / max(1e-9, sum(map(weights.__getitem__, a | b)))


def _headings(one: Facts, two: Facts) -> tuple[Contradiction, ...]:
    """See `Agreement.headings`."""
    (here, shared_here), (there, shared_there) = _heading(one, two), _heading(two, one)
    if sum(here.values()) <= shared_here or sum(there.values()) <= shared_there:
        return ()
    weight, differ = contradiction_of(here, there)
    return (differ,) if weight else ()


def _names_in_common(one: Facts, two: Facts) -> float:
    """The weight of the capitalized rare words that both texts have; 0 in scripts without capitals."""
    common = (word for word in one.rare_words if word in two.weights and word[0].upper() != word[0])
    return sum(one.rare_words[word] for word in common if _may_be_name(one, word))


def _heading(facts: Facts, other: Facts) -> tuple[dict[str, float], float]:
    """The weights of the rare words of a title that only its own text has, and the weight of those, but for
    particles, that the other text has, too.
    """
    rare = facts.rare_words
    title = [word for word in dict.fromkeys(facts.tokens[: facts.title]) if word in rare]
    own = [word for word in title if word not in other.weights]
    body = facts.tokens[facts.title :] if own else ()
    is_word = facts.shingle == SHINGLE_WORDS
    shared = (word for word in title if word in other.weights)
    weight = sum(rare[word] for word in shared if not is_word or len(word) >= _least_letters(word[0]))
    return {word: rare[word] for word in own if word in body}, weight


def _other_numbers(one: Facts, two: Facts) -> tuple[Contradiction, ...]:
    """The numbers that only one of the texts has."""
    here, there = (
        tuple(dict.fromkeys(a.words[place] for place, number in a.numbers.items() if number not in b.counted))
        for a, b in ((one, two), (two, one))
    )
    return ((here, there),) if here and there else ()


def _opposites(one: Facts, two: Facts) -> tuple[Contradiction, ...]:
    """The words that only one of the texts has and a word that only the other one has exclude one another."""
    here = [word for word in one.weights if word not in two.weights and word[0] != "#"]
    there = [word for word in two.weights if word not in one.weights and word[0] != "#"]
    return tuple(((a,), (b,)) for a, b in find_contrasts(here, there))


def _rare_words(one: Facts, two: Facts) -> tuple[float, float, float]:
    """The weight of the rare words that both have, and of those that only the first or the second one has."""
    common = sum(map(one.rare_words.__getitem__, one.rare_words.keys() & two.weights.keys()))
    return common, one.rare_weight - common, two.rare_weight - common


def _align(found: Agreement, one: Facts, two: Facts) -> None:
    """Add what the alignment of both texts says."""
    pair = Alignment.of(one, two)
    if pair.misread:
        shingles = pair.mended_shingles()
        shared, size = _count_shared(shingles, two.shingles), len(two.shingles)
        found.resemblance = shared / max(1, len(shingles) + size - shared)
        found.containment = shared / max(1, min(len(shingles), size))
        found.sizes = (len(shingles), size)
        found.words, found.numbers = pair.mended_words(), pair.mended_numbers()
        found.damage, found.mended = pair.damage, True
    if found.is_short:
        return
    found.changed_numbers, found.numbers_differ = pair.changed_numbers()
    changed, found.words_differ = pair.changed_words()
    common, only_one, only_two = _rare_words(one, two)
    misread_one, misread_two = pair.misread_rare_words()
    only_one, only_two = only_one - misread_one, only_two - misread_two
    found.subjects = _subjects(found.words_differ, one, two) if found.length < FEW_TOKENS else ()
    found.changed_words = changed / (changed + common) if changed else 0.0
    found.other_words = min(only_one, only_two) / max(1e-9, min(only_one, only_two) + common)


def _count_shared(a: Hashes, b: Hashes) -> int:
    small, large = sorted((a, b), key=len)
    return int(is_among(small, large).sum())


def contradicting_facts(one: Facts, two: Facts) -> tuple[tuple[str, str], ...]:
    """The numbers, rare words and opposites in which two texts contradict each other, as each spells them."""
    found = compare_facts(one, two)
    differ = (*found.numbers_differ, *found.words_differ, *found.opposites)
    return tuple(dict.fromkeys((spell_words(one, here), spell_words(two, there)) for here, there in differ))
