"""`dup-groups evaluate extraction`: its tables, those of titles, authors, dates and sites, and its errors."""

import re
import sys
from pathlib import Path

import pytest

from content.pages import HEADLINE_ZH, STORY, STORY_ZH, front_page, news_page
from dupgroups.errors import InputError
from dupgroups_lab.extraction.declared_fields import Described, Row
from dupgroups_lab.labels.labelled_pages import LabelledPage
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


GOLD = LabelledPage(
    "1", "made", "kesselherald.example", None, "en", "article", "", None,
    title="“Ferry” hits pier", author="Jo Brandt, Al Lee", date="2026-03-04 08:00:00+00:00",
)  # fmt: skip


@pytest.mark.parametrize(
    ("field", "values", "equal", "close"),
    [
        ("title", ('"Ferry" hits Pier', "Ferry hits the pier", "Ferry"), 1, 1 + 6 / 7 + 1 / 2),
        ("author", ("Al Lee and jo brandt", "Jo Brandt", "Kessel Herald"), 1, 1 + 2 / 3),
        ("date", ("2026-03-04T10:05:00", "2026-03-07", "2026-03-08"), 1, 2),
        ("site", ("The Kessel Herald", "KH", "kesselherald.example", "Ferry hits pier"), 1, 1),
    ],
)
def test_each_field_has_its_own_rule(field: str, values: tuple[str, ...], equal: int, close: float) -> None:
    row = Row()
    for value in ("", *values):
        row.add(GOLD, Described(**{field: value}), 0.5)
    tally = row.fields[field]
    assert (tally.gold, tally.found, tally.equal) == (len(values) + 1, len(values), equal)
    assert tally.close == pytest.approx(close)


def test_a_library_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("trafilatura", "htmldate", "newspaper", "newsplease"):
        monkeypatch.setitem(sys.modules, module, None)
    html = "<meta name=date content=2026-03-04>" + news_page().replace("<body>", "<body><!-- -->")
    page = {"html": html, "date": "2026-03-04", "title": "another"}
    pack = write_pack(tmp_path / "made", [page, {**page, "page_type": "other"}])
    result = running.run("evaluate", "extraction", "--pack", str(pack), "--fields")
    ours = next(line for line in result.stdout.splitlines() if line.startswith("made, dup-groups")).split()
    assert ours[2:3] + ours[6:8] == ["0/1", "1/1", "1.000"]
    for name in ("trafilatura", "htmldate", "newspaper4k", "news-please"):
        assert f"{name} is not installed" in result.stderr
