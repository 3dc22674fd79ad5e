"""Templates of hosts: what goes is what the pages share, what stays keeps its order, memory is bounded."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import part_keys_of
from dupgroups.methods.signatures.minhash import MinHash
from dupgroups.methods.signatures.wrappers import WithoutTemplate
from dupgroups.methods.templates import Templates, cut_template, runs_of
from dupgroups.model import Content
from dupgroups.text.sentences import tokens
from dupgroups_papers.corpus.template_learner import MAX_HOST_PAGES, TemplateLearner
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
        counts.count("a.example", page(number))
    return counts


def test_neither_a_signature_nor_the_keys_of_parts_are_of_a_template() -> None:
    signer = WithoutTemplate(MinHash(), counted(9).templates)
    one, two = (Content(page(number), url="https://a.example/") for number in (1, 2))
    assert set(signer(one).keys) <= set(part_keys_of(signer, one))
    assert set(part_keys_of(signer, one)).isdisjoint(part_keys_of(signer, two))
    assert not set(part_keys_of(MinHash(), one)).isdisjoint(part_keys_of(MinHash(), two))


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
    left = tokens(cut_template(text, np.unique(np.array(known, np.uint32)), size)).hashes
    kept = ~np.array(covered(text, set(known), size), np.bool_)
    assert left.tolist() == tokens(text).hashes[kept].tolist()


def test_sentences_and_paragraphs_stay_apart() -> None:
    known = np.unique(runs_of("one two three four", 4))
    assert cut_template("It rained. One two three four. It snowed.", known, 4) == "It rained.  It snowed."
    assert cut_template("It rained one two\nthree four It snowed.", known, 4) == "It rained \nIt snowed."


def test_a_host_is_known_from_the_fourth_page() -> None:
    assert counted(3).templates.hosts == {}
    known = counted(4).templates
    assert known.strip("a.example", page(9)).strip() == story("9", 60)
    assert known.strip("b.example", page(0)) == known.strip("", page(0)) == page(0)


def test_a_page_without_a_host_is_not_counted() -> None:
    counts = TemplateLearner()
    for _ in range(9):
        counts.count("", page(1))
    assert counts.templates.hosts == {}


def test_a_story_printed_three_times_is_not_a_template() -> None:
    counts = TemplateLearner()
    for number in range(20):
        counts.count("a.example", page(number % 7))
    assert counts.templates.strip("a.example", page(6)).count(story("6", 60)) == 1


def test_no_more_than_128_pages_of_a_host_are_counted() -> None:
    assert counted(MAX_HOST_PAGES + 9).templates.version == counted(MAX_HOST_PAGES).templates.version


def test_many_hosts_stay_within_the_memory() -> None:
    counts = TemplateLearner(memory=200_000)
    for number in range(600):
        counts.count(f"host{number % 150}", f"{MENU}\n{story(str(number), 150)}")
    assert counts.forgotten > 0
    assert len(pickle.dumps(counts)) < 200_000


DAMAGE = [
    ("run", np.array(1)),
    ("common", None),
    ("hosts", np.frombuffer(b"[" * 9_999, np.uint8)),
    ("sizes", np.array([2**63, 1], np.uint64)),
    ("runs", np.zeros((2, 2), np.uint32)),
    ("runs", np.zeros(3)),
    ("runs", None),
]


@pytest.mark.parametrize(("name", "array"), DAMAGE)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, name: str, array: np.ndarray | None) -> None:
    path = tmp_path / "hosts.npz"
    counted(9).templates.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays.pop(name)
    np.savez(path, **arrays, **({} if array is None else {name: array}))
    with pytest.raises(ConfigError, match=r"templates: cannot read '.*hosts\.npz'"):
        Templates.open(path)
