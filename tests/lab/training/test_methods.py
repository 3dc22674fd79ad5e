"""Training of extractors on made pages, and of chains: likelihoods against the sum over all labellings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from content.pages import HEADLINE, STORY, news_page
from dupgroups import extract_text
from dupgroups.content.blocks import divide
from dupgroups.errors import ConfigError
from dupgroups_lab.extraction.scores import block_hits, block_score
from dupgroups_lab.extraction.validation import cross_validate
from dupgroups_lab.training.labels import align
from dupgroups_lab.training.network import Example
from dupgroups_lab.training.train_crf import Sequences, run_forward_backward
from dupgroups_lab.training.trainable_methods import TRAINERS, Trained, save, trainer
from lab.running import run


def test_the_command_compares_divisions_with_the_paper_and_names_the_file_after_the_method(
    articles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    @dataclass
    class TrainCRF:
        features: str

        def __call__(self, examples: Sequence[Example]) -> Trained:
            asked.append(self.features)
            return Trained(lambda example: [0], {})

    monkeypatch.setitem(TRAINERS, "crf", TrainCRF)
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
        ("maxent features=paper", ".*'features'; its parameters: prior, sites"),
        ("crf features=theirs", "unknown feature set 'theirs'; choose one of: .*"),
        ("crf entity=x", ".*'entity'; its parameters: features, entities, .*"),
    ],
)
def test_a_method_that_cannot_be_trained_is_one_sentence(method: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=f"^(extractor that learns '[a-z]*': )?{reason}$"):
        trainer(method)


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted({*TRAINERS, "crf features=paper"}))
def test_each_method_learns_the_articles_of_a_pack_reproducibly(
    examples: list[Example], tmp_path: Path, method: str
) -> None:
    trained, again = (trainer(method)(examples) for _ in range(2))
    scores = block_score(block_hits(example.labels, trained.kept(example)) for example in examples)
    assert (scores.precision, scores.recall, scores.exact) == (1, 1, 1)
    assert all(np.array_equal(array, again.arrays[name]) for name, array in trained.arrays.items())
    _is_what_its_file_gives(trained, method, examples, tmp_path)


def test_an_extractor_with_the_weights_of_a_file_keeps_what_was_trained(
    examples: list[Example], tmp_path: Path
) -> None:
    _is_what_its_file_gives(trainer("maxent")(examples[::2]), "maxent", examples[1::2], tmp_path)


def _is_what_its_file_gives(trained: Trained, method: str, examples: list[Example], folder: Path) -> None:
    save(folder / "weights.npz", method, trained, examples)
    with_file = f"{method.split()[0]} weights={folder / 'weights.npz'}"
    for example in examples:
        kept = "\n".join(example.blocks.blocks[index].text for index in trained.kept(example))
        assert extract_text(example.page.html, extractor=with_file) == kept


@pytest.mark.parametrize(
    ("extractor", "reason"),
    [
        ("maxent", "'{}' has weights of 'crf' (de, en), not of 'maxent'"),
        ("auto favor=recall", "'{}' has weights of 'crf' (de, en), not of 'auto favor=recall'"),
        ("crf", "cannot read '{}': it is not a file of weights; `dup-groups train extraction` writes one"),
    ],
)
def test_a_file_that_does_not_fit_is_one_sentence(
    examples: list[Example], tmp_path: Path, extractor: str, reason: str
) -> None:
    file = tmp_path / "weights.npz"
    german = replace(examples[0], page=replace(examples[0].page, language="de"))
    save(file, "crf features=paper", Trained(lambda example: [0], {}), [examples[1], german])
    with pytest.raises(ConfigError, match=re.escape(reason.format(file)) + "$"):
        extract_text("<p>A ferry", extractor=f"{extractor} weights={file}")


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

        return Trained(kept, {})

    assert cross_validate(examples[:24], 2, trainer)[1].recall == 0


@pytest.mark.parametrize("seed", range(5))
def test_expectations_are_those_over_all_labellings(seed: int) -> None:
    random = np.random.default_rng(seed)
    lengths = np.array([6, 4, 4, 1])
    chains = Sequences(lengths.cumsum() - lengths, lengths)
    odds, turns = random.normal(size=15) * 3, random.normal(size=(2, 2)) * 2
    expectation = run_forward_backward(odds, turns, chains)
    log_z, content, steps = 0.0, np.zeros(15), np.zeros((2, 2))
    for start, length in zip(chains.start, lengths, strict=True):
        odds_of_chain = odds[start : start + length]
        labellings = list(product((0, 1), repeat=int(length)))
        scores = [
            odds_of_chain @ labelling + sum(turns[pair] for pair in pairwise(labelling))
            for labelling in labellings
        ]
        log_z += float(np.log(np.exp(scores).sum()))
        for labelling, chance in zip(labellings, np.exp(scores) / np.exp(scores).sum(), strict=True):
            content[start : start + length] += chance * np.array(labelling)
            for pair in pairwise(labelling):
                steps[pair] += chance
    assert np.isclose(expectation.log_z, log_z)
    assert np.allclose(expectation.content, content)
    assert np.allclose(expectation.turns, steps)
