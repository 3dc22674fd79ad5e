"""A threshold written into a configuration: comments stay, and what cannot be built is refused."""

from __future__ import annotations

import pytest

from dupgroups.config import Step
from dupgroups.errors import ConfigError
from dupgroups_lab.calibration.config_edit import parsed, unified_diff, with_threshold

JUDGE = Step("resemblance", {"figures": 0.5})
MINE = """# ours
engine = "sqlite:///news.db"  # the index

[methods.en]  # English
judge = { name = "resemblance", threshold = 0.4 }  # as in the paper
"""


def test_only_the_threshold_changes() -> None:
    changed = with_threshold(MINE, ["en"], JUDGE, "threshold", 0.55)
    assert changed == MINE.replace("0.4", "0.55")
    diff = unified_diff(MINE, changed, "news.toml")
    assert [line for line in diff if line[:1] in "+-"][2:] == [
        '-judge = { name = "resemblance", threshold = 0.4 }  # as in the paper',
        '+judge = { name = "resemblance", threshold = 0.55 }  # as in the paper',
    ]
    assert unified_diff(MINE, MINE, "news.toml") == []


def test_a_method_without_a_judge_gets_the_whole_one() -> None:
    for text in ("", "# nothing yet\n", '[methods."*"]\nextractor = "mss"\n', "[methods]\n"):
        judge = parsed(with_threshold(text, ["*"], JUDGE, "threshold", 0.55)).methods["*"].judge
        assert judge == Step("resemblance", {"figures": 0.5, "threshold": 0.55})


def test_methods_of_one_scheme_are_changed_together() -> None:
    methods = parsed(with_threshold(MINE, ["*", "en"], Step("resemblance"), "threshold", 0.55)).methods
    assert methods["*"].judge == methods["en"].judge == Step("resemblance", {"threshold": 0.55})
    with pytest.raises(ConfigError, match="different judges"):
        with_threshold(MINE, ["*"], JUDGE, "threshold", 0.55)


def test_a_judge_that_is_only_named_becomes_a_table() -> None:
    changed = with_threshold('[methods."*"]\njudge = "resemblance"\n', ["*"], JUDGE, "threshold", 0.3)
    assert parsed(changed).methods["*"].judge == Step("resemblance", {"figures": 0.5, "threshold": 0.3})


def test_methods_in_a_table_of_their_own_are_kept() -> None:
    text = '[methods.en.judge]\nname = "resemblance"\n# why\nthreshold = 0.4\n'
    assert with_threshold(text, ["en"], JUDGE, "threshold", 0.5) == text.replace("0.4", "0.5")


@pytest.mark.parametrize(
    ("text", "value", "sentence"),
    [("methods = [", 0.5, "not TOML"), ("", 5.0, "threshold"), ("nonsense = 1", 0.5, "unknown setting")],
)
def test_what_cannot_be_built_is_refused(text: str, value: float, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        with_threshold(text, ["*"], JUDGE, "threshold", value)
