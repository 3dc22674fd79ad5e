"""Scores of extraction, labels of blocks, and training on made pages."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.pages import HEADLINE, STORY, news_page
from dupgroups.content.auto import Auto, Network
from dupgroups.content.blocks import divide
from dupgroups.errors import InputError
from dupgroups_lab.extraction.scores import block_hits, block_score, validated
from dupgroups_lab.labels.pages import read_pack
from dupgroups_lab.measures.shingle_agreement import Agreement, agreement, score
from dupgroups_lab.training.labels import LexiconCounts, align
from dupgroups_lab.training.methods import TRAINERS, Trained, cross_validated
from dupgroups_lab.training.network import Example, read_examples, train


def test_agreement_counts_shingles_of_four() -> None:
    assert agreement("a b c d e", "a b c d e", "en") == Agreement(1.0, 1.0, 1.0)
    assert agreement("a b c d e", "a b c d", "en") == Agreement(1.0, 0.5, 2 / 3)
    assert agreement("a b c d", "", "en") == Agreement(None, 0.0, 0.0)
    assert agreement("渡轮撞上码头", "渡轮撞上", "zh") == Agreement(1.0, 1 / 3, 0.5)


def benchmark(pairs: Sequence[tuple[str, str]], tokens: str) -> tuple[float, float, float]:
    """P, R and F1 by the words of article-extraction-benchmark, of pairs of gold and found text."""

    def occurrences(text: str) -> list[tuple[str, int]]:
        """Each shingle with the number of those like it before: multisets become sets."""
        cut = re.findall(tokens, text)
        runs = [tuple(cut[at : at + 4]) for at in range(max(1, len(cut) - 3)) if cut]
        return [(run, runs[:at].count(run)) for at, run in enumerate(runs)]

    precisions, recalls = [], []
    for gold, found in pairs:
        wanted, got = set(occurrences(gold)), set(occurrences(found))
        precisions += [len(wanted & got) / len(got)] if got else []
        recalls += [len(wanted & got) / len(wanted)] if wanted else []
    precision = sum(precisions) / len(precisions) if precisions else 0.0
    recall = sum(recalls) / len(recalls) if recalls else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


texts = st.lists(st.sampled_from([*"ab c, é 渡轮撞\n", "ab ", "B ", "… "]), max_size=30).map("".join)


@given(st.lists(st.tuples(texts, texts), max_size=5), st.sampled_from(["en", "zh"]))
def test_scores_are_those_of_the_benchmark(pairs: list[tuple[str, str]], language: str) -> None:
    found = score(agreement(*each, language) for each in pairs)
    told = benchmark(pairs, r"\w" if language == "zh" else r"\w+")
    assert (found.precision, found.recall, found.f1) == pytest.approx(told)


def test_score_leaves_pages_without_an_answer_out_of_precision() -> None:
    found = score([Agreement(1.0, 0.5, 2 / 3), Agreement(None, 0.0, 0.0)])
    assert (found.precision, found.recall, found.f1) == (1.0, 0.25, 0.4)
    assert score([]).f1 == 0


def test_blocks_of_the_gold_are_labelled_and_the_headline_is_not() -> None:
    page = divide(news_page())
    labels = align(page, "\n".join((HEADLINE, *STORY)), HEADLINE)
    labelled = [block.text for block, share in zip(page.blocks, labels.share, strict=True) if share > 0.5]
    assert labelled == list(STORY)


def test_a_word_weighs_what_sites_make_of_it_and_not_how_often() -> None:
    counts = LexiconCounts(prior=0.5, min_sites=2)
    counts.add("loud", ["share"], 1.0, 1000)
    for site in ("a", "b", "c"):
        counts.add(site, ["share"], 0.0, 1)
    counts.add("a", ["rare"], 1.0, 1)
    assert set(counts.weights()) == {"share"}
    assert counts.weights()["share"] < 0
    without = counts.without("loud")("share")
    assert without is not None
    assert without < counts.weights()["share"]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs") / "made"
    folder.mkdir()
    with gzip.open(folder / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        for number in range(300):
            story = tuple(f"{each} Case {number}." for each in STORY)
            row = {
                "id": str(number),
                "site": f"s{number % 6}",
                "url": None,
                "lang": "en",
                "page_type": "article",
            }
            row |= {"html": news_page(story=story), "text": "\n".join(story)}
            lines.write(json.dumps(row) + "\n")
    return folder


@pytest.mark.slow
def test_training_learns_is_reproducible_and_survives_a_file(pack: Path, tmp_path: Path) -> None:
    examples = list(read_examples([pack]))
    network = train(examples)
    again = train(examples)
    assert np.array_equal(network.hidden, again.hidden)
    assert network.names == again.names
    network.save(tmp_path / "weights.npz")
    stored = Network.load(tmp_path / "weights.npz")
    first = examples[0]
    kept = Auto().select(first.blocks, stored.probabilities(first.blocks, first.title))
    assert "\n".join(first.blocks.blocks[at].text for at in kept) == first.page.text


@pytest.mark.parametrize("sites_apart", [True, False])
def test_cross_validation_judges_every_page_by_what_others_taught(pack: Path, sites_apart: bool) -> None:
    examples = list(read_examples([pack]))[:24]
    taught: list[set[str]] = []

    def trainer(given: Sequence[Example]) -> Trained:
        taught.append({each.page.site if sites_apart else each.page.id for each in given})
        return Trained(lambda each: [len(taught)], lambda path: None)

    kept = cross_validated(examples, 2, trainer, sites_apart=sites_apart)
    assert len(taught) == 2
    assert not taught[0] & taught[1]
    for each, (at,) in zip(examples, kept, strict=True):
        assert (each.page.site if sites_apart else each.page.id) not in taught[at - 1]


def test_a_language_with_many_pages_among_others_has_a_row_of_its_own(pack: Path) -> None:
    examples = list(read_examples([pack]))[:30]
    mixed = [
        replace(each, page=replace(each.page, language="zh")) if index < 4 else each
        for index, each in enumerate(examples)
    ]
    nothing = Trained(lambda each: [], lambda path: None)
    rows = [validated(given, 2, lambda _: nothing)[0] for given in (mixed, examples)]
    assert {row: found.pages for row, found in rows[0].items()} == {"made": 30, "made, en": 26}
    assert list(rows[1]) == ["made"]


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(set(TRAINERS) - {"auto"}))
def test_each_method_learns_the_articles_of_a_pack(pack: Path, method: str) -> None:
    examples = list(read_examples([pack]))[:60]
    trained = TRAINERS[method](examples)
    found = block_score(block_hits(each.labels, trained.kept(each)) for each in examples)
    assert (found.precision, found.recall, found.exact) == (1, 1, 1)


@pytest.mark.slow
def test_learned_weights_are_reproducible(pack: Path, tmp_path: Path) -> None:
    examples = list(read_examples([pack]))[:24]
    for method, trainer in TRAINERS.items():
        files = [tmp_path / f"{method}{number}.npz" for number in (1, 2)]
        for each in files:
            trainer(examples).save(each)
        assert contents(files[0]) == contents(files[1])


def contents(path: Path) -> dict[str, bytes]:
    with np.load(path) as stored:
        return {name: stored[name].tobytes() for name in stored.files}


def test_a_folder_that_is_no_pack_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pages\.jsonl\.gz"):
        list(read_pack(tmp_path))


ROW = {"id": "1", "site": "s", "url": None, "lang": "en", "page_type": "article", "html": "<p>x", "text": "x"}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "line 2, is no labelled page: Expecting"),
        ("[]", "line 2, is no labelled page: it is no object"),
        (json.dumps(ROW | {"html": None}), "line 2, .* no string"),
        (json.dumps({key: ROW[key] for key in ROW if key != "site"}), "line 2, .* it has no 'site'"),
    ],
)
def test_a_line_that_is_no_page_is_named(tmp_path: Path, line: str, what: str) -> None:
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(f"{json.dumps(ROW)}\n{line}\n")
    with pytest.raises(InputError, match=what):
        list(read_pack(tmp_path))


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl.gz"
    for broken in (b"no gzip", gzip.compress(b"x" * 99)[:-12], gzip.compress(b"\xff\xfe")):
        path.write_bytes(broken)
        with pytest.raises(InputError, match="cannot be read"):
            list(read_pack(tmp_path))
