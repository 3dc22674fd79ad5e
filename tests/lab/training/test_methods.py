"""Training of extractors on made pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from dupgroups.content.auto import Auto, Network
from dupgroups_lab.extraction.scores import block_hits, block_score
from dupgroups_lab.training.methods import TRAINERS, Trained, cross_validated
from dupgroups_lab.training.network import Example, read_examples, train
from lab.packs import article_pack


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return article_pack(tmp_path_factory.mktemp("packs"))


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
    assert "\n".join(first.blocks.blocks[index].text for index in kept) == first.page.text


def test_cross_validation_judges_every_page_by_what_the_other_folds_taught(pack: Path) -> None:
    examples = list(read_examples([pack]))[:24]
    fold_of = [index // 5 for index in range(24)]
    taught: list[set[str]] = []

    def trainer(given: Sequence[Example]) -> Trained:
        taught.append({example.page.id for example in given})
        return Trained(lambda example: [len(taught)], lambda path: None)

    kept = cross_validated(examples, fold_of, trainer)
    assert kept == [[fold + 1] for fold in fold_of]
    for fold, ids in enumerate(taught):
        assert ids == {
            example.page.id for example, other in zip(examples, fold_of, strict=True) if other != fold
        }


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(set(TRAINERS) - {"auto"}))
def test_each_method_learns_the_articles_of_a_pack(pack: Path, method: str) -> None:
    examples = list(read_examples([pack]))[:60]
    trained = TRAINERS[method](examples)
    scores = block_score(block_hits(example.labels, trained.kept(example)) for example in examples)
    assert (scores.precision, scores.recall, scores.exact) == (1, 1, 1)


@pytest.mark.slow
def test_learned_weights_are_reproducible(pack: Path, tmp_path: Path) -> None:
    examples = list(read_examples([pack]))[:24]
    for method, trainer in TRAINERS.items():
        files = [tmp_path / f"{method}{number}.npz" for number in (1, 2)]
        for file in files:
            trainer(examples).save(file)
        assert contents(files[0]) == contents(files[1])


def contents(path: Path) -> dict[str, bytes]:
    with np.load(path) as stored:
        return {name: stored[name].tobytes() for name in stored.files}
