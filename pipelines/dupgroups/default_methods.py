"""The method of each language that a configuration does not name.

The default is `auto`, `minhash` and `resemblance`; docs/extraction.md and docs/signatures.md have the figures
and the reasons. What differs between languages is only the length of a shingle. It is counted in words where
blanks stand between words, in characters where none do: a word of Chinese or Japanese has about two
characters, and a syllable of Thai, Lao, Khmer or Burmese takes several letters, so these need twice as many
characters to say as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dupgroups.config import Method, Step

_HAN = Method(Step("auto"), Step("minhash", {"size": 4, "key_size": 10}), Step("resemblance"))
_UNSPACED = Method(Step("auto"), Step("minhash", {"size": 8, "key_size": 20}), Step("resemblance"))

DEFAULT_METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "*": Method(Step("auto"), Step("minhash"), Step("resemblance")),
        **dict.fromkeys(("zh", "ja"), _HAN),
        **dict.fromkeys(("th", "lo", "km", "my"), _UNSPACED),
    }
)
"""Language code -> whole method; "*" stands for every other language."""
