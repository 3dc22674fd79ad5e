"""The settings of the Scrapy pipeline, the fields of an item, and the add-on."""

import csv
import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

import dupgroups
from dupgroups import Page
from dupgroups.errors import ConfigError, InputError
from dupgroups.model.config import Method, Step
from dupgroups.scrapy import STATES, DupGroupsPipeline, pipeline
from dupgroups.scrapy.fields import ItemFields
from dupgroups.scrapy.pipeline_settings import PREFIX, SETTINGS, PipelineSettings, read

GIVEN = {
    "engine": ("memory://", "memory://"),
    "fields": ('{"html": "body"}', ItemFields({"html": "body"}, ("tenant", "language"))),
    "batch_items": ("3", 3),
    "batch_seconds": ("0.25", 0.25),
    "not_article": ("keep", "keep"),
    "dead_letters": ("x.jsonl", Path("x.jsonl")),
    "drop_fields": ('["html", "body"]', ("html", "body")),
}
OF_CONFIG = {
    "join": ("duplicate,near", frozenset({"duplicate", "near"})),
    "candidates": ("7", 7),
    "group_by": ("tenant, language", ("tenant", "language")),
    "head": ('["a.example"]', ("a.example",)),
    "methods": ('{"en": {"signer": "minhash"}}', {"en": Method(signer=Step("minhash"))}),
}


def test_defaults_hold_and_settings_of_each_kind_are_read_from_text():
    assert read(Settings()) == PipelineSettings()
    texts = {PREFIX + name.upper(): text for name, (text, _) in (GIVEN | OF_CONFIG).items()}
    found = read(Settings(texts))
    for settings, values in ((found, GIVEN), (found.config, OF_CONFIG)):
        expected = {name: value for name, (_, value) in values.items()}
        assert {name: getattr(settings, name) for name in values} == expected


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("BATCH_ITEM", 5, "DUPGROUPS_BATCH_ITEM.*did you mean 'DUPGROUPS_BATCH_ITEMS'.*DUPGROUPS_ENGINE"),
        ("BATCH_ITEMS", "many", "BATCH_ITEMS cannot be 'many': write DUPGROUPS_BATCH_ITEMS = 50"),
        ("FIELDS", "html:body", """cannot be 'html:body': .* or -s DUPGROUPS_FIELDS='{"html": "body"}'"""),
        ("BATCH_SECONDS", 1.5, "BATCH_SECONDS must be over 0 and at most 1"),
        ("FIELDS", {"body": "html"}, "unknown field 'body'; known: url, html.*our name first"),
        ("ENGINE_PASSWORD", "s3cret", "in the environment, not in the settings"),
    ],
)
def test_a_wrong_setting_is_named(name, value, message):
    with pytest.raises(ConfigError, match=message) as error:
        read(Settings({f"DUPGROUPS_{name}": value}))
    assert "s3cret" not in str(error.value)


LOADED = Page("http://a.example/", b"<p>x", title="A b")


@pytest.mark.parametrize(
    ("item", "page"),
    [
        ({"html": b"<p>x", "encoding": "gbk"}, Page(html=b"<p>x", encoding="gbk")),
        ({"text": "x", "date": date(2026, 3, 1), "id": 5}, Page(text="x", date="2026-03-01", id="5")),
        ({"html": b"", "text": ""}, Page(html=b"")),
        ({"html": [b"<p>x"], "url": ["http://a.example/"], "title": ["A", "b"]}, LOADED),
    ],
)
def test_what_an_item_holds_becomes_a_page(item, page):
    assert ItemFields({}).page(item) == page


def test_what_an_item_is_grouped_by_becomes_its_scope():
    fields = ItemFields({}, ("tenant", "language", "desk"))
    item = {"text": "x", "tenant": "acme", "desk": 7}
    assert fields.page(item).scope == '{"desk": "7", "tenant": "acme"}'
    assert fields.page({"text": "x", "tenant": " ", "scope": "x", "language": "en"}).scope is None


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({}, "neither 'html' nor 'text'"),
        ({"html": 5}, "'html' of the item is int, not .* response.body"),
        (7, "not int"),
    ],
)
def test_an_item_that_holds_nothing_of_use_says_why(item, message):
    with pytest.raises(InputError, match=message):
        ItemFields({}).page(item)


def test_the_add_on_puts_the_pipeline_in_and_respects_the_users_place():
    found = Settings()
    dupgroups.Addon().update_settings(found)
    assert DupGroupsPipeline in found.getdict("ITEM_PIPELINES")
    placed = Settings({"ITEM_PIPELINES": {"dupgroups.scrapy.DupGroupsPipeline": 7}})
    dupgroups.Addon().update_settings(placed)
    assert list(placed.getdict("ITEM_PIPELINES").values()) == [7]


def test_it_is_not_configured_when_switched_off_or_without_asyncio(monkeypatch):
    with pytest.raises(NotConfigured):
        DupGroupsPipeline.from_crawler(get_crawler(settings_dict={"DUPGROUPS_ENABLED": False}))
    monkeypatch.setattr(pipeline, "is_asyncio_available", lambda: False)
    with pytest.raises(NotConfigured, match="asyncio reactor"):
        DupGroupsPipeline.from_crawler(get_crawler())


def test_the_documentation_names_every_setting_and_state():
    text = (Path(__file__).parents[2] / "docs" / "scrapy.md").read_text(encoding="utf-8")
    assert [name for name in SETTINGS if f"`{PREFIX}{name}`" not in text] == []
    assert [state for state in STATES if f"| `{state}` |" not in text] == []


SPIDER = '''
import scrapy

STORY = """<p>The harbour master closed the northern quay after divers found a crack in a pillar.</p>
<p>Ships are sent to the old basin, which lies two miles up the river and has no crane, said the port.</p>
<p>The pillar was last looked at eleven years ago, and the report of that day names no fault of any kind.</p>
<p>Fishermen who land their catch there want to know who pays for the way to the other market.</p>"""

class Shop(scrapy.Spider):
    name = "shop"
    custom_settings = {"ADDONS": {"dupgroups.Addon": 300}, "DUPGROUPS_ENGINE": "sqlite:///news.db"}

    async def start(self):
        yield {"url": "https://a.example/prices", "price": 5}
        yield {"url": "https://a.example/2026/03/04/quay", "html": f"<h1>Quay closed</h1>{STORY}".encode()}
        yield {"url": "https://b.example/2026/03/04/quay", "html": f"<h1>Quay closed</h1>{STORY}".encode()}
'''


def run(tmp_path: Path, *args: str, code: int = 0) -> str:
    """Run the spider in an empty folder; returns its log."""
    (tmp_path / "shop.py").write_text(SPIDER)
    command = [sys.executable, "-m", "scrapy", "runspider", "shop.py", *args]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.whole
def test_feeds_have_the_results_though_the_first_item_is_not_an_article(tmp_path):
    settings = ["DUPGROUPS_DROP_FIELDS=html", "CONCURRENT_ITEMS=1", "DUPGROUPS_BATCH_SECONDS=0.01"]
    options = [word for setting in settings for word in ("-s", setting)]
    run(tmp_path, "-O", "news.json", "-O", "news.csv", *options)
    items = json.loads((tmp_path / "news.json").read_text())
    assert all("html" not in item for item in items), "bytes are no JSON"
    with (tmp_path / "news.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for found in (items, rows):
        assert [item["dup_state"] for item in found] == ["passed", "new", "joined"]
        assert found[1]["dup_group"] == found[2]["dup_group"] == found[1]["dup_id"]


@pytest.mark.whole
@pytest.mark.parametrize("client", ["opensearch", pytest.param("elasticsearch", marks=pytest.mark.slow)])
def test_a_dead_server_is_one_sentence_and_not_the_log_of_the_client(tmp_path, client):
    log = run(tmp_path, "-s", f"DUPGROUPS_ENGINE={client}://127.0.0.1:9/news?retries=2", code=1)
    assert "CRITICAL: The crawl does not start: " in log
    assert log.count("127.0.0.1:9") == 1 + log.count("'DUPGROUPS_ENGINE'")
    assert not re.search(r"\[(opensearch|elastic|urllib3)", log)
