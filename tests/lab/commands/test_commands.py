"""`dup-groups evaluate duplicates`, `evaluate edits` and `calibrate` as a user types them."""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups.config import from_toml
from dupgroups.corpus.templates import Templates
from dupgroups.errors import ConfigError, InputError
from stories import reprints

STORIES, COPIES = 12, 3


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with documents, labelled pairs and clusters of made reprints; one label is wrong."""
    folder = tmp_path_factory.mktemp("pack")
    pages = reprints(STORIES, COPIES)
    with (folder / "docs.jsonl").open("w", encoding="utf-8") as lines:
        for document_id, page in pages.items():
            language = "zh" if "。" in (page.text or "") else "en"
            print(
                json.dumps({"id": document_id, "text": page.text, "title": page.title, "lang": language}),
                file=lines,
            )
    pairs = [(a, b) for a, b in combinations(pages, 2) if a.split("/")[0] == b.split("/")[0]]
    _write(folder / "pairs.csv", ("a", "b", "label"), [(*pair, "duplicate") for pair in pairs])
    _write(folder / "wrong.csv", ("a", "b", "label"), [(*pair, "duplicate") for pair in pairs[1:]])
    _write(
        folder / "clusters.csv",
        ("id", "cluster"),
        [(document_id, document_id.split("/")[0]) for document_id in pages],
    )
    return folder


def _write(path: Path, *rows: object) -> None:
    header, data = rows
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *data])  # type: ignore[misc]


def run(*arguments: object) -> str:
    result = CliRunner().invoke(
        app, list(map(str, arguments)), env={"COLUMNS": "120"}, catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def test_the_table_has_the_scores_of_pairs_and_groups(pack: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    output = run(
        *("evaluate", "duplicates", "--docs", pack / "docs.jsonl", "--labels", pack / "wrong.csv"),
        *("--report", report, "--processes", 1),
    )
    assert "36 documents, 35 pairs to be found, 0 that count neither way" in output
    assert "F1 0.9859 [0.9" in output
    assert "ARI" in output
    assert "right, wrong, missed 35, 1, 0 35, 1, 0" in output
    page = report.read_text(encoding="utf-8")
    assert "Wrong: 1 pairs" in page
    assert "s0/0 | s0/1" in page
    assert "WESTBRIDGE" in page  # the diff of the pair
    assert "Missed: none" in page


def test_clusters_are_enough(pack: Path) -> None:
    output = run(
        *("evaluate", "duplicates", "--docs", pack / "docs.jsonl", "--clusters", pack / "clusters.csv"),
        *("--processes", 1),
    )
    assert "right, wrong, missed 36, 0, 0 36, 0, 0" in output


def test_a_parameter_is_varied_in_table_and_report(pack: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    output = run(
        *("evaluate", "duplicates", "--docs", pack / "docs.jsonl", "--labels", pack / "pairs.csv"),
        *("--processes", 1, "--vary", "judge.threshold=0.47,0.89", "--report", report),
    )
    assert "0.47 1.0000 1.0000 1.0000" in output
    row = output[output.index("0.89 ") :].split()
    assert float(row[2]) < 1
    page = report.read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    assert "By judge.threshold" in page


@pytest.mark.parametrize(
    ("vary", "what"),
    [
        ("signer.siz=1", "siz"),
        ("sign.size=1", "PART is extractor, signer or judge"),
        ("signer.size", "give PART.PARAMETER=VALUE"),
        ("judge.threshold=0.5,2", "threshold must be between 0 and 1"),
        ("judge.threshold=high", "judge .resemblance."),
    ],
)
def test_what_cannot_be_varied_is_refused_before_the_work(pack: Path, vary: str, what: str) -> None:
    with pytest.raises(ConfigError, match=what):
        run(
            *("evaluate", "duplicates", "--docs", pack / "missing", "--labels", pack / "pairs.csv"),
            *("--vary", vary),
        )


def test_something_to_compare_with_is_asked_for(pack: Path) -> None:
    with pytest.raises(InputError, match="--labels, --clusters or both"):
        run("evaluate", "duplicates", "--docs", pack / "docs.jsonl")


def test_an_unknown_label_is_refused_before_the_work(pack: Path) -> None:
    with pytest.raises(InputError, match="unknown label 'copy'; known: duplicate"):
        run(
            *("evaluate", "duplicates", "--docs", pack / "missing", "--labels", pack / "pairs.csv"),
            *("--positive", "copy"),
        )


def test_a_calibrated_configuration_can_be_evaluated(pack: Path, tmp_path: Path) -> None:
    out = tmp_path / "news.toml"
    output = run("calibrate", "--docs", pack / "docs.jsonl", "--labels", pack / "pairs.csv", "--out", out)
    assert "threshold" in output
    assert set(from_toml(out).methods) >= {"*", "zh"}
    output = run(
        *("evaluate", "duplicates", "--docs", pack / "docs.jsonl", "--labels", pack / "pairs.csv"),
        *("--config", out, "--processes", 1),
    )
    assert "right, wrong, missed 36, 0, 0" in output


def test_edits_are_listed_by_language_with_the_precision_of_the_originals(pack: Path) -> None:
    output = run("evaluate", "edits", pack / "docs.jsonl", "--labels", pack / "pairs.csv")
    assert "whitespace only 100.0% (18) 100.0% (18) 0" in output
    assert "last fifth cut" in output
    assert "36 originals, 0 of them too short" in output
    assert "36 right, 0 wrong, precision 1.0000" in output


def test_the_pairs_that_keys_find_are_counted(pack: Path) -> None:
    output = run("evaluate", "keys", pack / "docs.jsonl")
    assert "36 signed documents, 36 pairs joined, of which the keys find 36: recall 1.0000" in output
    assert "at most 17 keys per document, 2.0 candidates per look-up" in output


REPORTING = ("duplicates", "cedar", "weightings", "period-string")


def test_documents_and_labels_are_never_written_over(pack: Path) -> None:
    docs, labels = pack / "docs.jsonl", pack / "pairs.csv"
    before = docs.read_bytes(), labels.read_bytes()
    given = ("--docs", docs, "--labels", labels)
    for place in (docs, labels):
        reports = [("evaluate", command, *given, "--report") for command in REPORTING]
        for command in (*reports, ("calibrate", *given, "--out")):
            with pytest.raises(InputError, match="is also read or written by this command"):
                run(*command, place)
    assert (docs.read_bytes(), labels.read_bytes()) == before


def test_labels_that_are_not_csv_are_refused(pack: Path) -> None:
    (pack / "binary.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"binary\.csv is not a CSV file in UTF-8"):
        run("evaluate", "duplicates", "--docs", pack / "docs.jsonl", "--labels", pack / "binary.csv")


def test_templates_of_hosts_are_kept_when_a_threshold_is_calibrated(pack: Path, tmp_path: Path) -> None:
    Templates().save(tmp_path / "hosts.npz")
    config, out = tmp_path / "methods.toml", tmp_path / "new.toml"
    config.write_text(f"hosts = {{ templates = {json.dumps(str(tmp_path / 'hosts.npz'))} }}\n")
    given = ("--docs", pack / "docs.jsonl", "--labels", pack / "pairs.csv", "--config", config)
    output = run("calibrate", *given, "--out", out)
    assert f"Configuration: {out}" in output
    assert from_toml(out).hosts == from_toml(config).hosts
