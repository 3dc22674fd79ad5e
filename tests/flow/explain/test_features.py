"""The features that are shown are those that are signed and compared."""

from __future__ import annotations

from typing import Any

import pytest

from dupgroups.flow.explain.features import LISTED, features
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.signatures.base import SpellingSigner
from dupgroups.model import Content
from dupgroups.text.sentences import tokens
from dupgroups.text.shingles import bounded_shingles, running
from dupgroups.text.spelled import spelled_shingles, spelled_tokens
from stories import reprint, running_chinese, story

TEXTS = [
    story("a"),
    reprint(story("a"), 2),
    running_chinese("zh"),
    "Menu News\nIt rained 3.5 cm. Straße ǅ 臺灣",
    "",
]
NEWS = (
    "The harbour authority closed both ferry terminals on Tuesday evening after a storm damaged the pier, "
    "and officials warned that repairs could take weeks for hotels."
)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_shingles_of_the_running_text_are_those_of_the_signature(text: str, size: int) -> None:
    assert len(spelled_tokens(text)) == len(tokens(text).hashes)
    hashes = bounded_shingles(running(tokens(text)), size)[0].tolist()
    spelled = spelled_shingles(text, size, running=True, within=True)
    assert len(set(zip(spelled, hashes, strict=True))) == len(set(spelled)) == len(set(hashes))


@pytest.mark.parametrize("name", sorted(SIGNERS))
def test_every_signer_shows_its_features_and_texts_that_share_them(name: str) -> None:
    signer: Any = SIGNERS[name]()
    assert isinstance(signer, SpellingSigner)
    text = running_chinese("zh")
    other = "\n".join(running_chinese("zh").split("\n")[3:]) + running_chinese("anders")
    if name in ("cosine", "imatch"):  # of Chinese they know too little without a corpus
        text, other = NEWS, NEWS.replace("storm", "flood").replace("hotels", "fishermen")
    made = features(signer, Content(text), Content(other))
    assert made is not None
    assert made.shared.count > 0
    assert made.only_a.count + made.only_b.count > 0
    assert len(made.shared.first) == min(LISTED, made.shared.count)
    same = features(signer, Content(text), Content(text))
    assert same is not None
    assert (same.resemblance, same.only_a.count, same.only_b.count) == (1.0, 0, 0)
