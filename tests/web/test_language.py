"""The pages in the language of the reader: which one it is, and that no text is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

import dupgroups
import dupgroups_lab.labelling
import dupgroups_papers
from browser.serving import Site, serving
from dupgroups import Deduper, Page
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Period
from dupgroups.web.chart import bars
from dupgroups.web.dates import days, moment, span
from dupgroups.web.language import ENGLISH, LANGUAGES, plural, sentence, use
from stories import reprint, running_chinese

ROOT, PAPERS = Path(dupgroups.__file__).parent, Path(dupgroups_papers.__file__).parent
ROOMS = {"web": ROOT / "web", "label": Path(dupgroups_lab.labelling.__file__).parent}
KEYWORDS = {**DEFAULT_KEYWORDS, "plural": (2, 3), "gettext_noop": None}
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2"), ("templates/**.xml", "jinja2")]
CHINESE = {"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"}
TOKEN = "a-token-of-ann-0123"

NAMES = {"dup-groups", "JSON", "API", "Atom", "English", "UTC", "ann", "LCC", "MCC", "LD", "URL"}
"""What has no other name in Chinese."""


@pytest.fixture
def chinese() -> Iterator[None]:
    use(LANGUAGES["zh"])
    yield
    use(ENGLISH)


# -- the catalogues


def texts_of(room: Path) -> set[str | tuple[str, ...]]:
    """The texts that are marked in a package."""
    found = extract_from_dir(room, METHODS, {"**.html": {"trimmed": "true", "silent": "false"}}, KEYWORDS)
    messages = (message for _, _, message, _, _ in found)
    return {message for message in messages if message}


def catalogue(room: Path, language: str = "zh") -> Catalog:
    return read_po(BytesIO((room / "translations" / f"{language}.po").read_bytes()), locale="zh")


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
@pytest.mark.parametrize("room", ROOMS)
def test_a_catalogue_has_every_text_and_no_other(room: str, language: str) -> None:
    held = {message.id for message in catalogue(ROOMS[room], language) if message.id}
    assert held == texts_of(ROOMS[room]), "run `make texts`, and translate what is new"


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("prefix", ["", "sentences."])
def test_every_translation_is_complete(prefix: str, room: str, language: str) -> None:
    for message in catalogue(ROOMS[room], prefix + language):
        if not message.id:
            continue
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        assert all(strings), message.id
        assert not message.fuzzy, message.id
        for string in strings:
            for part in (r"%\(\w+\)s", r"</?\w+", r'href="[^"]*"'):
                assert sorted(set(re.findall(part, string))) == sorted(set(re.findall(part, ids[-1]))), string
            assert "%" not in re.sub(r"%\(\w+\)s|%%", "", string) or "%" in ids[0], string


class _Shown(HTMLParser):
    """What people read of a page, with its tool tips and labels, but without the data in it."""

    READ = ("title", "alt", "placeholder", "aria-label", "data-side", "data-text", "data-reason")
    SKIPPED = ("style", "script", "code", "bdi", "pre", "time")
    DATA_CLASSES = ("host", "path", "by", "title", "value")

    def __init__(self) -> None:
        super().__init__()
        self._within: list[str] = []  # the tags around, from the outermost one that is skipped
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        is_data = values.get("lang", "") not in ("zh-Hans", "zh", "")
        is_data = is_data or values.get("class") in self.DATA_CLASSES
        if self._within or tag in self.SKIPPED or is_data:
            self._within += [] if tag in ("meta", "link", "input", "img", "br") else [tag]
        else:
            self.texts += [values[name] for name in self.READ if name in values]

    def handle_endtag(self, tag: str) -> None:
        while self._within and self._within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._within:
            self.texts.append(data)


def words(page: str) -> set[str]:
    """The Latin words of two letters or more that a page shows."""
    parser = _Shown()
    parser.feed(page)
    return set(re.findall(r"[A-Za-z][A-Za-z-]+", " ".join(parser.texts))) - NAMES


# -- sentences


@pytest.mark.usefixtures("chinese")
def test_a_sentence_keeps_its_values_whatever_they_are() -> None:
    hostile = "' and 'b' are kept apart already, by correction 1 %(a)s {0} \\1"
    made = sentence(f"{hostile!r} and 'x' are kept apart already, by correction 12")
    assert made.endswith("保持分开")
    assert "%(a)s {0}" in made
    assert sentence("nobody listed this") == "nobody listed this"
    assert sentence("") == ""
    assert sentence("x" * 5_000 + " and b are kept apart already, by correction 1").startswith("x")


# -- which language


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Stories whose words are all Chinese."""
    texts = {"甲": running_chinese("甲"), "乙": running_chinese("乙"), "丙": running_chinese("丙")}
    texts |= {"甲一": reprint(texts["甲"], 1), "甲二": texts["甲"] + "\n" + texts["乙"], "短": "太短。"}
    with closing(SQLiteEngine()) as engine:
        deduper = Deduper(engine)
        deduper.add_all(
            Page(id=id_, text=text, title=f"{id_}标题", language="zh",
                 url=f"https://{place}.example/{place}", date=f"2026-0{place + 1}-04T10:05:00Z")
            for place, (id_, text) in enumerate(texts.items())
        )  # fmt: skip
        deduper.correct("keep-together", "丙", "短", by="ann")
        deduper.undo(1, by="ann")
        with serving(engine, tokens={"ann": TOKEN}) as site:
            yield site


@pytest.mark.parametrize(
    ("header", "tag"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("en;q=0.5, zh;q=0.7", "zh-Hans"),
        ("zh;q=0, en", "en"),
        ("zh;q=nan, ;;,q=", "en"),
        ("", "en"),
    ],
)
def test_the_browser_says_which_language(site: Site, header: str, tag: str) -> None:
    answer = site.get("/", {"Accept-Language": header})
    assert f'<html lang="{tag}">' in answer.text
    assert site.get("/feed").headers["vary"] == "Accept-Language, Cookie, HX-Request"


def test_the_json_api_speaks_english(site: Site) -> None:
    assert "OR needs a wanted word" in site.get("/api/search?q=OR+x", CHINESE).json["error"]


# -- the pages


def in_chinese(site: Site, path: str, **headers: str) -> str:
    answer = site.get(quote(path, safe="/?&=%"), CHINESE | headers)
    assert '<html lang="zh-Hans">' in answer.text
    return answer.text


PATHS = """
    / /?q=甲 /?mode=all&since=2026-01-01&until=2026-02-28 /?mode=head&limit=1 /?limit=1&offset=1
    /?q=标题&language=zh&sort=date /?q=没有这个词&any_word=1 /?q=标提 /?offset=50 /?q=标题+无人知晓
    /groups/甲 /groups/丙 /groups/无 /explain /explain?a=甲&b=甲一 /explain?a=甲&b=丙 /explain?a=甲&b=甲二
    /explain?a=甲&b=短 /explain?a=无 /login?back=甲 /none /?q=%22x /?q=- /?q=(x /?mode=x /?limit=x /?since=x
""".split()
TYPED = {"a", "flood", "night", "train", "head", "all", "collapse", "limit", "since"}
"""What one types in these words whatever the language is."""


@pytest.mark.parametrize("path", PATHS)
def test_a_page_in_chinese_has_no_english_word(site: Site, path: str) -> None:
    assert words(in_chinese(site, path)) <= TYPED


# -- numbers and dates


@pytest.mark.usefixtures("chinese")
def test_dates_and_spans_are_those_of_the_language() -> None:
    assert moment("2026-03-04T10:05:00Z") == "2026年3月4日 10:05 UTC"
    assert days("2026-03-04", "2026-03-05") == "2026年3月4日至2026年3月5日"
    assert days("2026-02-01", "2026-02-28") == "2026年2月"
    assert days(None, "2026-03-04") == "到2026年3月4日为止"
    assert span(7_300_000_000) == "2 小时"
    made = [Period("2026-03-01", "2026-03-31", 2), Period("2026-05-01", "2026-05-31", 1)]
    assert [bar.label for bar in bars(made)] == ["2026年3月", "2026年4月", "2026年5月"]
    assert plural(1_200, "%(num)s copy", "%(num)s copies") == "1,200 个版本"
