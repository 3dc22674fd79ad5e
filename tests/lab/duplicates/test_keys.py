"""What keys find of the pairs that the judge joins, over all pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dupgroups.config import Config, Method, Step
from dupgroups.model import Content, Signature
from dupgroups.signatures.minhash import MinHash
from dupgroups_lab.duplicates.keys import Found, look_up
from stories import reprints

STORIES, COPIES = 6, 3
PAIRS = STORIES * COPIES * (COPIES - 1) // 2


@dataclass(frozen=True)
class Forgetful:
    """MinHash that gives texts with a source line (the third copies of a story) no common key."""

    scheme: str = "forgetful"

    def __call__(self, content: Content) -> Signature:
        signed = MinHash()(content)
        keys = (content.text[-9:],) if content.title.endswith("copy 2") else signed.keys
        return replace(signed, scheme=self.scheme, keys=keys)


def found(config: Config) -> Found:
    return look_up(reprints(STORIES, COPIES).values(), config)


def test_the_default_keys_find_all_that_is_joined_among_few_candidates() -> None:
    told = found(Config())
    assert (told.documents, told.joined, told.found) == (STORIES * COPIES, PAIRS, PAIRS)
    assert told.recall == 1.0
    assert told.keys == 29
    assert told.candidates == COPIES - 1


def test_pairs_without_a_common_key_are_joined_and_not_found() -> None:
    method = Method(signer=Step(f"{__name__}:Forgetful"), judge=Step("resemblance"))
    told = found(Config(methods={"*": method, "zh": method}))
    assert told.joined == PAIRS
    assert told.recall == told.found / PAIRS == 1 / 3


def test_what_the_limit_of_candidates_cuts_off_is_not_found() -> None:
    assert found(Config(candidates=1)).found < PAIRS


def test_no_pages_give_zeros() -> None:
    assert look_up([], Config()) == Found(0, 0, 0, 0, 0.0)
