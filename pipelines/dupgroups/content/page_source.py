"""The source of a page as browsers show it, where the parser reads it otherwise, and its text kept elsewhere.

| source | read as |
|---|---|
| XHTML: `<script src="x"/>`, `<title/>` | `<script src="x"></script>`: in HTML it would go on to the end |
| `<template shadowrootmode="open">` | an element: readers see a shadow root |
| `<a name="top">` that is not closed | nothing: the whole story would be a link |
| `<noscript>`, `articleBody`, JSON in scripts and attributes | paragraphs, if there are hardly any |
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape, unescape
from itertools import pairwise
from typing import Any

from dupgroups.content.bounds import utf8
from dupgroups.content.letters import letters_and_digits
from dupgroups.text.word_tables import read_table

_XHTML = re.compile(
    r"\s*(?:<!--.*?-->\s*)*(?:<\?xml\b|<!DOCTYPE\s[^<>]*XHTML|(?:<!DOCTYPE[^<>]*>\s*)?<html\b[^<>]*\sxmlns=)",
    re.I | re.S,
)
_CLOSED_ELEMENT = re.compile(
    r"<(?=[acimnostv])(script|title|style|iframe|textarea|a|canvas|video|audio|object|select|template|noscript|noframes|map|applet)"
    r"(?!\w)[^<>]*>(?<=/>)"
)
_ROOT = re.compile(r"<template\b([^<>]*\bshadowrootmode\b[^<>]*)>", re.I)
_LINK_TAG = re.compile(r"<(/?)a\b(?:\s[^<>]*)?>", re.I)
_NOSCRIPT = re.compile(r"<(/?)(?:noscript|template)\b[^<>]*>", re.I)
_FRAME = re.compile(r"<iframe\b[^<>]*\bsrcdoc=\"([^\"]+)\"")
# where JSON may begin: a value, or the quotation mark of a text or an attribute with one, or with paragraphs
_BEGIN = re.compile(
    r"(=?)([\"']?)(?=[{\[]\s*(?:[\"{\[\\]|&quot;|&#34;|\d+,\s*\")|(?<=[\"'])(?:<|\\u003[cC])p\b)"
)
_NAME = re.compile(r"(\w+)[\"']?\s*[=:]\s*$")  # of a value
_DECLARATION = re.compile(r"<script\b[^<>]*ld\+json.*?</script", re.I | re.S)  # of which `bodies` are read
_ASIDES = frozenset(read_table("aside_words.csv")["aside"])
_TEXT = re.compile(r"([\"'])((?:[^\\]|\\.)*?)\1", re.S)
_TEXT_KEYS = ("text", "value", "html", "content", "children", "data")
_PARAGRAPHS = frozenset("p paragraph heading h2 h3 h4 li blockquote text-block".split())
_TAG = re.compile(r"<[a-zA-Z/][^<>]*>")
_BREAK = re.compile(r"\n|<(?:/?(?:p|div|h[1-6]|li|ul|ol|blockquote|section)|br)\b[^<>]*>", re.I)
_SENTENCE = re.compile(r"[.!?。！？।။។…]")
_UNSPACED_RUN = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{25}")
_ROW = re.compile(r"[0-9a-f]+:(?:T[0-9a-f]+,|[A-Z]{0,2}(?=[\[{\"]))")
_SCRIPT = re.compile(
    r"import [\w.]+$|from [\w.]+ import |(?:window|self|document)[.\[]\w+.{0,3}="
    r"|(?:var|let|const) \w+ ?=|[!;(]*function\b ?\w*\("
    r"|[\w.$]+\(\s*[\[{]|['\"]use strict|(?:import|export) [\w{*].*['\";{]$|BEGIN:V|WEBVTT|@charset",
    re.M,
)
_CODE = re.compile(r"[;{},]\s*$|^\s*[}@#/*]|^\s*(?:- )?[a-z_]+:(?:\s|$)")  # of programs and of configuration
_LOG = re.compile(
    r"^\W?(?:\d{4}-\d\d-\d\d.\d\d:|\d+\.\d+\.\d+\.\d+ |[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d "
    r"|[\d:,]+ --> |\d+$)"
)
_QUOTED_STRING = re.compile(r'"[^"]*"')
_READ, _FEWEST_LINES = 5_000, 4  # characters and lines in which data are told from text
_MIN_PARAGRAPH_BYTES = 60  # bytes in UTF-8 of a paragraph in a state
_LINKS = frozenset("url href link slug path canonical permalink id".split())
_MAX_VALUES, _TRIES = 100_000, 500  # values of a state that are read, and places that may begin one
_LONGEST_NAME = 40  # characters before a value in which its name is looked for


def as_xhtml(html: str) -> str:
    """The source with the first row of the table applied."""
    return (
        _CLOSED_ELEMENT.sub(lambda tag: f"{tag[0][:-2]}></{tag[1]}>", html)
        if _XHTML.match(html[:2000])
        else html
    )


def with_shadow(html: str) -> str:
    """The source with the second row of the table applied."""
    return _ROOT.sub(r"<div\1>", html)


def without_open_links(html: str) -> str:
    """The source with the third row of the table applied."""
    tags = [*_LINK_TAG.finditer(html), None]
    is_open = (tag for tag, after in pairwise(tags) if tag and not tag[1] and (after is None or not after[1]))
    spans = [(0, 0), *(tag.span() for tag in is_open), (len(html), len(html))]
    return "".join(html[end:start] for (_, end), (start, _) in pairwise(spans))


def is_data(text: str) -> bool:
    """Whether it is no page and no text, but JSON, a script, a table or a log."""
    text = text.strip()
    if text[:1] + text[-1:] in ("{}", "[]") or _SCRIPT.match(text):
        return True
    lines = text[:_READ].splitlines()[:-1] if not _TAG.search(text[:_READ]) else []
    if len(lines) < _FEWEST_LINES:
        return False
    lines = [_QUOTED_STRING.sub("", line) for line in lines if line.strip()]
    coded, logged = (sum(bool(pattern.search(line)) for line in lines) for pattern in (_CODE, _LOG))
    return 2 * max(coded, logged) >= len(lines) or any(_is_column(lines, sign) for sign in ",;\t")


def _is_column(lines: Iterable[str], sign: str) -> bool:
    """Whether nearly all lines have the same number, of two or more, of a sign between columns."""
    counts = [line.count(sign) for line in lines]
    same, often = Counter(counts).most_common(1)[0]
    return same > 1 and 5 * often >= 4 * len(counts)


def without_scripts(html: str) -> str:
    """The source of a page as it is shown without scripts; "" if that makes no difference."""
    return _NOSCRIPT.sub(r"<\1div>", html) if "<noscript" in html or "<template" in html else ""


def page_from_state(html: str, bodies: Iterable[str], title: str) -> str:
    """A page of the paragraphs in `bodies` (articleBody) or in the state of scripts; "" without paragraphs.

    `title` is the headline: objects of a state with another one, and with what is in them, are other stories.
    """
    frames = (unescape(frame) for frame in _FRAME.findall(html))
    stories = [[*_paragraphs(body)] for body in (*bodies, *frames)]
    paragraphs = max(stories, key=_size, default=[]) or max(_stories(html, title), key=_size, default=[])
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    return f"<article><h1>{escape(title)}</h1><div>{text}</div></article>" if text else ""


def _size(paragraphs: list[str]) -> int:
    return sum(map(len, paragraphs))


def _paragraphs(text: str) -> Iterator[str]:
    if "&lt;" in text and "<" not in text:
        text = unescape(text)
    for part in _BREAK.split(text):
        if paragraph := " ".join(unescape(_TAG.sub("", part)).split()):
            yield paragraph


def _stories(html: str, title: str) -> list[list[str]]:
    """The paragraphs of states, those with the same names of keys on the way to them together."""
    stories: dict[tuple[str, ...], dict[str, None]] = {}
    for value in _states(_DECLARATION.sub("", html)):
        for path, text in _texts(value, letters_and_digits(title)):
            stories.setdefault(path, {}).update(dict.fromkeys(_paragraphs(text)))
    return [list(paragraphs) for paragraphs in stories.values()]


def _states(html: str) -> Iterator[Any]:
    """The values of JSON in the page: in scripts, in texts of these, and in attributes."""
    decoder, at, pieces = json.JSONDecoder(strict=False), 0, list[str]()
    for _ in range(_TRIES):
        if not (begin := _BEGIN.search(html, at)):
            break
        at = begin.end() + 1
        try:
            if text := _TEXT.match(html, begin.start(2)):
                value, at = _value_in(text, is_attribute=bool(begin[1])), text.end()
            else:
                value, at = decoder.raw_decode(html, begin.end())
        except (ValueError, RecursionError):
            continue
        match value:
            case [int(), str(piece)]:  # of a stream, which goes on in the next one
                pieces.append(piece)
            case _:
                name = _NAME.search(html[max(0, begin.start() - _LONGEST_NAME) : begin.start()])
                yield {name[1]: value} if name else value
    yield from _ROW.split("".join(pieces))


def _value_in(text: re.Match[str], *, is_attribute: bool) -> Any:
    """The value of JSON in an attribute, or in a text of JavaScript; of paragraphs, these."""
    quote, inner = text.groups()
    if is_attribute and inner[1] != "\\":
        value = unescape(inner)
    else:
        inner = inner if quote == '"' else inner.replace("\\'", "'").replace('"', '\\"')
        value = json.loads(f'"{inner}"', strict=False)
    return value if value[:1] == "<" else json.loads(value, strict=False)


def _join_texts(node: Any) -> str:
    """The text of a node that is one paragraph, of rich text or of React, "" of any other."""
    if isinstance(node, dict):
        kind = node.get("nodeType") or node.get("type") or node.get("tag") or node.get("tagName")
    else:
        kind = node[1] if len(node) == 4 and node[0] == "$" else None
    return "".join(_leaves(node)) if isinstance(kind, str) and kind.lower() in _PARAGRAPHS else ""


def _leaves(node: Any) -> Iterator[str]:
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, str):
            yield inner
        elif isinstance(inner, list):
            is_element = len(inner) == 4 and inner[0] == "$"
            waiting += reversed(inner[3:] if is_element else inner)
        elif isinstance(inner, dict):
            waiting += [inner[key] for key in _TEXT_KEYS if isinstance(inner.get(key), str | list | dict)][:1]


def _texts(value: Any, letters: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The texts of paragraphs in a value, and the names of the keys that lead to each; `letters` is the
    headline in `letters_and_digits`."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), value)]
    for _ in range(_MAX_VALUES):
        if not waiting:
            return
        path, inner = waiting.pop()
        if isinstance(inner, dict | list) and (joined := _join_texts(inner)):
            if _is_prose(joined):
                yield path, joined
        elif isinstance(inner, dict):
            if not _is_other_story(inner, letters):
                items = [(key, item) for key, item in inner.items() if key.lower() not in _ASIDES]
                waiting += [((*path, key), item) for key, item in reversed(items)]
        elif isinstance(inner, list):
            waiting += [(path, item) for item in reversed(inner)]
        elif isinstance(inner, str) and inner[:1] in ("{", "["):
            waiting += [(path, item) for item in _load_all(inner)]
        elif isinstance(inner, str) and _is_prose(inner):
            yield path, inner


def _load_all(text: str) -> list[Any]:
    """The value of a text of JSON, [] for any other."""
    try:
        return [json.loads(text, strict=False)]
    except (ValueError, RecursionError):
        return []


def _is_other_story(node: dict[str, Any], letters: str) -> bool:
    headline = next((node[key] for key in ("headline", "title") if isinstance(node.get(key), str)), "")
    own = letters_and_digits(headline)
    return bool(own and letters) and own not in letters and letters not in own and not _LINKS.isdisjoint(node)


def _is_prose(text: str) -> bool:
    is_long = len(utf8(text)) >= _MIN_PARAGRAPH_BYTES
    has_blanks = " " in text.strip() or not text.isascii()
    is_sentence = _SENTENCE.search(text) or _UNSPACED_RUN.search(text)
    return bool(is_long and has_blanks and is_sentence and "://" not in text[:12])
