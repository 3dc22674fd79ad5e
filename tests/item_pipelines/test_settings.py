"""The settings of the Scrapy pipeline, and the add-on."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

import dupgroups
from dupgroups.errors import ConfigError
from dupgroups.model.config import Config, Step
from dupgroups.scrapy import STATES, DupGroupsPipeline, pipeline
from dupgroups.scrapy.fields import ItemFields
from dupgroups.scrapy.settings import PREFIX, SETTINGS, PipelineSettings, read


def test_defaults_hold_and_every_setting_is_read():
    assert read(Settings()) == PipelineSettings()
    given = {
        "ENGINE": "memory://",
        "METHODS": '{"en": {"signer": "minhash"}}',
        "JOIN": "duplicate,near",
        "CANDIDATES": "7",
        "LINKAGE": "average",
        "HEAD": "fullest",
        "GROUP_BY": "tenant,language",
        "WITHIN_DAYS": "30",
        "FIELDS": '{"html": "body"}',
        "BATCH_ITEMS": "3",
        "BATCH_BYTES": "4",
        "BATCH_SECONDS": "0.25",
        "SETTLE_SECONDS": "5",
        "NOT_ARTICLE": "keep",
        "ARTICLE_THRESHOLD": "0.9",
        "DEAD_LETTERS": "x.jsonl",
        "DROP_FIELDS": "html, body",
        "PROCESSES": "3",
        "METRICS_PORT": "9410",
        "METRICS_HOST": "0.0.0.0",
        "LOG_FORMAT": "json",
        "ENABLED": "1",
    }
    found = read(Settings({f"DUPGROUPS_{name}": value for name, value in given.items()}))
    signers = {language: method.signer for language, method in found.config.methods.items()}
    assert signers == {"en": Step("minhash")}
    assert found == PipelineSettings(
        engine="memory://",
        config=replace(
            Config(methods=found.config.methods),
            join=frozenset({"duplicate", "near"}),
            candidates=7,
            linkage="average",
            head="fullest",
            group_by=("tenant", "language"),
            within_days=30,
        ),
        fields=ItemFields({"html": "body"}, ("tenant", "language")),
        batch_items=3,
        batch_bytes=4,
        batch_seconds=0.25,
        settle_seconds=5,
        not_article="keep",
        article_threshold=0.9,
        dead_letters=Path("x.jsonl"),
        drop_fields=("html", "body"),
        processes=3,
        metrics_port=9410,
        metrics_host="0.0.0.0",
        log_format="json",
    )


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("X", 1, "unknown setting 'DUPGROUPS_X'; known: DUPGROUPS_ARTICLE"),
        ("BATCH_ITEM", 5, "DUPGROUPS_BATCH_ITEM.*did you mean 'DUPGROUPS_BATCH_ITEMS'.*DUPGROUPS_ENGINE"),
        ("BATCH_ITEMS", 0, "BATCH_ITEMS must be 1 or more"),
        ("BATCH_ITEMS", "many", "BATCH_ITEMS cannot be 'many': write DUPGROUPS_BATCH_ITEMS = 50"),
        ("ENABLED", "perhaps", "ENABLED cannot be 'perhaps': write DUPGROUPS_ENABLED = True"),
        ("DROP_FIELDS", [1], r"DROP_FIELDS cannot be \[1\]: write DUPGROUPS_DROP_FIELDS = \['html'\]"),
        ("FIELDS", '{"html": 5}', "'html' must be text"),
        ("FIELDS", "html:body", """cannot be 'html:body': .* or -s DUPGROUPS_FIELDS='{"html": "body"}'"""),
        ("BATCH_SECONDS", 1.5, "BATCH_SECONDS must be over 0 and at most 1"),
        ("NOT_ARTICLE", "drop", "NOT_ARTICLE must be 'skip' or 'keep'"),
        ("FIELDS", {"body": "html"}, "unknown field 'body'; known: url, html.*our name first"),
        ("METHODS", "{", "METHODS cannot be '{': write .*minhash"),
        ("JOIN", "same", "join: same"),
        ("ENGINE_PASSWORD", "s3cret", "in the environment, not in the settings"),
    ],
)
def test_a_wrong_setting_is_named(name, value, message):
    with pytest.raises(ConfigError, match=message) as error:
        read(Settings({f"DUPGROUPS_{name}": value}))
    assert "s3cret" not in str(error.value)


def test_every_example_is_a_valid_setting():
    read(Settings({PREFIX + name: ast.literal_eval(value) for name, (_, value) in SETTINGS.items()}))


def test_the_add_on_puts_the_pipeline_in_and_respects_the_users_place():
    cls = pipeline.DupGroupsPipeline
    found = Settings()
    dupgroups.Addon().update_settings(found)
    assert cls in found.getdict("ITEM_PIPELINES")
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
