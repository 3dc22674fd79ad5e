"""Training of extractors on made pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from content.pages import HEADLINE, STORY, news_page
from dupgroups.content.blocks import divide
from dupgroups.errors import ConfigError
from dupgroups_lab.extraction.scores import block_hits, block_score
from dupgroups_lab.extraction.validation import validated
from dupgroups_lab.training.labels import align
from dupgroups_lab.training.methods import TRAINERS, Trained, trainer
from dupgroups_lab.training.network import Example, parts, train
from lab.running import run


def test_the_command_compares_divisions_with_the_paper_and_names_the_file_after_the_method(
    articles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def crf(examples: Sequence[Example], features: str) -> Trained:
        asked.append(features)
        return Trained(lambda example: [0], lambda path: path.touch())

    monkeypatch.setattr("dupgroups_lab.training.methods._crf", crf)
    monkeypatch.chdir(tmp_path)
    options = ("--folds", 2, "--seeds", 3, "--method", "crf features=paper")
    output = run("train", "extraction", articles, *options).stdout
    lines = output.splitlines()
    assert asked == ["paper"] * (2 * 3 + 1)
    assert [path.name for path in tmp_path.iterdir()] == ["crf.npz"]
    assert "mean of 3 divisions" in " ".join(output.split())
    (cedar,) = (line for line in lines if "CEDAR" in line)
    assert [cell for cell in cedar.split() if cell[0].isdigit()] == ["97.9", "99.5", "80.0"]


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("mss", "unknown extractor that learns 'mss'; choose one of: auto, crf, maxent, subsequence"),
        ("maxent features=paper", "the training of 'maxent' has no parameters; only those of .* have"),
        ("crf features=theirs", "unknown feature set 'theirs'; choose one of: ours, paper"),
        ("crf features=paper entity=x", "feature set 'paper': .*'entity'; its parameters: entities"),
    ],
)
def test_a_method_that_cannot_be_trained_is_one_sentence(method: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=f"^{reason}$"):
        trainer(method)


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted({*TRAINERS, "crf features=paper"}))
def test_each_method_learns_the_articles_of_a_pack_reproducibly(
    examples: list[Example], tmp_path: Path, method: str
) -> None:
    trained, again = (trainer(method)(examples) for _ in range(2))
    scores = block_score(block_hits(example.labels, trained.kept(example)) for example in examples)
    assert (scores.precision, scores.recall, scores.exact) == (1, 1, 1)
    trained.save(tmp_path / "one.npz")
    again.save(tmp_path / "two.npz")
    with np.load(tmp_path / "one.npz") as one, np.load(tmp_path / "two.npz") as two:
        assert one.files == two.files
        assert all(np.array_equal(one[name], two[name]) for name in one.files)


@pytest.mark.slow
def test_the_ablation_leaves_out_each_group_of_features_and_writes_no_weights(
    articles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def training(examples: Sequence[Example], without: str) -> Trained:
        hidden = train(examples, without).hidden
        assert not without or not hidden[parts()[without]].any()
        right = [] if without == "kin" else [0]
        return Trained(lambda example: np.flatnonzero(example.labels.share)[right], lambda path: None)

    monkeypatch.setattr("dupgroups_lab.extraction.ablation.auto", training)
    monkeypatch.chdir(tmp_path)
    lines = run("train", "extraction", articles, "--ablate", "--folds", 2).stdout.splitlines()[1:]
    gains = {name: float(gain) for name, _, gain, _ in map(str.split, lines)}
    assert [name for name, gain in gains.items() if gain] == ["kin"]
    assert (list(gains), [*tmp_path.iterdir()]) == ([*parts()], [])


def test_blocks_of_the_gold_are_labelled_and_the_headline_is_not() -> None:
    page = divide(news_page())
    labels = align(page, "\n".join((HEADLINE, *STORY)), HEADLINE)
    labelled = [block.text for block, share in zip(page.blocks, labels.share, strict=True) if share > 0.5]
    assert labelled == list(STORY)


def test_pages_are_scored_by_what_other_sites_taught(examples: list[Example]) -> None:
    def trainer(given: Sequence[Example]) -> Trained:
        taught = {example.page.site for example in given}

        def kept(example: Example) -> list[int]:
            assert example.page.site not in taught
            return []

        return Trained(kept, lambda path: None)

    assert validated(examples[:24], 2, trainer)[1].recall == 0
