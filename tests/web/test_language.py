"""The pages in the language of the reader: which one it is, and that no text is left out."""

import re
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from babel.dates import format_date, format_skeleton
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

import dupgroups.presentation
import dupgroups.web
import dupgroups_lab.labelling
from browser.serving import Site, serving_documents
from browser.stories import stories
from dupgroups import Deduper, compare
from dupgroups.methods.evidence import MEASURES
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
from dupgroups.model import Period
from dupgroups.presentation.date_formats import days, moment, span
from dupgroups.presentation.languages import ENGLISH, LANGUAGES, DateForm, date_text, plural, sentence, use
from dupgroups.text.facts import read_facts
from dupgroups.web.chart import bars
from stories import running_text

PAGE, WORDS, LAB = (
    Path(module.__file__ or "").parent
    for module in (dupgroups.web, dupgroups.presentation, dupgroups_lab.labelling)
)
ROOMS = {WORDS: (WORDS, PAGE), LAB: (LAB,)}  # by where their catalogues are
KEYWORDS = {**DEFAULT_KEYWORDS, "plural": (2, 3), "gettext_noop": None}
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2"), ("templates/**.xml", "jinja2")]
FERRY = (
    "The night ferry was stopped in thick fog outside the harbour. Two of its passengers were hurt when it "
    "struck a moored barge, the coast guard said on Monday."
)
CHINESE = {"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"}


@pytest.fixture
def chinese() -> Iterator[None]:
    use(LANGUAGES["zh"])
    yield
    use(ENGLISH)


def texts_of(room: Path) -> set[str | tuple[str, ...]]:
    """The texts that are marked in the packages that have their catalogues here."""
    options = {"**.html": {"trimmed": "true", "silent": "false"}}
    found = (extract_from_dir(part, METHODS, options, KEYWORDS) for part in ROOMS[room])
    return {message for messages in found for _, _, message, _, _ in messages if message}


def catalogue(room: Path, prefix: str = "") -> Catalog:
    return read_po(BytesIO((room / "translations" / f"{prefix}zh.po").read_bytes()), locale="zh")


@pytest.mark.parametrize("room", ROOMS)
def test_a_catalogue_has_every_text_and_no_other(room: Path) -> None:
    held = {message.id for message in catalogue(room) if message.id}
    assert held == texts_of(room), "run `make texts`, and translate what is new"


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("prefix", ["", "sentences."])
def test_every_translation_is_complete(prefix: str, room: Path) -> None:
    for message in catalogue(room, prefix):
        if not message.id:
            continue
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        assert all(strings), message.id
        assert not message.fuzzy, message.id
        for string in strings:
            for part in (r"%\(\w+\)s", r"</?\w+", r'href="[^"]*"'):
                assert set(re.findall(part, string)) == set(re.findall(part, ids[-1])), string
            assert "%" not in re.sub(r"%\(\w+\)s|%%", "", string) or "%" in ids[0], string


@pytest.mark.usefixtures("chinese")
def test_a_sentence_keeps_its_values_whatever_they_are() -> None:
    hostile = "' and 'b' are kept apart already, by correction 1 %(a)s {0} \\1"
    made = sentence(f"{hostile!r} and 'x' are kept apart already, by correction 12")
    assert made.endswith("保持分开")
    assert "%(a)s {0}" in made
    assert sentence("nobody listed this") == "nobody listed this"
    assert sentence("") == ""
    assert sentence("x" * 5_000 + " and b are kept apart already, by correction 1").startswith("x")


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, 0),
        ({"Two": "Nine"}, 1),
        ({"was": "was not"}, 1),
        ({"was": "was not", "Two": "Nine"}, 2),
        ({"Two": "Nine", "were": "were not", "Monday": "Friday"}, 3),
    ],
)
def test_what_a_judge_says_of_two_texts_is_translated(changed: dict[str, str], told: int) -> None:
    reason = compare(FERRY, re.sub(r"\w+", lambda match: changed.get(match[0], match[0]), FERRY)).reason
    assert reason.count("stands against") + reason.count("only one has") == told
    assert re.findall("[a-z]+", re.sub("“.*?”", "", sentence(reason))) == []


@pytest.mark.usefixtures("chinese")
def test_what_a_judge_weighs_is_translated() -> None:
    level = EvidenceJudge().parts_of_texts(read_facts(FERRY), read_facts(FERRY))[-1].name
    assert [name for name in (*MEASURES.values(), level) if sentence(name) == name] == []


@pytest.mark.usefixtures("chinese")
def test_what_is_said_of_a_part_of_a_text_is_translated() -> None:
    article = running_text("quay")
    with Deduper("memory://") as deduper:
        deduper.add({"id": "article", "text": article})
        (found,) = deduper.find("\n".join(article.split("\n")[10:14]))
    assert sentence(found.reason) == "较短一方的词语有 100% 出现在较长一方的段落中。"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving_documents(stories()) as site:
        yield site


@pytest.mark.parametrize(
    ("header", "tag"),
    [("en;q=0.5, zh-CN;q=0.7", "zh-Hans"), ("zh;q=0, en", "en"), ("zh;q=nan, ;;,q=", "en"), ("", "en")],
)
def test_the_browser_says_which_language(site: Site, header: str, tag: str) -> None:
    assert f'<html lang="{tag}">' in site.get("/", {"Accept-Language": header}).text


def test_pages_and_feed_vary_and_the_json_api_speaks_english(site: Site) -> None:
    for path in ("/", "/feed"):
        assert {"Accept-Language", "Cookie"} <= set(site.get(path).headers["vary"].split(", "))
    assert "OR needs a wanted word" in site.get("/api/search?q=OR+x", CHINESE).json["error"]


@pytest.mark.parametrize("month", range(1, 13))
def test_english_dates_need_no_babel_and_are_those_of_cldr(month: int) -> None:
    value = date(2026, month, 4)
    assert date_text(value, "day") == format_date(value, "long", locale=ENGLISH.locale)
    forms: list[tuple[DateForm, str]] = [("short day", "yMMMd"), ("month", "yMMMM"), ("short month", "yMMM")]
    for form, skeleton in [*forms, ("year", "y")]:
        assert date_text(value, form) == format_skeleton(skeleton, value, locale=ENGLISH.locale)


@pytest.mark.usefixtures("chinese")
def test_dates_and_spans_are_those_of_the_language() -> None:
    assert moment("2026-03-04T10:05:00Z") == "2026年3月4日 10:05 UTC"
    assert days("2026-03-04", "2026-03-05") == "2026年3月4日至2026年3月5日"
    assert days(None, "2026-03-04") == "到2026年3月4日为止"
    assert span(12_600_000_000) == "3 小时 30 分钟"
    made = [Period("2026-03-01", "2026-03-31", 2), Period("2026-05-01", "2026-05-31", 1)]
    assert [bar.label for bar in bars(made)] == ["2026年3月", "2026年4月", "2026年5月"]
    assert plural(1_200, "%(num)s copy", "%(num)s copies") == "1,200 个版本"
