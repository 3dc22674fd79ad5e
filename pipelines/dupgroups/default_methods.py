"""The default method of each language.

The default is `auto`, `minhash` and `resemblance`; docs/extraction.md and docs/signatures.md give the
measurements and the reasons. Only the length of a shingle differs between languages. It is counted in words
in languages that separate words by spaces, and in characters in the others: a word of Chinese or Japanese has
about two characters, and a syllable of Thai, Lao, Khmer or Burmese takes several letters, so these languages
need twice as many characters for the same amount of text.
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
"""Language code -> complete method; "*" is the method of every other language."""
