"""Noise in texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupgroups import Page
from dupgroups.errors import ConfigError, InputError
from dupgroups_lab.duplicates.noise import noisy
from lab.running import documents, values
from stories import chinese_story, misread, news_text, running_text

PAGES = [Page(id=str(place), text=running_text("a")) for place in range(20)] + [
    Page(id="z", text=chinese_story("z"))
]
KINDS = "ocr:0.1 asr:0.1 hyphen:1 runon:0.2 charset:0.1 cut:0.5 traditional:0.1".split()


@pytest.mark.parametrize("noise", KINDS)
def test_two_copies_are_hit_in_different_places_and_the_same_in_every_run(noise: str) -> None:
    texts = [page.text for page in noisy(PAGES, noise)]
    assert texts == [page.text for page in noisy(PAGES, noise)]
    assert noise == "hyphen:1" or len(set(texts)) == len(texts)
    assert all(text != page.text for text, page in zip(texts[:20], PAGES, strict=False))


def test_half_of_the_documents_are_spared() -> None:
    changed = sum(page.text != PAGES[0].text for page in noisy(PAGES[:20], "ocr:0.1:half"))
    assert 5 <= changed <= 15


@pytest.mark.parametrize("noise", ["", "ocr", "rust:0.1", "ocr:2", "ocr:0.1:all"])
def test_another_noise_is_refused_with_the_kinds(noise: str) -> None:
    with pytest.raises(ConfigError, match="ocr, asr"):
        list(noisy(PAGES, noise))


def test_pages_need_texts() -> None:
    with pytest.raises(InputError, match="--fields html="):
        list(noisy([Page(html="<p>a")], "ocr:0.1"))


def test_a_file_may_hold_the_clusters_of_its_documents(tmp_path: Path) -> None:
    articles = [(name, copy, misread(news_text(name), str(copy))) for name in "ab" for copy in range(3)]
    rows = ({"id": f"{name}{n}", "cluster": "ab".index(name), "article": text} for name, n, text in articles)
    file = documents(tmp_path / "test.jsonl", rows)
    given = ("--docs", file, "--clusters", file, "--fields", "text=article,title=headline,html=")
    found = values("evaluate", "duplicates", *given)
    assert (found["positive_pairs"], found["groups"]["estimates"]["ari"]["value"]) == (6, 1.0)
