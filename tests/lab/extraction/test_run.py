"""`dup-groups evaluate extraction`: its tables and its errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from content.pages import HEADLINE_ZH, STORY, STORY_ZH, front_page, news_page
from dupgroups.errors import InputError
from lab import running
from lab.packs import write_pack


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """English: two articles, one with a wrong gold, and a front page; Chinese; pages without gold."""
    folder = tmp_path_factory.mktemp("packs")
    english = [
        {"html": news_page(), "text": "\n".join(STORY)},
        {"html": news_page(), "text": "\n".join(("Another line.", *STORY[1:]))},
        {"html": front_page(), "text": "Council delays vote", "page_type": "other"},
    ]
    chinese = {"html": news_page(HEADLINE_ZH, STORY_ZH, lang="zh"), "text": "\n".join(STORY_ZH), "lang": "zh"}
    return (
        write_pack(folder / "english", english),
        write_pack(folder / "chinese", [chinese]),
        write_pack(folder / "none", [{"html": news_page(), "text": None}]),
    )


def run(*arguments: object) -> str:
    return " ".join(running.run("evaluate", "extraction", *arguments).output.split())


def test_every_row_and_the_mean_of_articles(packs: tuple[Path, Path, Path]) -> None:
    english, chinese, none = packs
    output = run("--pack", english, "--pack", chinese, "--pack", none, "--extractors", "auto,visible")
    auto, whole, worst = re.split(" visible | worst of auto ", output)
    assert "chinese 1 1.000 1.000 1.000 [1.000, 1.000] 1.000 100.0 100.0 100.0" in auto
    assert re.search(r"english 2 0\.9\d\d 0\.9\d\d 0\.9\d\d \[.*?\] 0\.9\d\d 90\.0 100\.0 50\.0", auto)
    assert re.search(r"english \(no articles\) 1 [][\d., ]+ - - - ", auto)
    assert re.search(
        r"mean 3 0\.9\d\d 0\.9\d\d 0\.9\d\d 0\.9\d\d 95\.0 100\.0 75\.0 [\d,]+ \d+\.\d \d+\.\d", auto
    )
    assert re.search(r"chinese 1 0\.[34]\d\d 1\.000", whole)
    assert re.match(r"F1 P R page english 1 0\.8\d\d 0\.8\d\d 0\.9\d\d https", worst)
    assert f"{none} has no gold texts and is left out" in output


def test_what_cannot_be_measured_is_refused_before_the_work(packs: tuple[Path, Path, Path]) -> None:
    english, _, none = packs
    with pytest.raises(InputError, match="is not a pack of labelled pages"):
        run("--pack", english, "--pack", english.parent)
    with pytest.raises(InputError, match="no page has gold text"):
        run("--pack", none)
