"""The `style` elements of a page, as far as they set the size and colour of text.

Supported are selectors of tags, classes and ids, alone or as descendants, in the order of their specificity
(CSS 2.2, section 6.4). Not supported are rules inside at-rules (`@media`), other selectors (pseudo-classes,
attributes, children, siblings), and sheets in separate files, because nothing is fetched.

| limit | default | why |
|---|---|---|
| `MAX_CSS` | 500,000 | characters of sheets that are read |
| `MAX_CHECKS` | 200,000 | comparisons of an element with a rule, after which rules are ignored |
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dupgroups.content.blocks import Blocks

MAX_CSS = 500_000
MAX_CHECKS = 200_000

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_BRACE = re.compile(r"[{};]")
_COMPOUND = re.compile(r"(\*|[a-z][a-z0-9]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_NAME = re.compile(r"[.#][\w-]+")
_DECLARATION = re.compile(r"(?:^|;)\s*(font-size|font|color)\s*:\s*([^;]+)", re.IGNORECASE)


class Element(NamedTuple):
    """The properties of an element that selectors can match: its tag, and `.class` and `#id` names."""

    tag: str
    names: frozenset[str]


class Rule(NamedTuple):
    """One selector, outermost part first, with its plain and important declarations: values by property."""

    parts: tuple[Element, ...]
    rank: tuple[int, int, int, int]  # number of ids, classes and tags, and place in the page
    plain: Mapping[str, str]
    important: Mapping[str, str]


def element(tag: str, attributes: Mapping[str, str | None]) -> Element:
    """The properties of an element of the page that selectors can match."""
    names = [f".{name}" for name in (attributes.get("class") or "").split()]
    if attributes.get("id"):
        names.append(f"#{attributes['id']}")
    return Element(tag, frozenset(names))


def parse_declarations(css: str) -> tuple[dict[str, str], dict[str, str]]:
    """The declarations of a `style` attribute or a rule's body: plain and important values by property.

    The properties are "font-size", "font" and "color"; the last declaration of a property counts.

    >>> parse_declarations("color: Red; font-size:12px !important; color: #333")
    ({'color': '#333'}, {'font-size': '12px'})
    """
    plain: dict[str, str] = {}
    important: dict[str, str] = {}
    for name, value in _DECLARATION.findall(css):
        text, mark, _ = value.lower().partition("!")
        (important if mark else plain)[name.lower()] = text.strip()
    return plain, important


@dataclass(slots=True)
class StyleSheets:
    """All rules of a page that set a size or colour."""

    rules: Mapping[str, Sequence[Rule]]  # by the tag, or by one name, of the last part
    checks: int = MAX_CHECKS

    @classmethod
    def of(cls, page: Blocks) -> StyleSheets:
        """The rules of the page's `style` elements, except those for print and other media."""
        sheets = (
            text for tag, given, text in page.heads if tag == "style" and _on_screen(given.get("media") or "")
        )
        rules: dict[str, list[Rule]] = defaultdict(list)
        for place, (selectors, body) in enumerate(_bodies(_COMMENT.sub(" ", "\n".join(sheets)[:MAX_CSS]))):
            plain, important = parse_declarations(body)
            for selector in selectors.split(",") if plain or important else ():
                parts = _parts(selector)
                if parts:
                    rule = Rule(parts, _rank(parts, place), plain, important)
                    rules[next(iter(sorted(parts[-1].names)), parts[-1].tag)].append(rule)
        return cls(rules)

    def matching(self, path: Sequence[Element]) -> list[Rule]:
        """The rules that match the last element of `path`, which begins at the root; the weakest first."""
        if self.checks < 0:
            return []
        last = path[-1]
        candidates = [rule for key in (last.tag, "*", *last.names) for rule in self.rules.get(key, ())]
        self.checks -= sum(len(path) if rule.parts[1:] else 1 for rule in candidates)
        return sorted((rule for rule in candidates if _matches(rule.parts, path)), key=lambda rule: rule.rank)


def _on_screen(media: str) -> bool:
    """Whether a `style` element for these media applies to screens."""
    kinds = [query.lower().removeprefix("only ").split()[:1] for query in media.split(",")]
    return not media.strip() or ["all"] in kinds or ["screen"] in kinds


def _bodies(css: str) -> Iterator[tuple[str, str]]:
    """Selectors and bodies of the top-level rules."""
    start = depth = 0
    selector = ""
    for match in _BRACE.finditer(css):
        at, sign = match.start(), match[0]
        if sign == "{":
            depth += 1
            if depth == 1:
                selector, start = css[start:at].strip(), at + 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                if not selector.startswith("@"):
                    yield selector, css[start:at]
                start = at + 1
        elif depth == 0:  # the end of an @import, or a stray sign
            start = at + 1


def _parts(selector: str) -> tuple[Element, ...]:
    """The elements that a selector names, the outermost first; () for an unsupported selector."""
    matches = [_COMPOUND.fullmatch(part) for part in selector.split()]
    if not all(matches):
        return ()
    return tuple(
        Element((match[1] or "*").lower(), frozenset(_NAME.findall(match[2]))) for match in matches if match
    )


def _rank(parts: Sequence[Element], place: int) -> tuple[int, int, int, int]:
    names = [name for part in parts for name in part.names]
    ids = sum(name.startswith("#") for name in names)
    return ids, len(names) - ids, sum(part.tag != "*" for part in parts), place


def _matches(parts: Sequence[Element], path: Sequence[Element]) -> bool:
    if not _fits(parts[-1], path[-1]):
        return False
    above = reversed(path[:-1])
    return all(any(_fits(part, ancestor) for ancestor in above) for part in reversed(parts[:-1]))


def _fits(part: Element, element: Element) -> bool:
    return part.tag in ("*", element.tag) and part.names <= element.names
