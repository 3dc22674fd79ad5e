"""The facets show names of languages."""

from __future__ import annotations

from resiliparse.parse.lang import supported_langs

from dupgroups.text.language_names import LANGUAGES


def test_every_language_that_is_detected_has_a_name() -> None:
    assert {"zh", "ja", "ko", *supported_langs()} <= set(LANGUAGES)
    assert (LANGUAGES["en"], LANGUAGES["zh"]) == ("English", "中文")
    assert len(set(LANGUAGES.values())) == len(LANGUAGES)
