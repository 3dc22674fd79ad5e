"""Groups of a DataFrame, with `dup-groups group` as the oracle, and components with union-find."""

import random
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from bulk.offline.test_bulk import text
from docs.blocks import ROOT, blocks
from dupgroups import Config, Page
from dupgroups.bulk.offline.bulk import describe_repeated
from dupgroups.bulk.offline.bulk_judge import BulkJudge
from dupgroups.bulk.offline.page_groups import BatchResult, group_pages
from dupgroups.errors import ConfigError, InputError
from dupgroups.flow.deduper import now_microseconds
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.model import Record
from dupgroups.model.config import Method, Step
from dupgroups.text.document_like import as_page
from dupgroups_spark import group, sign
from dupgroups_spark.signed import SIGNED_COLUMNS
from stories import chinese_story, misread, news_text, reprint, story

pytestmark = pytest.mark.spark
Row = dict[str, Any]
COLUMNS = (
    "n long, seen timestamp, id string, url string, text string, html binary, title string, date date, "
    "language string, desk string, `not.ours` int"
)
START = datetime(2024, 5, 1)
HEADLINE = "Ferry strikes a moored barge off Westhaven"
RECIPES = ROOT / "docs" / "how-to" / "spark.md"


def texts() -> list[str]:
    """Copies, more than the crowd of a key for two candidates; excerpts; a series; Chinese; headlines."""
    rng = random.Random(5)
    made = [
        text("".join(sorted(rng.sample("abcdefgh", rng.randint(1, 4)))), rng.randint(1, 3), rng.randint(0, 3))
        for _ in range(50)
    ]
    made += [reprint(story("crowd"), copy) for copy in range(12)]
    made += [misread(news_text("a"), str(copy)) for copy in range(3)]
    made += [reprint(chinese_story(name), copy) for name in "xy" for copy in range(3)] + ["Hm.", "Hm."]
    return made + [HEADLINE] * 2


def rows() -> list[Row]:
    """Documents in the order of `n`; some ids come twice, some documents have no id, no text, or html."""
    rng = random.Random(8)
    found: list[Row] = [
        {
            "n": place,
            "seen": START + timedelta(minutes=place),
            "id": f"d{place * 37 % 100:02}",
            "url": f"http://site{place % 5}.example/{place}",
            "text": text,
            "title": f"No. {place % 3}",
            "date": rng.choice([None, START.date(), START.date() + timedelta(days=5)]),
            "desk": rng.choice([None, "home", "abroad"]),
        }
        for place, text in enumerate(texts())
    ]
    found[3]["id"] = found[4]["id"] = None
    found[5]["text"] = None
    found[6]["html"] = f"<p>{found[7]['text']}</p>".encode()
    found[-1]["n"] = None
    found[-2]["date"], found[-1]["date"] = START.date(), START.date() + timedelta(days=5)
    found[-2]["title"] = found[-1]["title"] = ""
    found[20]["id"], found[30]["id"], found[31]["id"] = (found[place]["id"] for place in (10, 10, 11))
    return found


def frame(spark: SparkSession, rows: Sequence[Row]) -> DataFrame:
    """The rows in another order."""
    names = [column.split()[0].strip("`") for column in COLUMNS.split(", ")]
    mixed = random.Random(1).sample(list(rows), len(rows))
    return spark.createDataFrame([tuple(row.get(name) for name in names) for row in mixed], COLUMNS)


def pages(rows: Sequence[Row], config: Config) -> list[Page]:
    """The documents as the command reads them from a file."""
    return [
        as_page(
            {
                **row,
                "id": row["id"] or row["url"],
                "text": None if row.get("html") else row["text"] or "",
                "date": row["date"] and row["date"].isoformat(),
            },
            config.group_by,
        )
        for row in rows
    ]


def heads(groups: Mapping[str, str], pages: Sequence[Page], config: Config) -> set[str]:
    """The heads of groups: of each id the last page counts, with the age of the first; all are seen now."""
    seen = now_microseconds()
    signed = [document.record for document in sign_all(pages, MethodSet(config))]
    records = {record.id: replace(record, first_seen=seen) for record in signed}
    ages = {id_: place for place, id_ in reversed(list(enumerate(page.id for page in pages)))}
    order = GroupingRule.of(config).order
    members: dict[str, list[Record]] = {}
    for id_, name in groups.items():
        members.setdefault(name, []).append(records[id_])
    return {min(some, key=lambda record: (order(record)[0], ages[record.id])).id for some in members.values()}


def collected(groups: DataFrame) -> tuple[dict[str, str], set[str]]:
    found = groups.collect()
    assert len(found) == len({row.id for row in found})
    return {row.id: row.dup_group for row in found}, {row.id for row in found if row.dup_head}


def oracle(rows: Sequence[Row], config: Config) -> BatchResult:
    """The groups of the command, which learns frames otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BulkJudge, "learn_frames", lambda *given: None)
        return group_pages(pages(rows, config), config, processes=1)


CLOSURE = Config(
    linkage="closure",
    join=frozenset({"duplicate", "contains"}),
    candidates=2,
    head="fullest",
    group_by=("desk", "language"),
    within_days=3,
)


def test_the_groups_are_those_of_the_command(spark: SparkSession, caplog: pytest.LogCaptureFixture) -> None:
    """With closure, and all other settings than the defaults."""
    wanted = oracle(rows(), CLOSURE)
    groups, named = collected(group(frame(spark, rows()), CLOSURE, order="n"))
    assert groups == wanted.groups
    assert named == heads(groups, pages(rows(), CLOSURE), CLOSURE)
    assert caplog.messages == [describe_repeated(wanted.repeated)]
    assert caplog.text.count("3 documents have ids that came before") == 1
    dated = replace(CLOSURE, head="published")
    again, elected = collected(group(frame(spark, rows()), dated, order="n"))
    assert (again, elected) == (groups, heads(groups, pages(rows(), dated), dated))
    assert elected != named


def test_the_recipe_of_the_docs_groups_as_the_command_does(spark: SparkSession, tmp_path: Path) -> None:
    """With the defaults, from Parquet into Parquet."""
    recipe, *_ = (block.text for block in blocks(RECIPES) if block.language == "python")
    news = frame(spark, rows()).withColumnsRenamed({"text": "body", "seen": "fetched"})
    news.write.parquet(str(tmp_path / "news"))
    exec(recipe.replace("s3a://archive", str(tmp_path)), {})
    groups, named = collected(spark.read.parquet(str(tmp_path / "groups")))
    assert groups == oracle(rows(), Config()).groups
    assert named == set(groups.values())


def test_signed_documents_make_the_same_groups_and_without_an_order_the_smallest_id_is_the_oldest(
    spark: SparkSession, tmp_path: Path
) -> None:
    config = Config(candidates=3, head=("site2.example", "site4.example"), join=frozenset({"near"}))
    once = list({row["id"] or row["url"]: row for row in rows()}.values())
    sign(frame(spark, once), config).write.parquet(str(tmp_path / "signed"))
    signed = spark.read.parquet(str(tmp_path / "signed"))
    assert dict(signed.dtypes) == SIGNED_COLUMNS
    by_id = sorted(once, key=lambda row: row["id"] or row["url"])
    groups, named = collected(group(signed, config))
    assert groups == oracle(by_id, config).groups
    assert named == heads(groups, pages(by_id, config), config)
    with pytest.raises(InputError, match="leave out order"):
        group(signed, config, order="age")
    with pytest.raises(ConfigError, match=r"signatures of scheme 'minhash.* sign the documents again"):
        group(signed, Config(methods={"*": Method(signer=Step("simhash"))}))


@pytest.mark.parametrize(
    ("columns", "order", "message"),
    [
        ("id int, body string", None, "there is no column text or html (columns: id, body): rename yours"),
        ("text string, title int", None, "column title is int, and must be string: cast it"),
        ("text string, n string", "n", "column n is string, and must be tinyint or"),
    ],
)
def test_columns_that_cannot_be_read_are_named(
    columns: str, order: str | None, message: str, spark: SparkSession
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        group(spark.createDataFrame([], columns), order=order)


def test_without_spark_one_sentence_names_the_extra() -> None:
    code = "import sys; sys.modules['pyspark'] = None; import dupgroups_spark"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.endswith(
        "MissingExtraError: Grouping in Spark needs an extra: pip install 'dup-groups[spark]'\n"
    )
