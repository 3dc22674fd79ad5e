"""`dup-groups evaluate extraction`: its table, its report, and its errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from content.pages import HEADLINE_ZH, STORY, STORY_ZH, front_page, news_page
from dupgroups.content.blocks import Blocks
from dupgroups.errors import ConfigError, InputError
from dupgroups_lab.extraction.run import Extracted, Time, overall, rows, worst
from dupgroups_lab.extraction.scores import MEAN, BlockHits
from dupgroups_lab.labels.pages import LabelledPage
from dupgroups_lab.measures.shingle_agreement import Agreement
from lab import running
from lab.packs import write_pack
from lab.reports.pages import EVIL, read


class Broken:
    """An extractor with a bug."""

    def __call__(self, page: Blocks) -> Sequence[int]:
        return [len(page.blocks)]


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """English: two articles, one with a wrong gold, and a front page; Chinese; pages without gold."""
    folder = tmp_path_factory.mktemp("packs")
    english = [
        {"html": news_page(), "text": "\n".join(STORY)},
        {"html": news_page(), "text": "\n".join((EVIL, *STORY[1:]))},
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
    output = run("--pack", english, "--pack", chinese, "--pack", none, "--extractors", "auto,whole")
    auto, whole = output.split(" whole ")
    assert "chinese 1 1.000 1.000 1.000 1.000 100.0 100.0 100.0" in auto
    assert re.search(r"english 2 0\.9\d\d 0\.9\d\d 0\.9\d\d 0\.9\d\d 90\.0 100\.0 50\.0", auto)
    assert re.search(r"english \(no articles\) 1 [\d. ]+ - - - ", auto)
    assert re.search(
        r"mean 3 0\.9\d\d 0\.9\d\d 0\.9\d\d 0\.9\d\d 95\.0 100\.0 75\.0 [\d,]+ \d+\.\d \d+\.\d", auto
    )
    assert re.search(r"chinese 1 0\.[34]\d\d 1\.000", whole)
    assert f"{none} has no gold texts and is left out" in output


def test_parameters_make_a_difference(packs: tuple[Path, Path, Path]) -> None:
    names = ("heuristic min_block=0", "heuristic min_block=999")
    options = ("--pack", packs[1], "--extractors", ",".join(names))
    measured = running.values("evaluate", "extraction", *options)
    assert [measured[name][0]["score"]["recall"] for name in names] == [1.0, 0.0]
    assert all(measured[name][0]["time"]["parses"] > 0 for name in names)


def test_an_extractor_that_fails_is_named_with_the_page(packs: tuple[Path, Path, Path]) -> None:
    with pytest.raises(InputError, match=r"Broken fails on page '0' of chinese: IndexError"):
        run("--pack", packs[1], "--extractors", f"{__name__}:Broken")


def test_the_report_is_whole_escaped_and_needs_nothing_else(
    packs: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    output = run("--pack", packs[0], "--pack", packs[1], "--extractors", "auto,mss", "--report", out)
    assert output.endswith(f"Report: {out}")
    page = out.read_text(encoding="utf-8")
    tree = read(page)
    assert page.count("<svg") == 4
    assert page.count("<details>") == 1  # one page is wrong; front pages are not shown beside articles
    assert "english 1: F1 0." in page
    shown = "".join(tree.itertext())
    assert EVIL in shown
    assert STORY[0] in shown
    heads = ["".join(head.itertext()) for head in tree.findall(".//tbody/tr/th")]
    lines = ("chinese", "english", "english (no articles)", "mean")
    assert heads == [f"{name}, {row}" for name in ("auto", "mss") for row in lines]


def test_what_cannot_be_measured_is_refused_before_the_work(packs: tuple[Path, Path, Path]) -> None:
    english, _, none = packs
    with pytest.raises(InputError, match="is not a pack of labelled pages"):
        run("--pack", english, "--pack", english.parent)
    with pytest.raises(InputError, match="no page has gold text"):
        run("--pack", none)
    with pytest.raises(ConfigError, match=r"unknown extractor 'autos' .*did you mean 'auto'"):
        run("--pack", english / "missing", "--extractors", "mss, autos")
    with pytest.raises(InputError, match="cannot be written"):
        run("--pack", english / "missing", "--report", english / "missing" / "report.html")


def extracted(pack: str, f1: float, hits: BlockHits | None, whole: float) -> Extracted:
    kind = "article" if hits else "other"
    page = LabelledPage(f"{pack}{f1}", pack, pack, None, "en", kind, "", "gold")
    return Extracted(page, "", Agreement(f1, f1, f1), hits, Time(whole, whole / 2, 1.0))


def test_a_row_of_the_mean_counts_packs_alike_and_articles_alone() -> None:
    extractions = [
        extracted("a", 0.5, BlockHits(1, 1, 0), 2.0),
        extracted("a", 0.5, BlockHits(1, 1, 0), 2.0),
        extracted("b", 1.0, BlockHits(2, 0, 0), 4.0),
        extracted("b", 0.0, None, 8.0),
    ]
    all_rows = rows(extractions)
    assert [row.name for row in all_rows] == ["a", "b", "b (no articles)", MEAN]
    mean = overall(all_rows)
    assert mean.blocks
    assert (mean.score.pages, mean.score.f1, mean.score.page_f1) == (3, 0.75, 0.75)
    assert (mean.blocks.precision, mean.blocks.recall, mean.blocks.exact) == (0.75, 1.0, 0.5)
    assert (mean.time.parses, mean.time.method_parses, mean.time.rate) == (3.0, 1.5, 1 / 3)
    assert [row.name for row in rows(extractions[2:])] == ["b", "b (no articles)"]
    assert overall(rows(extractions[2:])).name == "b"
    assert overall(rows(extractions[3:])).name == "b (no articles)"
    assert [extraction.page.id for extraction in worst(extractions, 1)] == ["a0.5"]
    assert [extraction.page.id for extraction in worst(extractions[3:], 1)] == ["b0.0"]
