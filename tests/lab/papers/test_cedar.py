"""CEDAR's experiments: filters equal those of the signer, halves keep stories whole, tables are printed."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Content, Page
from dupgroups.sketches.sets import distinct
from dupgroups_lab.extraction.scores import BlockScore
from dupgroups_lab.labels.pairs import pair, truth
from dupgroups_lab.papers.cedar.ablation import ablation
from dupgroups_lab.papers.cedar.shingles import Cut, Setting, shingle_sets
from dupgroups_lab.papers.cedar.trained import trained_by_folds
from dupgroups_lab.papers.cedar.tuned import halves
from dupgroups_lab.training.methods import TRAINERS, Trained
from dupgroups_lab.training.network import Example
from dupgroups_papers.codecs.set_codec import pack_sample
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.signatures.shingling import Shingling
from stories import running_text

words = st.lists(st.sampled_from("a b c dd 三 四 。 \n".split(" ")), max_size=40).map(" ".join)
COPIES = {pair(f"{number}/a", f"{number}/b"): "duplicate" for number in range(8)}


@given(st.lists(words, min_size=1, max_size=6), st.integers(1, 3), st.integers(0, 5))
def test_the_filters_are_those_of_shingling(texts: list[str], size: int, block: int) -> None:
    plain = Shingling(size, modulus=1, block_min_tokens=block)
    known = Frequencies.learn(plain.features(Content(text)) for text in texts)
    settings = [Setting("whole", size, block, top) for top in (0.3, 0.0, 0.1)]
    for setting, sets, dropped in shingle_sets({"whole": list(map(Cut.of, texts))}, settings):
        assert dropped <= setting.top
        signer = Shingling(
            size,
            modulus=1,
            supershingle=1,
            block_min_tokens=block,
            least=1,
            frequencies=known,
            most_documents=99,
            top=setting.top,
        )
        for text, (features, weights) in zip(texts, sets, strict=True):
            assert (signer(Content(text)).body or pack_sample(features[:0])) == pack_sample(features)
            assert weights.tolist() == [1.0] * len(distinct(features))


def pages() -> dict[str, tuple[list[str], str]]:
    """Eight stories, each on two sites with other paragraphs missing: the site's menu, and the text."""
    texts = {}
    for number in range(8):
        paragraphs = running_text(f"{number}").split("\n")
        for name, kept in (("a", paragraphs[8:]), ("b", paragraphs[:-8])):
            menu = [f"{name}{entry} {name}section{entry} {name}{entry}" for entry in range(99)]
            texts[f"{number}/{name}"] = menu, "\n".join(kept)
    return texts


def test_what_is_dropped_is_told_where_ties_make_it_less() -> None:
    """Of three distinct shingles one is in all documents and two are in one: a half drops a third."""
    texts = {"whole": [Cut.of(text) for text in ("a b c", "a b", "a b d")]}
    found = [
        (dropped, [len(features) for features, _ in sets])
        for _, sets, dropped in shingle_sets(texts, [Setting("whole", 2, 0, top) for top in (0.3, 0.5, 0.0)])
    ]
    assert found == [(0, [2, 1, 2]), (1 / 3, [1, 0, 1]), (0, [2, 1, 2])]


def test_no_story_is_in_both_halves() -> None:
    texts = {document: text for document, (_, text) in pages().items()}
    near = {pair("0/a", "1/a"): "near", pair("2/a", "3/b"): "non"}
    known_truth = truth(texts, {**COPIES, **near})
    first, second = halves(known_truth)
    assert sorted(first + second) == list(range(len(texts)))
    assert first
    assert second
    sides = [{known_truth.documents[index] for index in half} for half in (first, second)]
    for a, b in known_truth.positive | known_truth.ignored:
        assert any({a, b} <= side for side in sides)


def test_tuning_finds_the_filter_that_drops_the_menu() -> None:
    texts = {document: "\n".join((*menu, text)) for document, (menu, text) in pages().items()}
    results = ablation({"whole": texts}, truth(texts, COPIES))
    block = next(system for system in results.systems if system.name == "whole, block filter")
    assert block.pairs.f1 == block.clusters.f1 == 1.0
    assert block.setting.block == 4
    menu, both = results.filters[0].reached.every.f1, results.filters[-1].reached.every.f1
    assert menu < 0.5 < both == 1.0


def test_every_row_is_compared_by_the_bootstrap() -> None:
    """Only the menu is common to all pages: what drops it is significantly better, and equal to the text."""
    menus = {document: "\n".join((*menu, text)) for document, (menu, text) in pages().items()}
    plain = {document: text for document, (_, text) in pages().items()}
    results = ablation({"whole": menus, "auto": plain, "reference": plain}, truth(menus, COPIES))
    whole, auto, reference = results.extractors
    assert set(whole.against) == {"auto", "reference"}
    assert whole.against["auto"].significant
    assert whole.against["auto"].high < 0
    assert (auto.against["reference"].value, auto.against["reference"].significant) == (0, False)
    assert set(reference.against) == {"whole", "auto"}
    nothing, _, both = results.filters
    assert set(nothing.against) == {"auto"}
    assert both.against["none"].significant
    assert both.against["auto"].value == 0
    systems = {system.name: system.against for system in results.systems}
    assert set(systems["auto"]) == {"whole, both filters", "reference"}
    blocks, _, sizes = results.figures
    assert blocks.against["whole"][0].value == 0
    assert blocks.against["whole"][blocks.values.index("5")].significant
    assert blocks.values == [str(block) for block in range(1, 21)]
    assert (sizes.base, sizes.against["auto"][1].value) == ("2", 0)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    documents = {}
    for document, (menu, text) in pages().items():
        html = "".join(f"<p>{paragraph}</p>" for paragraph in (*menu, *text.split("\n")))
        script = f"<script>track({document[-1]!r})</script>"
        documents[document] = {"html": script + html, "text": text, "host": f"{document[-1]}.example"}
    write(tmp_path, documents)
    return tmp_path


def write(folder: Path, documents: Mapping[str, Mapping[str, str]]) -> None:
    with (folder / "docs.jsonl").open("w", encoding="utf-8") as lines:
        for document, fields in documents.items():
            print(json.dumps({"id": document, "lang": "en", **fields}), file=lines)
    with (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("a", "b", "label"), *((*ids, label) for ids, label in COPIES.items())])


def run(folder: Path, *more: str) -> list[list[str]]:
    arguments = ["--docs", folder / "docs.jsonl", "--labels", folder / "pairs.csv", *more]
    result = CliRunner().invoke(
        app, ["evaluate", "cedar", *map(str, arguments)], env={"COLUMNS": "200"}, catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return [line.split("  ") for line in result.stdout.splitlines()]


def test_the_command_prints_tables_and_draws_figures(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: dict[str, list[str]] = {}
    quick = Trained(lambda example: [99], lambda path: None)
    monkeypatch.setattr("dupgroups_lab.training.methods._crf", lambda examples, features: quick)
    report = pack / "report.html"
    chosen = ("--extractors", "heuristic", "--train", "maxent,crf features=paper", "--report", str(report))
    printed = run(pack, *chosen)
    for name, *cells in printed:
        rows.setdefault(name, [cell.strip() for cell in cells if cell.strip()])
    assert "16 documents, 8 pairs to be found, 0 that count neither way." in rows
    assert rows["whole (Heuristic)"][0] == "0.91076"
    assert rows["reference (Ref. standard)"][:2] == ["0.99999", "1.00000 ± 0.00000"]
    assert any(cell.endswith("]*") for cell in rows["whole (Heuristic)"])
    assert rows["heuristic"][:3] == ["-", *rows["reference (Ref. standard)"][1:3]]
    assert rows["whole, both filters"][-3] == "0.981 0.862 0.917"
    assert rows["whole, frequency filter"][-5::2][:2] == ["0.977 0.782 0.869", "0.929 0.854 0.890"]
    (top,) = (name for name in rows if name.startswith("whole, top 7.5% ("))
    assert float(top[17:-2]) <= 7.5
    assert rows["entire, none"][0] == "0.94275"
    assert rows["entire, block 5"][0] == "0.95883"
    assert rows["maxent by page (CE-SIMPLE)"][0] == "0.99999"
    blocks = [cells for name, *cells in printed if name == "maxent by site (CE-SIMPLE)"][1]
    assert [cell.strip() for cell in blocks if cell.strip()][3:] == ["96.0", "98.1", "58.0"]
    assert rows["crf features=paper by page (CE-BEST)"][0] == "0.99999"
    blocks = [cells for name, *cells in printed if name == "crf features=paper by site (CE-BEST)"][1]
    assert [cell.strip() for cell in blocks if cell.strip()][3:] == ["97.9", "99.5", "80.0"]
    assert rows["crf features=paper by site"][-3] == "0.992 0.979 0.985"
    for title in ("table 1: shingles of 2 of", "table 2: filters", "figure 5: tokens of a shingle"):
        assert title in rows
    page = report.read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert '<th scope="row">reference (Ref. standard)</th><td>0.99999</td>' in page


def test_a_report_that_cannot_be_written_is_refused_before_the_work(pack: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        run(pack, "--docs", str(pack / "none.jsonl"), "--report", str(pack / "none" / "report.html"))


def test_pages_without_html_are_not_measured(tmp_path: Path) -> None:
    write(tmp_path, {document: {"text": text} for document, (_, text) in pages().items()})
    with pytest.raises(InputError, match="no document has html"):
        run(tmp_path)


def test_training_by_folds_leaves_out_the_page_or_its_story_or_its_site() -> None:
    texts = {document: text for document, (_, text) in pages().items()}
    judged: list[tuple[str, set[str]]] = []

    def trainer(examples: Sequence[Example]) -> Trained:
        known = {example.page.id for example in examples}

        def kept(example: Example) -> list[int]:
            judged.append((example.page.id, known))
            return [0]

        return Trained(kept, lambda path: None)

    web = [
        Page(id=document, html=f"<p>{text}", url=f"https://news{document[0]}.{document[-1]}-paper.org/")
        for document, text in texts.items()
    ]
    found = trained_by_folds(web, texts, truth(texts, COPIES), {"maxent": trainer})
    assert list(found) == ["maxent by page", "maxent by story", "maxent by site"]
    by_page, by_story, by_site = (judged[start : start + 16] for start in (0, 16, 32))
    for document, known in by_page:
        assert document not in known
    for document, known in by_story:
        assert not {f"{document[0]}/a", f"{document[0]}/b"} & known
        assert {other[-1] for other in known} == {"a", "b"}
    for document, known in by_site:
        assert known == {other for other in texts if other[-1] != document[-1]}
    assert found["maxent by site"].blocks == BlockScore(1.0, 1.0, 1.0)
    assert found["maxent by site"].texts == {name: text.replace("\n", " ") for name, text in texts.items()}


def test_who_trained_on_the_site_is_compared_with_who_did_not() -> None:
    """By site the menu is taken for the story, by page it is not: the difference is significant."""
    menus = {document: "\n".join((*menu, text)) for document, (menu, text) in pages().items()}
    plain = {document: text for document, (_, text) in pages().items()}
    texts = {"whole": menus, "crf by page": plain, "crf by site": menus, "auto": plain, "reference": plain}
    results = ablation(texts, truth(menus, COPIES))
    _, by_page, by_site, *_ = results.extractors
    assert by_page.published == by_site.published == 0.9999933
    assert by_page.against["by site"].significant
    assert by_page.against["reference"].value == 0
    assert set(by_site.against) == {"whole", "auto", "reference"}
    systems = {system.name: system.published for system in results.systems}
    assert systems["crf by page"] == systems["crf by site"] is not None


def test_the_entire_document_has_the_text_of_scripts() -> None:
    """In the same settings as what is visible, and compared with it."""
    visible = {document: "\n".join((*menu, text)) for document, (menu, text) in pages().items()}
    scripts = {
        document: "\n".join([text, *["track page"] * 9, document]) for document, text in visible.items()
    }
    results = ablation({"entire": scripts, "whole": visible}, truth(visible, COPIES))
    assert [row.setting.extractor for row in results.filters] == ["entire"] * 3 + ["whole"] * 3
    assert [row.setting.extractor for row in results.extractors] == ["whole"]
    assert set(results.filters[0].against) == {"whole"}
    assert set(results.filters[1].against) == {"none", "whole"}


@pytest.mark.parametrize(
    ("missing", "notice"),
    [
        ("host", "maxent: no folds of sites, which need the url or host of every document, and two sites."),
        ("text", "maxent: not trained by folds, because some documents have no text."),
    ],
)
def test_documents_that_lack_what_training_needs_are_measured_without(
    pack: Path, missing: str, notice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TRAINERS, "maxent", lambda _: Trained(lambda example: [0], lambda path: None))
    lines = (pack / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    documents = [
        {name: value for name, value in json.loads(line).items() if name != missing} for line in lines
    ]
    write(pack, {document.pop("id"): document for document in documents})
    given = ("--docs", pack / "docs.jsonl", "--labels", pack / "pairs.csv", "--json")
    arguments = ("evaluate", "cedar", *given, "--extractors", "whole", "--train", "maxent")
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert notice in " ".join(result.stderr.split())
    trained = json.loads(result.stdout)["results"]["blocks"]
    assert list(trained) == ["maxent by page", "maxent by story"][: 2 * (missing == "host")]


def test_only_an_extractor_that_learns_is_trained(pack: Path) -> None:
    with pytest.raises(ConfigError, match="unknown extractor that learns 'mss'"):
        run(pack, "--train", "mss")
