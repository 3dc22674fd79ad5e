"""CEDAR's experiments: filters equal those of the signer, halves keep stories whole, tables are printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content, Page
from dupgroups.text.sets import distinct
from dupgroups_lab.extraction.scores import BlockScore
from dupgroups_lab.labels.pairs import pair
from dupgroups_lab.papers.cedar.shingles import Cut, Setting, shingle_sets
from dupgroups_lab.papers.cedar.trained import trained_by_folds
from dupgroups_lab.training.methods import TRAINERS, Trained
from dupgroups_lab.training.network import Example
from dupgroups_papers.codecs.set_codec import pack_sample
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.signatures.shingling import Shingling
from lab.reports.pages import read
from lab.running import labelled, paragraphs, run
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
    """Eight stories, each on two sites with other lines missing: the site's menu, and the text."""
    texts = {}
    for number in range(8):
        lines = running_text(f"{number}").split("\n")
        for name, kept in (("a", lines[8:]), ("b", lines[:-8])):
            menu = [f"{name}{entry} {name}section{entry} {name}{entry}" for entry in range(99)]
            texts[f"{number}/{name}"] = menu, "\n".join(kept)
    return texts


def rows() -> list[dict[str, str]]:
    """The pages as documents with html, of which the scripts differ by site."""
    made = []
    for document, (menu, text) in pages().items():
        html = f"<script>track({document[-1]!r})</script>" + paragraphs("\n".join((*menu, text)))
        made.append({"id": document, "html": html, "text": text, "host": f"{document[-1]}.example"})
    return made


class Quick:
    """Trains nothing."""

    def __init__(self, features: str, prior: float, sites: int) -> None:
        self.kept = [99] if (prior, sites) == (1, 4) else []

    def __call__(self, examples: Sequence[Example]) -> Trained:
        return Trained(lambda example: self.kept, {})


def test_the_command_prints_tables_and_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TRAINERS, "crf", Quick)
    given = labelled(tmp_path, rows(), COPIES)
    report = tmp_path / "figures.html"
    options = ("--extractors", "long_blocks", "--train", "crf features=paper", "--report", report)
    printed = [line.split("  ") for line in run("evaluate", "cedar", *given, *options).stdout.splitlines()]
    cells: dict[str, list[list[str]]] = {}
    for name, *others in printed:
        cells.setdefault(name, []).append([cell.strip() for cell in others if cell.strip()])
    assert "16 documents, 8 pairs to be found, 0 that count neither way." in cells
    assert cells["reference (Ref. standard)"][0][:2] == ["0.99999", "1.00000 ± 0.00000"]
    assert cells["heuristic, both filters"][0][2] == "0.981, 0.862, 0.917"
    assert cells["reference"][0][6:8] == ["-", "1.000 of 4"], "no references are identical"
    assert cells["entire, block 5"][0][0] == "0.95883"
    areas, blocks = cells["crf features=paper by page (CE-BEST)"]
    assert (areas[0], blocks[3:]) == ("0.99999", ["97.9", "99.5", "80.0", "prior=1 sites=4 (5)"])
    for title in ("table 1: shingles of 2 of", "table 2: filters", "figure 5: tokens of a shingle"):
        assert title in cells
    assert "words, 2, modulo 25" in cells
    drawn = report.read_text(encoding="utf-8")
    read(drawn)
    assert drawn.count("<svg") == 6
    assert drawn.count("<polyline") > 6 * 2, "AU-ROC has bars of its standard error"


def test_training_by_folds_leaves_out_the_page_or_its_site() -> None:
    texts = {document: text for document, (_, text) in pages().items()}
    judged: list[tuple[str, set[str]]] = []

    def trainer(examples: Sequence[Example]) -> Trained:
        known = {example.page.id for example in examples}
        return Trained(lambda example: [judged.append((example.page.id, known)) or 0], {})

    web = [Page(id=id_, html=f"<p>{texts[id_]}", url=f"https://{id_[-1]}-paper.org/") for id_ in texts]
    found = trained_by_folds(web, texts, {"maxent": {"": trainer}})
    assert list(found) == ["maxent by page", "maxent by site"]
    by_page, by_site = judged[:16], judged[16:]
    assert all(document not in known for document, known in by_page)
    assert all(known == {other for other in texts if other[-1] != id_[-1]} for id_, known in by_site)
    assert found["maxent by site"].blocks == BlockScore(1.0, 1.0, 1.0)
