"""The experiments of CEDAR and of Standke: filters as those of the signer, what is left out of training."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content, Page
from dupgroups.text.sets import distinct
from dupgroups_lab.extraction.scores import BlockScore
from dupgroups_lab.labels.labelled_pages import read_pack
from dupgroups_lab.labels.labelled_pairs import pair
from dupgroups_lab.papers.cedar.cedar_shingles import Cut, Setting, shingle_sets
from dupgroups_lab.papers.cedar.trained import trained_by_folds
from dupgroups_lab.papers.standke import by_site, repeat_validation, selections
from dupgroups_lab.training.network import Example
from dupgroups_lab.training.train_article_tree import LabelledCase, case_of, read_typed, train
from dupgroups_lab.training.trainable_methods import Trained
from dupgroups_papers.codecs.set_codec import pack_sample
from dupgroups_papers.content.decision_tree import Node
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.signatures.shingling import Shingling
from lab.packs import write_pack
from lab.running import labelled, paragraphs, printed, run
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


def test_tables_are_printed_in_numbers(tmp_path: Path) -> None:
    printed = run("evaluate", "cedar", *labelled(tmp_path, rows(), COPIES), "--train", "").output
    heads = re.findall(r"^(table \d): ", printed, re.MULTILINE)
    assert heads == ["table 1", "table 2", "table 3", "table 4"]
    assert "maxent (CE-SIMPLE)         0.99999         1.00000" in printed


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


def test_a_site_that_is_left_out_teaches_nothing():
    """Only the site separates these pages, which random folds hide."""
    kinds = ["article", "other", "article", "other"]
    cases = [
        LabelledCase(str(site), kinds[site], {"mss": 10.0 * site}) for site in range(4) for _ in range(8)
    ]
    assert repeat_validation(cases, ["mss"], trials=1, folds=8) == [1.0]
    assert by_site(cases, ["mss"]) == 0.0


def test_pages_of_sites_of_one_kind_can_be_left_out():
    cases = [LabelledCase(site, kind, {}) for site in ("a", "cnn.com") for kind in ("article", "other")]
    cases.append(LabelledCase("reddit.com", "other", {}))
    assert [len(chosen) for chosen in selections(cases).values()] == [5, 4, 2]
    assert list(selections(cases[:2])) == ["all sites"]


def test_links_count_as_absolute_urls_or_as_written(tmp_path: Path) -> None:
    link = f'<a href="/{"a" * 70}">'  # 71 characters, and 92 with the host
    pack = write_pack(tmp_path / "pack", [{"html": link, "url": "https://long.example/news/"}])
    page = next(read_pack(pack))
    assert [case_of(page, resolved=resolved).row["links_short"] for resolved in (True, False)] == [0, 1]


def test_the_command_writes_the_tree_of_its_pages(typed: Path, tmp_path: Path) -> None:
    out = tmp_path / "tree.json"
    assert "a tree from 24 pages of 4 sites" in printed("train", "articles", typed, "--out", out)
    wanted = train([case_of(page) for page in read_typed([typed])]).root
    assert Node.from_json(json.loads(out.read_text())) == wanted
