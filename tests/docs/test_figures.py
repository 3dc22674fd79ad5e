"""Figures of the docs are written by commands, from the weights of today, and hold what the text says."""

import re
from itertools import groupby, takewhile
from pathlib import Path

import pytest
from figures import MARKED, WEIGHTS, Block, weights, write_pages

from docs.test_how_to import DOCS, command_of
from small_packs import write_small_packs

SMALL = Path(__file__).with_name("small.md")

ELSEWHERE = {"benchmarks.md", "clusters.md"}  # times, and versions
PAGES = [path for path in DOCS if path.name not in ELSEWHERE]
BLOCKS = [(path, block) for path in DOCS for _, block in Block.of_page(path.read_text("utf-8"))]
FIGURE = re.compile(
    r"^\|.*\|[^|]*(?<![\w.])[01]?\.\d\d+"
    r"|(?<!-)\b(?:F1|[Pp]recision|[Rr]ecall)\b[\w ,]{0,20} [01]?\.\d\d"
)


def typed(block: Block) -> list[list[str]]:
    """The commands of a block, one by one."""
    words = [(number, word) for number, (_, line) in enumerate(block.commands()) for word in line]
    parts = groupby(words, lambda part: (part[0], part[1] == "&&"))
    return [[word for _, word in part] for (_, is_between), part in parts if not is_between]


def kinds(block: Block) -> set[tuple[str, ...]]:
    """The names of its commands and of its table."""
    names = (takewhile(re.compile("[a-z][a-z-]*").fullmatch, words) for words in typed(block))
    return {(*name, block.fields["table"]) for name in names}


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    write_small_packs(folder)
    return folder


@pytest.mark.slow  # `make figures` does it with the packs
def test_each_kind_of_table_is_made_again_on_the_small_packs(packs: Path, tmp_path: Path) -> None:
    page = tmp_path / "small.md"
    page.write_bytes(SMALL.read_bytes())
    assert write_pages([page], [packs]) == []
    made = Block.of_page(page.read_text("utf-8"))
    assert [block for match, block in made if not re.search(r"\|[\d.]+", match[2] or "")] == []
    known = {kind for _, block in made for kind in kinds(block)}
    assert {kind for _, block in BLOCKS for kind in kinds(block)} <= known, "small.md lacks a kind of table"


# pages whose tables were made with other defaults, and say so: to be made again, and taken from here
OLDER_WEIGHTS = {"papers.md": ["e012dff8"], "benchmarks.md": ["46fb03cf", "732cf039"]}


def test_the_commands_exist_and_the_weights_are_those_of_today() -> None:
    """Red after new weights or defaults: `make figures SHARED=...` writes the pages again."""
    assert len(BLOCKS) > 20
    for path, block in BLOCKS:
        made = OLDER_WEIGHTS.get(path.name, [weights()])
        assert WEIGHTS.findall(path.read_text("utf-8")) == made, path
        assert (path.name in OLDER_WEIGHTS) == ("older defaults" in path.read_text("utf-8")), path
        for words in typed(block):
            command, arguments = command_of(words)
            command.make_context("figures", list(arguments))


def test_each_claim_of_a_paper_has_a_verdict_and_a_command() -> None:
    """Red after a claim was written by hand: `make figures SHARED=...` judges it."""
    matches = (match for path in DOCS for match in MARKED.finditer(path.read_text("utf-8")))
    claims = [line for match in matches if "table: claims" in match[1] for line in match[2].splitlines()[2:]]
    assert len(claims) > 10
    judged = re.compile(r".*\|`evaluate [a-z-]+`.*\|(yes|no|on \d of \d)\|")
    assert [claim for claim in claims if not judged.fullmatch(claim)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_figure_stands_outside_of_marks(path: Path) -> None:
    text = MARKED.sub("", path.read_text("utf-8"))
    assert [line for line in text.splitlines() if FIGURE.search(line)] == []


PAGE = """<!-- weights: 0 -->

<!-- figures
table: claims
-->

|All are found|100 %|`evaluate duplicates`; F1; pairs; *|CONDITION|

<!-- figures
command: evaluate duplicates --docs PACK/docs.jsonl.gz --labels PACK/pairs.csv --fields html=
across: PACKS
rows: F1
columns: pairs
holds: F1; pairs; PACKS; CONDITION
-->
"""


def test_what_does_not_hold_is_an_error_and_a_pack_that_is_missing_leaves_a_table(
    packs: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    for condition, fails in (("> 0.99", False), ("< 0.99", True), ("= 1", False), ("= 0", True)):
        page.write_text(PAGE.replace("PACKS", "demo-zh").replace("CONDITION", condition), "utf-8")
        failure = f"F1, pairs, demo-zh: 1.0000 [1.000, 1.000] is not {condition}"
        assert write_pages([page], [packs]) == [failure] * fails
        written = page.read_text("utf-8")
        assert "|F1|1.0000|" in written
        claim = "|All are found|100 %|`evaluate duplicates`; F1; pairs; *"
        assert f"{claim}|{condition}|demo-zh 1.0000|{'no' if fails else 'yes'}|" in written
        assert f"<!-- weights: {weights()} -->" in written
    page.write_text(PAGE.replace("PACKS", "demo-zh").replace("duplicates`", "nothing`"), "utf-8")
    (unknown, _) = write_pages([page], [packs])[::-1]
    assert "`evaluate nothing`; F1; pairs; *|CONDITION' is not CLAIM|" in unknown
    page.write_text(PAGE.replace("PACKS", "nowhere"), "utf-8")
    assert write_pages([page], [packs]) == []
    assert page.read_text("utf-8") == PAGE.replace("PACKS", "nowhere")
