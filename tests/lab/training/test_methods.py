"""Training of extractors on made pages."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from content.pipelines import HARBOUR, pipeline
from dupgroups.cli import app
from dupgroups.content.auto import Auto, Network, shipped
from dupgroups.errors import ConfigError, InputError, MissingExtraError
from dupgroups_lab.extraction.scores import block_hits, block_score
from dupgroups_lab.training.labels import Labels
from dupgroups_lab.training.methods import TRAINERS, Trained, cross_validated, trainer, used_pages
from dupgroups_lab.training.network import Example, read_examples, train
from dupgroups_papers.content.crf import Chain
from lab.packs import article_pack

RECALL = "auto favor=recall"


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


def test_pages_that_all_have_another_text_than_their_gold_are_an_error_in_a_sentence(pack: Path) -> None:
    example = next(read_examples([pack]))
    labels = Labels(example.labels.tokens, np.zeros_like(example.labels.share))
    with pytest.raises(InputError, match="no page has a block of its gold text"):
        train([replace(example, labels=labels)])


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


@pytest.mark.parametrize(("entities", "columns"), [(False, 2), (True, 5)])
def test_the_crf_is_trained_with_the_features_that_are_named(
    pack: Path, tmp_path: Path, entities: bool, columns: int
) -> None:
    examples = list(read_examples([pack]))[:12]
    folder = pipeline(tmp_path / "pipeline", HARBOUR) if entities else ""
    trained = trainer("crf features=paper" + f" entities={folder}" * entities)(examples)
    trained.save(tmp_path / "weights.npz")
    chain = Chain.load(tmp_path / "weights.npz")
    assert chain.features == "paper" + f" entities={folder}" * entities
    assert 0 <= chain.column.max() < columns
    assert chain.words.any()


def test_the_command_names_the_file_after_the_method_and_compares_with_the_paper(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def crf(examples: Sequence[Example], features: str) -> Trained:
        asked.append(features)
        return Trained(lambda example: [0], lambda path: path.touch())

    monkeypatch.setattr("dupgroups_lab.training.methods._crf", crf)
    monkeypatch.chdir(tmp_path)
    arguments = ["train", "extraction", str(pack), "--folds", "2", "--method", "crf features=paper"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert asked == ["paper"] * 3
    assert [path.name for path in tmp_path.iterdir()] == ["crf.npz"]
    (cedar,) = (line for line in result.stdout.splitlines() if "CEDAR" in line)
    assert [cell for cell in cedar.split() if cell[0].isdigit()] == ["97.9", "99.5", "80.0"]


def test_more_seeds_are_more_divisions_and_the_table_has_the_error(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught: list[int] = []

    def maxent(examples: Sequence[Example]) -> Trained:
        taught.append(len(examples))
        return Trained(lambda example: [0], lambda path: path.touch())

    monkeypatch.setitem(TRAINERS, "maxent", maxent)
    out = str(tmp_path / "maxent.npz")
    arguments = ["train", "extraction", str(pack), "--folds", "2", "--seeds", "3", "--method", "maxent"]
    result = CliRunner().invoke(app, [*arguments, "--out", out], catch_exceptions=False)
    assert len(taught) == 2 * 3 + 1
    assert "mean of 3 divisions" in " ".join(result.stdout.split())
    (head,) = (line for line in result.stdout.splitlines() if "mean F1" in line)
    assert [word.strip() for word in re.split("[┃│]", head) if word.strip()] == [
        *("pages of", "number", "P", "R", "F1", "error", "mean F1")
    ]


@pytest.mark.parametrize(("method", "kinds"), [("auto", {"article"}), (RECALL, {"article", "other"})])
def test_articles_teach_and_with_favor_recall_all_pages(
    pack: Path, monkeypatch: pytest.MonkeyPatch, method: str, kinds: set[str]
) -> None:
    made = list(read_examples([pack]))[:4]
    examples = [*made[:3], replace(made[3], page=replace(made[3].page, kind="other"))]
    taught: list[set[str | None]] = []

    def network(given: Sequence[Example]) -> Network:
        taught.append({example.page.kind for example in given})
        return shipped()

    monkeypatch.setattr("dupgroups_lab.training.methods.train", network)
    trainer(method)(examples)
    assert taught == [kinds]
    assert {example.page.kind for example in used_pages(method, examples)} == kinds


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("mss", "unknown extractor that learns 'mss'; choose one of: auto, crf, maxent, subsequence"),
        (
            "maxent features=paper",
            "the training of 'maxent' has no parameters; only those of 'auto' and 'crf' have",
        ),
        ("auto favor=precision", "extractor 'auto': favor must be one of articles, recall, not 'precision'"),
        ("crf features=theirs", "unknown feature set 'theirs'; choose one of: ours, paper"),
        ("crf features=paper entity=x", "feature set 'paper': .*'entity'; its parameters: entities"),
        ("crf entities=x", "feature set 'ours': .*'entities'; its parameters: none"),
    ],
)
def test_a_method_that_cannot_be_trained_is_one_sentence(method: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=f"^{reason}$"):
        trainer(method)


def test_named_entities_without_spacy_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"needs an extra: pip install 'dup-groups\[entities\]'$"):
        trainer("crf features=paper entities=en_core_web_sm")


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted({*TRAINERS, "crf features=paper"} - {"auto"}))
def test_each_method_learns_the_articles_of_a_pack(pack: Path, method: str) -> None:
    examples = list(read_examples([pack]))[:60]
    trained = trainer(method)(examples)
    scores = block_score(block_hits(example.labels, trained.kept(example)) for example in examples)
    assert (scores.precision, scores.recall, scores.exact) == (1, 1, 1)


@pytest.mark.slow
def test_learned_weights_are_reproducible(pack: Path, tmp_path: Path) -> None:
    examples = list(read_examples([pack]))[:24]
    for method, training in TRAINERS.items():
        files = [tmp_path / f"{method}{number}.npz" for number in (1, 2)]
        for file in files:
            training(examples).save(file)
        assert contents(files[0]) == contents(files[1])


def contents(path: Path) -> dict[str, bytes]:
    with np.load(path) as stored:
        return {name: stored[name].tobytes() for name in stored.files}
