"""The share that keys find of the pairs that the judge joins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dupgroups.config import Config, Method, Step
from dupgroups.model import Content, Signature
from dupgroups.signatures.minhash import MinHash
from dupgroups_lab.duplicates.keys import KeyRecall, look_up
from stories import reprints

STORIES, COPIES = 6, 3
PAIRS = STORIES * COPIES * (COPIES - 1) // 2


@dataclass(frozen=True)
class Forgetful:
    """MinHash, but texts with a source line (the third copies of a story) get no common key."""

    scheme: str = "forgetful"

    def __call__(self, content: Content) -> Signature:
        signed = MinHash()(content)
        keys = (content.text[-9:],) if content.title.endswith("copy 2") else signed.keys
        return replace(signed, scheme=self.scheme, keys=keys)


def recall_with(config: Config) -> KeyRecall:
    return look_up(reprints(STORIES, COPIES).values(), config)


def test_the_default_keys_find_all_that_is_joined_among_few_candidates() -> None:
    result = recall_with(Config())
    assert (result.documents, result.joined, result.found) == (STORIES * COPIES, PAIRS, PAIRS)
    assert result.recall == 1.0
    assert result.keys == 17
    assert result.candidates == COPIES - 1


def test_pairs_without_a_common_key_are_joined_and_not_found() -> None:
    method = Method(signer=Step(f"{__name__}:Forgetful"), judge=Step("resemblance"))
    result = recall_with(Config(methods={"*": method, "zh": method}))
    assert result.joined == PAIRS
    assert result.recall == result.found / PAIRS == 1 / 3


def test_pairs_beyond_the_limit_of_candidates_are_not_found() -> None:
    assert recall_with(Config(candidates=1)).found < PAIRS
