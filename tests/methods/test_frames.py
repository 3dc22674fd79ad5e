"""Frames: what different stories share goes, and what copies of one share stays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.methods.frames import (
    MAX_RUNS,
    MIN_PASSAGE_RUNS,
    NO_FRAMES,
    NO_RUNS,
    OF_ONE_SITE,
    OF_SITES,
    OF_TWO_DAYS,
    RUN_CHARS,
    RUN_WORDS,
    Demand,
    Frames,
    _read,
    decode_runs,
    encode_runs,
)
from dupgroups.text.facts import join_title
from dupgroups.text.sentences import tokens
from stories import story

NOTICE = story("notice", 60)
STORIES = [story(str(number), 60) for number in range(9)]

texts = st.lists(
    st.sampled_from([*"abcdefg", "中", "国", ".", "。", "\n", ", ", "3.5", "C"]), max_size=60
).map(" ".join)


def left(texts: list[str], demand: Demand = OF_ONE_SITE) -> list[str]:
    """The texts without the frames that they teach."""
    found = NO_FRAMES.add(NO_FRAMES.find_new(texts, demand))
    return [found.strip(text).strip() for text in texts]


@pytest.mark.parametrize(("demand", "least"), [(OF_TWO_DAYS, 2), (OF_ONE_SITE, 3), (OF_SITES, 4)])
def test_what_enough_different_stories_share_is_left_out(demand: Demand, least: int) -> None:
    framed = [f"{text}\n{NOTICE}" for text in STORIES]
    assert left(framed[: least - 1], demand) == framed[: least - 1]
    assert left(framed[:least], demand) == STORIES[:least]


def test_a_frame_may_stand_before_the_stories_if_these_begin_soon() -> None:
    column = " ".join(NOTICE.split()[:16])
    framed = [f"{column} {text}" for text in STORIES]
    assert left(framed) == STORIES


def test_a_column_has_one_opening_and_one_foot() -> None:
    column = story("column", 60)
    assert left([f"{column} {text} {NOTICE}" for text in STORIES]) == STORIES


@pytest.mark.parametrize(
    "others",
    [
        [NOTICE] * 9,  # printed again
        [f"{NOTICE}\n{text}" for text in STORIES],  # with other notes below
        [f"{' '.join(NOTICE.split()[:number])}\n{STORIES[0]}" for number in (20, 40, 60)],  # cut
        [f"VELMAR, Aug {number} - {NOTICE}" for number in range(1, 10)],  # under other datelines
        [f"{STORIES[0]} {NOTICE} {STORIES[number]}" for number in range(1, 4)],  # a round-up that grows
        [f"{STORIES[0]} {' '.join(text.split()[:34])} {NOTICE}" for text in STORIES[1:]],  # notes and a foot
    ],
)
def test_what_the_copies_of_one_story_share_stays(others: list[str]) -> None:
    assert left(others) == others
    assert left(others, OF_SITES) == others


def test_a_report_to_which_papers_put_a_sentence_of_their_own_stays() -> None:
    report = story("report", 100)
    papers = [f"{' '.join(text.split()[:25])}.\n{report}" for text in STORIES]
    assert left(papers, OF_SITES) == papers


def test_texts_that_have_half_of_their_own_words_in_common_are_cuts_of_one_story() -> None:
    sentences = [story(f"long {number}", 30) for number in range(4)]
    cuts = [f"{sentences[a]} {sentences[b]} {NOTICE}" for a, b in [(0, 1), (1, 2), (2, 3), (3, 0)]]
    assert left(cuts) == cuts


def test_a_frame_is_left_out_of_all_that_have_it_and_short_formulas_are_not() -> None:
    known = NO_FRAMES.add(NO_FRAMES.find_new([f"{text} {NOTICE}" for text in STORIES], OF_ONE_SITE))
    assert known.strip(f"Another one. {STORIES[8]} {NOTICE}").strip() == f"Another one. {STORIES[8]}"
    words = NOTICE.split()
    shorter = int(MIN_PASSAGE_RUNS * RUN_WORDS) - 1
    text = f"{STORIES[8]} {' '.join(words[:shorter])}"
    assert known.strip(text) == text
    assert known.list_passages(f"Title\f{STORIES[8]} {NOTICE}") == [NOTICE]


def test_a_text_of_nothing_but_frames_is_compared_by_its_title_or_whole() -> None:
    known = NO_FRAMES.add(NO_FRAMES.find_new([f"{text}\n{NOTICE}" for text in STORIES], OF_ONE_SITE))
    assert known.strip(NOTICE) == NOTICE
    assert known.strip(join_title("Ferry sinks", NOTICE)).split() == ["Ferry", "sinks", "Ferry", "sinks"]


def test_what_people_deny_is_not_learned_again() -> None:
    framed = [f"{text}\n{NOTICE}" for text in STORIES]
    runs = NO_FRAMES.find_new(framed, OF_ONE_SITE)
    denied = Frames(denied=runs)
    assert not len(denied.find_new(framed, OF_ONE_SITE))
    assert not len(denied.add(runs).runs)
    assert not len(NO_FRAMES.add(runs).find_new(framed, OF_ONE_SITE)), "nor is what is known"


def test_no_more_runs_are_known_than_there_is_room_for() -> None:
    almost = Frames(np.arange(MAX_RUNS - 1, dtype=np.uint32))
    full = almost.add(np.array([MAX_RUNS + 5, MAX_RUNS + 9], np.uint32))
    assert full.runs[-2:].tolist() == [MAX_RUNS - 2, MAX_RUNS + 5]
    assert not len(full.find_new([f"{text}\n{NOTICE}" for text in STORIES], OF_ONE_SITE))


def test_runs_that_are_kept_are_read_as_they_were() -> None:
    runs = _read(NOTICE).ordered
    assert decode_runs(encode_runs(runs)).tolist() == runs.tolist()
    assert decode_runs(encode_runs(NO_RUNS)).tolist() == []


def covered(text: str, known: set[int]) -> list[bool]:
    """Brute force: the tokens of passages that are long enough and that known runs cover."""
    read = _read(text)
    size, runs = read.size, read.runs.tolist()
    starts = [start for start in range(len(runs)) if runs[start] in known]
    marks = [any(start <= at < start + size for start in starts) for at in range(len(read.tokens))]
    kept = list(marks)
    at = 0
    while at < len(marks):
        end = at
        while end < len(marks) and marks[end]:
            end += 1
        if end - at < MIN_PASSAGE_RUNS * size:
            kept[at:end] = [False] * (end - at)
        at = max(end, at + 1)
    return kept


@given(st.lists(texts, min_size=1, max_size=4).map(" ".join), st.data())
def test_exactly_the_covered_tokens_go_and_none_is_added(text: str, data: st.DataObject) -> None:
    runs = _read(text).runs
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(runs))] * 2)))
    known = np.unique(runs[start:end])
    gone = np.array(covered(text, {*known.tolist()}), np.bool_)
    rest = tokens(text).hashes[~gone]
    if gone.any() and len(rest) >= 8:
        assert tokens(Frames(known).strip(text)).hashes.tolist() == rest.tolist()
    else:
        assert Frames(known).strip(text) == text


def test_sentences_and_paragraphs_stay_apart() -> None:
    words = NOTICE.split()
    known = Frames(_read(NOTICE).ordered)
    rest = "It rained. " * 9
    assert known.strip(f"{rest}{' '.join(words)} It snowed.") == f"{rest} It snowed."
    broken = f"{' '.join(words[:9])}\n{' '.join(words[9:])}".rstrip(".")
    assert known.strip(f"{rest}{broken} It snowed.") == f"{rest}\nIt snowed."


def test_runs_of_scripts_without_blanks_are_longer() -> None:
    assert _read("所有权利保留未经书面许可不得转载引用或镜像本站内容").size == RUN_CHARS > RUN_WORDS
