"""Two texts side by side: what both have, in the same order, and where they differ.

The longest common subsequence of their words (bit-parallel, so that also hostile texts take little time)
aligns them. A common word between long differences is a coincidence and counts as a difference (the "semantic
cleanup" of diff-match-patch). Paragraphs that share words stand in one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from rapidfuzz.distance import LCSseq

from dupgroups.text.sentences import characters, token_spans, tokens

MIN_LINKING_WORDS = 3  # words in a row that put two paragraphs into one row, if there are any such runs
MAX_COMPARED_WORDS = 10_000  # words of each text that are compared; in scripts without blanks, characters


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a paragraph; `common`: whether the other text has it too, at the same place."""

    text: str
    common: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Paragraphs of both texts that belong together, each as passages; () where the other text has none."""

    left: tuple[tuple[Passage, ...], ...]
    right: tuple[tuple[Passage, ...], ...]

    @property
    def same(self) -> bool:
        """Whether both sides have the same words."""
        sides = (self.left, self.right)
        return all(side and all(part.common for line in side for part in line) for side in sides)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The rows in order. `common`: words that both texts have; `words`: those of each text that are compared;
    `cut`: whether one of the texts is longer than that.
    """

    rows: tuple[Row, ...]
    common: int
    words: tuple[int, int]
    cut: bool


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text: hashes, and where each begins and ends; `text` is cut after the last of them."""

    text: str
    hashes: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    cut: bool

    @classmethod
    def of(cls, text: str, most: int) -> _Words:
        starts, ends = (places.tolist() for places in token_spans(characters(text)[1]))
        cut = len(starts) > most
        kept = text[: ends[most - 1]] if cut else text
        return cls(kept, tokens(text).hashes[:most].tolist(), starts[:most], ends[:most], cut)


def align(a: str, b: str, most: int = MAX_COMPARED_WORDS) -> Alignment:
    """Both texts in rows, of each at most `most` words; no rows if both are empty."""
    one, two = _Words.of(a, most), _Words.of(b, most)
    runs = [*_runs(one.hashes, two.hashes)]
    left = _paragraphs(one, {place for start, _, size in runs for place in range(start, start + size)})
    right = _paragraphs(two, {place for _, start, size in runs for place in range(start, start + size)})
    long = [run for run in runs if run[2] >= MIN_LINKING_WORDS] or runs
    links = _links(_homes(one), _homes(two), long)
    common, words = sum(size for *_, size in runs), (len(one.starts), len(two.starts))
    return Alignment(tuple(_rows(left, right, links)), common, words, cut=one.cut or two.cut)


def _runs(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The common runs (start in a, start in b, size) that are not coincidences."""
    common = LCSseq.editops(a, b).as_matching_blocks()  # an empty one comes last
    end_a = end_b = 0
    for (start_a, start_b, size), (next_a, next_b, _) in pairwise((one.a, one.b, one.size) for one in common):
        before = max(start_a - end_a, start_b - end_b)
        after = max(next_a - start_a - size, next_b - start_b - size)
        if size >= before or size >= after:
            while start_a > end_a and start_b > end_b and a[start_a - 1] == b[start_b - 1]:
                start_a, start_b, size = start_a - 1, start_b - 1, size + 1  # over a coincidence left out
            yield start_a, start_b, size
            end_a, end_b = start_a + size, start_b + size


def _homes(words: _Words) -> list[int]:
    homes, line, at = [], 0, 0
    for start in words.starts:
        line += words.text.count("\n", at, start)
        homes.append(line)
        at = start
    return homes


def _paragraphs(words: _Words, common: set[int]) -> list[tuple[Passage, ...]]:
    """The paragraphs of a text, in passages that begin with a word (the first one: with the paragraph)."""
    lines: list[tuple[Passage, ...]] = []
    word, start = 0, 0
    for line in words.text.split("\n"):
        end = start + len(line)
        first = word
        while word < len(words.starts) and words.starts[word] < end:
            word += 1
        lines.append(_passages(words, start, end, range(first, word), common))
        start = end + 1
    return lines


def _passages(words: _Words, start: int, end: int, inside: range, common: set[int]) -> tuple[Passage, ...]:
    if start == end:
        return ()
    parts = [(shared, [*places]) for shared, places in groupby(inside, lambda place: place in common)]
    bounds = [start, *(words.starts[places[0]] for _, places in parts[1:]), end]
    texts = [words.text[first:last] for first, last in pairwise(bounds)]
    pairs = zip(texts, parts or [(True, [])], strict=True)
    return tuple(Passage(text, shared) for text, (shared, _) in pairs)


def _links(
    homes_a: Sequence[int], homes_b: Sequence[int], runs: Sequence[tuple[int, int, int]]
) -> list[tuple[int, int]]:
    """The pairs of paragraphs that share a run, ascending in both."""
    words = ((start_a + step, start_b + step) for start_a, start_b, size in runs for step in range(size))
    return [*dict.fromkeys((homes_a[one], homes_b[two]) for one, two in words)]


def _rows(
    left: Sequence[tuple[Passage, ...]],
    right: Sequence[tuple[Passage, ...]],
    links: Sequence[tuple[int, int]],
) -> Iterator[Row]:
    at_left = at_right = 0
    for first, last in _bundles(links):
        yield from _fill_row(left[at_left : first[0]], right[at_right : first[1]])
        at_left, at_right = last[0] + 1, last[1] + 1
        yield from _fill_row(left[first[0] : at_left], right[first[1] : at_right])
    yield from _fill_row(left[at_left:], right[at_right:])


def _fill_row(left: Sequence[tuple[Passage, ...]], right: Sequence[tuple[Passage, ...]]) -> Iterator[Row]:
    row = Row(tuple(filter(None, left)), tuple(filter(None, right)))
    if row.left or row.right:
        yield row


def _bundles(links: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The first and the last link of each bundle of links that meet in a paragraph."""
    bundle: list[tuple[int, int]] = []
    for link in links:
        if bundle and link[0] > bundle[-1][0] and link[1] > bundle[-1][1]:
            yield bundle[0], bundle[-1]
            bundle = []
        bundle.append(link)
    if bundle:
        yield bundle[0], bundle[-1]
