"""The table of the common words of languages, from texts and from a library."""

import sys
from types import ModuleType

import pytest

from dupgroups.errors import InputError
from dupgroups.text.word_rarity import table_lines
from dupgroups_lab.training import word_rarity_table
from dupgroups_lab.training.word_rarity_table import LEVELS, table_of_library, table_of_texts

TEXTS = [f"Meli ya Vellmar {number} na Kivuko{number}" for number in range(8)]


def levels(table: str, language: str) -> list[list[str]]:
    """The words of each level of a language."""
    (line,) = (line for line in table.splitlines() if line.startswith(f"{language}\t"))
    return [words.split() for words in line.split("\t")[1:]]


def test_words_that_are_counted_replace_those_of_their_language() -> None:
    table = table_of_texts("sw", [*TEXTS[:7], "Bandari ya Vellmar"])
    assert levels(table, "sw") == [["vellmar", "ya", "meli", "na"], *[[]] * (LEVELS - 1)]
    assert table.splitlines()[:-1] == table_lines()
    assert levels(table_of_texts("de", TEXTS), "de")[0] == ["meli", "na", "vellmar", "ya"]


def test_too_few_texts_are_an_error() -> None:
    with pytest.raises(InputError, match="more texts"):
        table_of_texts("sw", TEXTS[:3])


def test_frequent_words_of_the_library_are_common(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {
        "en": {"the": 0.05},
        "nl": {"de": 0.05, "Haven": 0.0005, "kade": 0.0002, "00": 0.001, "pier": 1e-6},
        "vi": {"không": 0.01, "được": 0.01},
        "ja": {"港の": 0.01, "の": 0.5},
    }
    library = ModuleType("wordfreq")
    vars(library).update(
        available_languages=lambda _: shares, get_frequency_dict=lambda name, _: shares[name]
    )
    monkeypatch.setitem(sys.modules, "wordfreq", library)
    monkeypatch.setattr(word_rarity_table, "version", lambda _: "3.1.1")
    table = table_of_library()
    assert "wordfreq 3.1.1" in table
    assert [words for words in levels(table, "nl") if words] == [["de"], ["haven"], ["kade"]]
    assert {*levels(table, "vi")[0]} == {"khong", "duoc"}
    assert {*levels(table, "ja")[0]} == {"の", "港"}
    assert "\nen\t" not in table


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(InputError, match="wordfreq"):
        table_of_library()
