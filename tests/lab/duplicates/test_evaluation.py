"""Whole evaluations, groups against pairs of which each stands for many, and noise in texts."""

from pathlib import Path

import pytest

from dupgroups import Page
from dupgroups.errors import ConfigError, InputError
from dupgroups_lab.duplicates.new_information import tabulate_marks
from dupgroups_lab.duplicates.noise import noisy
from dupgroups_lab.duplicates.sampled import scores
from dupgroups_lab.labels.labelled_pairs import Weight, read_weights
from lab.running import documents, run, table, values
from stories import chinese_story, misread, news_text, running_text

DOCUMENTS = tuple("abcdefgh")


def test_pairs_with_enough_new_words_in_either_text_are_marked() -> None:
    words = list(map(str, range(1000, 1080)))
    texts = {"a": words, "b": [*words, *"uvwxyzabcdefghijklmn"], "c": words[:20], "d": words}
    labels = {("a", "b"): "duplicate", ("a", "d"): "duplicate", ("a", "c"): "containment", ("c", "e"): "near"}
    found = tabulate_marks(labels, {id_: " ".join(text) for id_, text in texts.items()})
    cells = {row[0]: row[1:] for row in found.rows}
    assert cells["20% new words"] == ("50.0", "100.0", "-", "50.0")  # 20 of 100
    assert cells["30% new words"] == ("0.0", "100.0", "-", "100.0")


LABELS = {
    ("a", "b"): "duplicate",
    ("a", "c"): "non",
    ("d", "e"): "duplicate",
    ("d", "f"): "near",
    ("g", "h"): "non",
}
GROUPS = {"a": "1", "b": "1", "c": "1", "d": "2", "e": "3", "f": "2", "g": "4", "h": "5"}


def weighted(**weights: tuple[float, int]) -> dict[tuple[str, str], Weight]:
    return {ids: Weight(*weights.get("".join(ids), (1, 100))) for ids in LABELS}


@pytest.mark.parametrize(
    ("weights", "figures"),
    [
        ({}, ["0.5000", "0.5000", "0.5000"]),
        ({"ab": (3, 100)}, ["0.7500", "0.7500", "0.7500"]),
        ({"ac": (9, 100)}, ["0.1000", "0.5000", "0.1667"]),
        ({"de": (3, 100)}, ["0.5000", "0.2500", "0.3333"]),
        ({"df": (9, 100), "gh": (9, 100)}, ["0.5000", "0.5000", "0.5000"]),
    ],
)
def test_a_pair_counts_as_often_as_its_weight_says(
    weights: dict[str, tuple[float, int]], figures: list[str]
) -> None:
    assert scores(GROUPS, LABELS, weighted(**weights)).rows[0] == ("all", *figures, "1, 1, 1")


def test_short_pairs_have_a_row_of_their_own() -> None:
    made = scores(GROUPS, LABELS, weighted(ac=(2, 69), de=(2, 70)))
    assert made.cell("under 70 words", "right, wrong, missed") == "0, 1, 0"
    assert made.cell("70 words and more", "right, wrong, missed") == "1, 0, 1"
    assert made.cell("70 words and more", "recall") == "0.3333"
    assert scores(GROUPS, LABELS, weighted()).cell("under 70 words", "F1") == "-"


def test_a_document_without_a_group_is_alone() -> None:
    assert scores({}, LABELS, weighted()).rows[0][4] == "0, 0, 2"


def test_weights_are_read_where_the_labels_have_them(tmp_path: Path) -> None:
    path = table(tmp_path / "pairs.csv", "b,a,label,weight,words", [("x", "y", "non", "2.5", "30")])
    assert read_weights(path) == {("x", "y"): Weight(2.5, 30)}
    assert read_weights(table(tmp_path / "pairs.csv", "a,b,label", [("x", "y", "non")])) == {}
    with pytest.raises(InputError, match=r"line 2: weight and words are numbers: .*'many'"):
        read_weights(table(path, "a,b,label,weight,words", [("x", "y", "non", "many", "30")]))


def test_labels_with_weights_have_no_changes(tmp_path: Path) -> None:
    docs = documents(tmp_path / "docs.jsonl", [{"id": "x", "text": "One."}, {"id": "y", "text": "Two."}])
    pairs = table(tmp_path / "pairs.csv", "a,b,label,weight,words", [("x", "y", "duplicate", "2", "1")])
    given = ("evaluate", "duplicates", "--docs", docs, "--labels", pairs, "--processes", 1)
    assert "0, 0, 1" in run(*given).output
    with pytest.raises(InputError, match="--beside and --changes do not take labels with weights"):
        run(*given, "--changes")


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
