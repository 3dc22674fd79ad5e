"""The extractors that learn: how each is trained, and judged on sites that it has not seen."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dupgroups.content.auto import Auto
from dupgroups.content.crf import CRF
from dupgroups.content.maxent import MaxEnt
from dupgroups_lab.training.crf import train_crf
from dupgroups_lab.training.maxent import train_maxent
from dupgroups_lab.training.network import Example, is_article, train


@dataclass(frozen=True, slots=True)
class Trained:
    """`kept` gives the indices of the blocks that the method keeps of a page; `save` writes its weights."""

    kept: Callable[[Example], Sequence[int]]
    save: Callable[[Path], None]


Trainer = Callable[[Sequence[Example]], Trained]


def _auto(examples: Sequence[Example]) -> Trained:
    network, select = train(examples), Auto().select
    return Trained(
        lambda each: select(each.blocks, network.probabilities(each.blocks, each.title)), network.save
    )


def _maxent(examples: Sequence[Example]) -> Trained:
    learned, select = train_maxent(examples), MaxEnt().select
    return Trained(lambda each: select(learned.odds(each.blocks)), learned.save)


def _crf(examples: Sequence[Example]) -> Trained:
    chain, select = train_crf(examples), CRF().select
    return Trained(lambda each: select(each.blocks, each.title, chain), chain.save)


TRAINERS: dict[str, Trainer] = {"auto": _auto, "crf": _crf, "maxent": _maxent}


def cross_validated(
    examples: Sequence[Example], folds: int, trainer: Trainer, *, sites_apart: bool = True
) -> list[Sequence[int]]:
    """Blocks kept of every example by weights that saw no page of its site, or, unless `sites_apart`, not the
    page itself.

    Articles train, all are judged. Which of the `folds` a site or page is in, a checksum of its name says.
    """
    names = [each.page.site if sites_apart else f"{each.page.pack} {each.page.id}" for each in examples]
    at = [zlib.crc32(name.encode()) % folds for name in names]
    kept: list[Sequence[int]] = [()] * len(examples)
    for fold in range(folds):
        others = [each for each, own in zip(examples, at, strict=True) if own != fold and is_article(each)]
        trained = trainer(others)
        for index, own in enumerate(at):
            if own == fold:
                kept[index] = trained.kept(examples[index])
    return kept
