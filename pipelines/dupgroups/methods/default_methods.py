"""The default method of each language.

The default is `auto`, `minhash` and `evidence`; docs/benchmarks.md has the measurements,
docs/signatures.md the reasons. A shingle counts words in languages that separate them by spaces, and
characters in the others: a word of Chinese or Japanese has about two characters, and a syllable of Thai, Lao,
Khmer or Burmese takes several letters, so these languages need more characters for the same amount of text.

The number of keys follows from what must be found: pairs that the judge joins, from a resemblance t = 0.47 of
short shingles. Such texts share c = 2 t / (1 + t) = 0.64 of their shingles of 3 words. Where single words
differ, all over the text, c^2 of their shingles of 6 words survive, which are used for look-up: a resemblance
of c^2 / (2 - c^2) = 0.26. Real editors cut and add whole paragraphs, which spares more of the long shingles.
With `similarity` 0.25, 17 keys find such a pair with probability 0.99. Most news in English has 26 keys: up
to 20 of `word_pairs`, the others of long shingles. `minhash` without parameters has 29, all of long shingles.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dupgroups.model.config import Method, Step


def _minhash(**parameters: object) -> Method:
    return Method(
        Step("auto"),
        Step("minhash", {"similarity": 0.25, "telling": 10, "shared_keys": 2, **parameters}),
        Step("evidence"),
    )


# 30 keys of 7 characters: of copies of which 8 % of the characters are misread, as few as two survive
_HAN = _minhash(size=4, key_size=7, similarity=0.145)

DEFAULT_METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "*": _minhash(word_pairs=22),
        **dict.fromkeys(("zh", "ja"), _HAN),
        **dict.fromkeys(("th", "lo", "km", "my"), _minhash(size=8, key_size=20)),
    }
)
"""Language code -> complete method; "*" is the method of every other language."""
