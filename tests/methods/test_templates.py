"""Templates of hosts: what goes is what the pages share, what stays keeps its order, memory is bounded."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.methods.template_learner import PAGES, TemplateLearner
from dupgroups.methods.templates import Templates, runs_of, without
from dupgroups.text.sentences import tokens
from stories import story

MENU = "Home News Sport Weather Travel Food Letters Archive Jobs Contact About Us"
FOOT = "所有权利保留未经书面许可不得转载引用或镜像本站内容"

texts = st.lists(
    st.sampled_from([*"abcdefg", "中", "国", ".", "。", "\n", ", ", "3.5", "C"]), max_size=60
).map(" ".join)


def page(number: int) -> str:
    return f"{MENU}\n{story(str(number), 60)}\n{FOOT}"


def counted(pages: int) -> TemplateLearner:
    counts = TemplateLearner()
    for number in range(pages):
        counts.count("a.example", str(number), page(number))
    return counts


def covered(text: str, template: set[int], size: int) -> list[bool]:
    """Brute force: whether any known run covers a token."""
    runs = runs_of(text, size).tolist()
    return [
        any(runs[start] in template for start in range(max(0, at - size + 1), min(at + 1, len(runs))))
        for at in range(len(tokens(text)))
    ]


@given(texts, st.data(), st.integers(2, 5))
def test_exactly_the_covered_tokens_go(text: str, data: st.DataObject, size: int) -> None:
    runs = runs_of(text, size)
    known = data.draw(st.lists(st.sampled_from(runs.tolist()), max_size=4)) if len(runs) else []
    left = tokens(without(text, np.unique(np.array(known, np.uint32)), size)).hashes
    kept = ~np.array(covered(text, set(known), size), np.bool_)
    assert left.tolist() == tokens(text).hashes[kept].tolist()


def test_sentences_and_paragraphs_stay_apart() -> None:
    known = np.unique(runs_of("one two three four", 4))
    assert without("It rained. One two three four. It snowed.", known, 4) == "It rained.  It snowed."
    assert without("It rained one two\nthree four It snowed.", known, 4) == "It rained \nIt snowed."


def test_a_host_is_known_from_the_fourth_page() -> None:
    assert counted(3).templates.hosts == {}
    known = counted(4).templates
    assert known.strip("a.example", page(9)).strip() == story("9", 60)
    assert known.strip("b.example", page(0)) == known.strip("", page(0)) == page(0)


def test_pages_are_due_when_the_template_changes_and_only_then() -> None:
    counts, due = TemplateLearner(), {}
    for number in range(PAGES + 20):
        counts.count("a.example", str(number), page(number) + (" " + MENU[::-1] if number > 10 else ""))
        if ids := counts.due("a.example"):
            assert counts.due("a.example") == ids, "until it is said that they were signed"
            due[number + 1] = ids
            counts.signed("a.example")
    # at 8, 32, 64 and 128 pages nothing new was learned
    assert due == {learned: [str(number) for number in range(learned)] for learned in (4, 16)}


def test_many_hosts_stay_within_the_memory() -> None:
    counts = TemplateLearner(memory=200_000)
    for number in range(600):
        counts.count(f"host{number % 150}", str(number), f"{MENU}\n{story(str(number), 150)}")
    assert counts.forgotten > 0
    assert len(pickle.dumps(counts)) < 200_000


@pytest.mark.parametrize("stop", [0, 3, 4, 5, 40, PAGES])
def test_learning_goes_on_from_the_file_as_if_it_had_not_stopped(stop: int, tmp_path: Path) -> None:
    path = tmp_path / "hosts.npz"
    counted(stop).save(path)
    again = TemplateLearner.open(path)
    for number in range(stop, PAGES):
        again.count("a.example", str(number), page(number))
    assert again.templates.version == counted(PAGES).templates.version
    assert again.due("a.example") == counted(PAGES).due("a.example")
    assert not list(tmp_path.glob("*.part"))


DAMAGE = [
    ("run", np.array(1)),
    ("common", None),
    ("hosts", np.frombuffer(b"[" * 9_999, np.uint8)),
    ("sizes", np.array([2**63, 1], np.uint64)),
    ("runs", np.zeros((2, 2), np.uint32)),
    ("pages", np.array([[129, 0]])),
    ("ids", np.frombuffer(b"[1]", np.uint8)),
    ("counted_sizes", np.array([5])),
    ("counts", np.zeros(2, np.uint8)),
]


@pytest.mark.parametrize(("name", "array"), DAMAGE)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, name: str, array: np.ndarray | None) -> None:
    path = tmp_path / "hosts.npz"
    counted(9).save(path)
    with np.load(path) as file:
        arrays = {**file, name: array}
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    for opening in (TemplateLearner, Templates)[: 1 + (name in ("run", "common", "hosts", "sizes", "runs"))]:
        with pytest.raises(ConfigError, match=r"templates: cannot read '.*hosts\.npz'"):
            opening.open(path)
