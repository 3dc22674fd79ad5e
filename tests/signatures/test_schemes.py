"""Schemes are names of stored signatures: another spelling would part new documents from stored ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from dupgroups.errors import ConfigError
from dupgroups.signatures import SIGNERS
from dupgroups.signatures.base import MOST_KEYS, keys_needed


@pytest.mark.parametrize(
    ("name", "given", "scheme"),
    [
        ("minhash", {"key_size": 10, "size": 4}, "minhash.2 size=4 key_size=10"),
        ("weighted_phrases", {"scaled": True, "common": 7.5}, "weighted_phrases.2 common=7.5 scaled=True"),
        ("spotsigs", {"antecedents": "is the"}, "spotsigs.1 antecedents=is the"),
    ],
)
def test_parameters_that_differ_from_their_defaults_stand_in_the_scheme(
    name: str, given: Mapping[str, Any], scheme: str
) -> None:
    assert SIGNERS[name](**given).scheme == scheme


def test_keys_grow_until_they_are_too_many() -> None:
    assert keys_needed(0.15, 0.99) == 29 <= MOST_KEYS
    assert keys_needed(0.9, 0.5) == 1
    with pytest.raises(ConfigError, match=r"44 keys would be needed .* more than 30"):
        keys_needed(0.1, 0.99)
